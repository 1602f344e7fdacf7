"""Oriented boxes in the plane: do two overlap, how deep, in which direction, and where.

A box is its centre, the cosine and sine of its yaw, and half its length and width. Overlap is
decided by separating axes (S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996): two boxes
are apart if and only if their shadows are apart on one of the directions of their sides.
"""

from __future__ import annotations

from headway._jit import kernel


@kernel
def _shadow(
    distance: float, half: float, cosine: float, sine: float, length: float, width: float
) -> float:
    """Overlap of the shadows of two boxes on a side of the first, the second turned to it."""
    return half + abs(cosine) * length + abs(sine) * width - abs(distance)


@kernel
def _corners_inside(
    x1: float, y1: float, cos1: float, sin1: float, length1: float, width1: float,
    x2: float, y2: float, cos2: float, sin2: float, length2: float, width2: float,
) -> tuple[int, float, float]:  # fmt: skip
    """Count and sum of the corners of the second box that lie in the first."""
    count = 0
    sum_x = 0.0
    sum_y = 0.0
    for corner in range(4):
        along = length2 if corner < 2 else -length2
        across = width2 if corner % 2 == 0 else -width2
        x = x2 + cos2 * along - sin2 * across
        y = y2 + sin2 * along + cos2 * across
        ahead = cos1 * (x - x1) + sin1 * (y - y1)
        left = cos1 * (y - y1) - sin1 * (x - x1)
        if abs(ahead) <= length1 and abs(left) <= width1:
            count += 1
            sum_x += x
            sum_y += y
    return count, sum_x, sum_y


@kernel(example=lambda: (0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 3.0, 0.5, 1.0, 0.0, 2.0, 1.0))
def box_overlap(
    x1: float, y1: float, cos1: float, sin1: float, length1: float, width1: float,
    x2: float, y2: float, cos2: float, sin2: float, length2: float, width2: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Depth and direction of the overlap of two oriented boxes.

    Parameters
    ----------
    x1, y1, x2, y2 : float
        Centres, m.
    cos1, sin1, cos2, sin2 : float
        Cosine and sine of their yaw.
    length1, width1, length2, width2 : float
        Half their lengths and widths, m.

    Returns
    -------
    depth : float
        Least distance to shift one box to separate them, m; zero or less if they are apart.
    normal_x, normal_y : float
        Unit direction in which the second box must go for that.

    Examples
    --------
    >>> box_overlap(0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 3.5, 0.0, 1.0, 0.0, 2.0, 1.0)
    (0.5, 1.0, 0.0)
    """
    dx = x2 - x1
    dy = y2 - y1
    cosine = cos1 * cos2 + sin1 * sin2
    sine = cos1 * sin2 - sin1 * cos2
    ahead1 = cos1 * dx + sin1 * dy
    left1 = cos1 * dy - sin1 * dx
    ahead2 = cos2 * dx + sin2 * dy
    left2 = cos2 * dy - sin2 * dx
    depth, x, y, side = _shadow(ahead1, length1, cosine, sine, length2, width2), cos1, sin1, ahead1
    other = _shadow(left1, width1, sine, cosine, length2, width2)
    if other < depth:
        depth, x, y, side = other, -sin1, cos1, left1
    other = _shadow(ahead2, length2, cosine, sine, length1, width1)
    if other < depth:
        depth, x, y, side = other, cos2, sin2, ahead2
    other = _shadow(left2, width2, sine, cosine, length1, width1)
    if other < depth:
        depth, x, y, side = other, -sin2, cos2, left2
    if side < 0:
        return depth, -x, -y
    return depth, x, y


@kernel(example=lambda: (0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 3.0, 0.5, 1.0, 0.0, 2.0, 1.0))
def contact_point(
    x1: float, y1: float, cos1: float, sin1: float, length1: float, width1: float,
    x2: float, y2: float, cos2: float, sin2: float, length2: float, width2: float,
) -> tuple[float, float]:  # fmt: skip
    """Where two overlapping boxes touch: the mean of the corners of either inside the other.

    Parameters are those of :func:`box_overlap`. Boxes that cross like a plus sign have no such
    corner and touch midway between their centres.

    Returns
    -------
    x, y : float
        Metres, in the frame of the centres.

    Examples
    --------
    >>> contact_point(0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 3.5, 0.0, 1.0, 0.0, 2.0, 1.0)
    (1.75, 0.0)
    """
    count1, sum_x1, sum_y1 = _corners_inside(
        x1, y1, cos1, sin1, length1, width1, x2, y2, cos2, sin2, length2, width2
    )
    count2, sum_x2, sum_y2 = _corners_inside(
        x2, y2, cos2, sin2, length2, width2, x1, y1, cos1, sin1, length1, width1
    )
    count = count1 + count2
    if count == 0:
        return 0.5 * (x1 + x2), 0.5 * (y1 + y2)
    return (sum_x1 + sum_x2) / count, (sum_y1 + sum_y2) / count
