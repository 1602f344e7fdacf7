"""The centre line of a loop of free space in an occupancy grid."""

from __future__ import annotations

import math

import numpy as np

from headway.errors import InputError

LEAST_HOLE = 0.01
"""Smallest infield, as a share of the road's area; anything smaller is a pillar in a room."""
OBSTACLE = 0.1
"""Largest obstacle on the road, as a share of the infield's area; a larger one forks the road."""
STEP = 4.0
"""Smallest spacing of the centre line's points, in cells."""


def centre_line(free: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the loop of free space and the line in its middle.

    The loop is the connected free space that encloses the largest hole (the infield) and does not
    touch the border of the grid. Its centre line is where the distance to the outside equals the
    distance to the infield, one closed curve whatever the shape; obstacles on the road, holes
    much smaller than the infield, play no part. The curve is smoothed by a Gaussian of half the
    road's half-width.

    Parameters
    ----------
    free : (H, W) bool
        True where a car may drive; row 0 is the lowest y.

    Returns
    -------
    points : (M, 2) float64
        x, y in cells from the lower left corner of the grid, counter-clockwise, not closed.
    left, right : (M,) float64
        Distances from there to the infield and to the outside, in cells.

    Raises
    ------
    InputError
        If there is no such loop, or the road forks.

    Examples
    --------
    >>> y, x = np.mgrid[0:100, 0:100] + 0.5
    >>> points, left, right = centre_line(abs(np.hypot(x - 50, y - 50) - 35) < 8)
    >>> bool(np.allclose(np.hypot(*(points - 50).T), 35, atol=0.5))
    True
    """
    infield, outside, corner = _loop(free)
    to_infield, to_outside = _distance(infield), _distance(outside)
    curve = _zero_level(to_outside - to_infield)
    half_width = float(np.mean(_at(to_infield, curve)))
    line = _smoothed(curve, deviation=max(2.0, half_width / 2), step=max(STEP, half_width / 2))
    left, right = _at(to_infield, line), _at(to_outside, line)
    if len(line) < 8 or min(left.min(), right.min()) <= 0:
        raise InputError("its loop of free space is too small; give the map more pixels")
    return line + corner + 0.5, left, right


def _loop(free: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The infield and the outside of the loop as masks, and the x, y of their first cell."""
    from scipy import ndimage  # noqa: PLC0415

    height, width = free.shape
    # Free cells join by their sides and walls also by their corners: thin walls do not leak.
    labels = _labelled(free, corners=False)
    best: tuple[int, np.ndarray, np.ndarray, np.ndarray] | None = None
    boxes = list(enumerate(ndimage.find_objects(labels), start=1))
    boxes.sort(key=lambda item: -math.prod(side.stop - side.start for side in item[1]))
    for label, (rows, columns) in boxes:
        area = (rows.stop - rows.start) * (columns.stop - columns.start)
        if area <= (best[0] if best else 0):
            break
        if min(rows.start, columns.start) == 0 or rows.stop == height or columns.stop == width:
            continue
        road = np.pad(labels[rows, columns] == label, 1)
        walls = _labelled(~road, corners=True)
        sizes = np.bincount(walls.ravel())
        sizes[[0, walls[0, 0]]] = 0
        hole = int(sizes.argmax())
        if sizes[hole] > max(best[0] if best else 0, LEAST_HOLE * road.sum()):
            _check_fork(sizes)
            corner = np.array([columns.start - 1, rows.start - 1])
            best = int(sizes[hole]), walls == hole, walls == walls[0, 0], corner
    if best is None:
        problem = "its free space does not form a closed loop inside the image"
        raise InputError(f"{problem}; check the thresholds, and that both walls have no gap")
    return best[1:]


def _labelled(mask: np.ndarray, corners: bool) -> np.ndarray:
    """Number the connected parts of a mask from 1, joined by sides alone or by corners too."""
    from scipy import ndimage  # noqa: PLC0415

    labels = np.empty(mask.shape, dtype=np.int32)
    ndimage.label(mask, structure=ndimage.generate_binary_structure(2, 1 + corners), output=labels)
    return labels


def _distance(walls: np.ndarray) -> np.ndarray:
    """Distance (cells) of each cell's centre from the nearest wall."""
    from scipy import ndimage  # noqa: PLC0415

    # scipy measures between centres of cells; a wall begins half a cell before its centre.
    return np.asarray(ndimage.distance_transform_edt(~walls), dtype=np.float32) - np.float32(0.5)


def _check_fork(sizes: np.ndarray) -> None:
    infield, second = np.sort(sizes)[[-1, -2]]
    if second > OBSTACLE * infield:
        problem = f"its road forks around a second infield of {second:,} pixels"
        raise InputError(f"{problem}; close all but one way round")


def _zero_level(field: np.ndarray) -> np.ndarray:
    """The longest closed curve (M, 2) of x, y along which a field is zero, counter-clockwise."""
    from contourpy import contour_generator  # noqa: PLC0415

    lines = contour_generator(z=field).lines(0.0)
    curve = np.asarray(max(lines, key=len), dtype=np.float64)[:-1]
    x, y = curve.T
    doubled_area = np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))
    return curve if doubled_area > 0 else curve[::-1]


def _smoothed(curve: np.ndarray, deviation: float, step: float) -> np.ndarray:
    """A closed curve smoothed along its length and sampled at equal steps."""
    from scipy import ndimage  # noqa: PLC0415

    fine = _sampled(curve, 0.5)
    fine = ndimage.gaussian_filter1d(fine, deviation / 0.5, axis=0, mode="wrap")
    return _sampled(fine, step)


def _sampled(curve: np.ndarray, step: float) -> np.ndarray:
    ring = np.concatenate([curve, curve[:1]])
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
    s = np.linspace(0.0, length[-1], max(3, round(length[-1] / step)), endpoint=False)
    return np.column_stack([np.interp(s, length, axis) for axis in ring.T])


def _at(field: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Values of a field between its cells."""
    from scipy import ndimage  # noqa: PLC0415

    return ndimage.map_coordinates(field, points.T[::-1], order=1, output=np.float64)
