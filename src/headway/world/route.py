"""Routes: waypoints joined smoothly or straight, measured by s along the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.geometry.arc_length import PIECES, arc_length_knots, chord_knots
from headway.geometry.curves import curve_points
from headway.geometry.projection import project_all, project_all_by_heading
from headway.geometry.splines import catmull_rom_centripetal, catmull_rom_uniform, polyline
from headway.world.waypoints import (
    check_spacing,
    checked_waypoints,
    checked_widths,
    finite_numbers,
    same_place,
)

Array = NDArray[np.float64]

MOST_SAMPLES = 1e7
USUAL_WIDTH = 10.0  # m; stands in for the width of a route that has none


class Projection(NamedTuple):
    """Where positions lie along a route: ``s`` (m) and ``offset`` (m, positive to the left)."""

    s: Any
    offset: Any


@dataclass(frozen=True, eq=False, repr=False)
class Route:
    """A way through the world, closed (a circuit) or open; built by :meth:`through`.

    Attributes
    ----------
    waypoints : (M, 2) or (M, 3) ndarray
        m, world frame.
    closed : bool
        Whether the last waypoint is followed by the first.
    smooth : bool
        Whether waypoints are joined by Catmull-Rom curves or by straight lines.
    parametrisation : {"arc", "chord"}
        What s measures: the length of the curve, or that of the chords between waypoints.
    widths : (M, 2) ndarray or None
        m, to the left and to the right of each waypoint.
    coefficients, knots, linear
        The curve, as :mod:`headway.geometry.curves` describes it.

    Examples
    --------
    >>> import numpy as np
    >>> turn = np.arange(72) * np.pi / 36
    >>> ring = Route.through(100.0 * np.column_stack((np.cos(turn), np.sin(turn))))
    >>> ring
    Route(72 waypoints, closed, 628.3 m)
    >>> ring.position(0.0).tolist()
    [100.0, 0.0]
    >>> s, offset = ring.project((0.0, 103.0))
    >>> print(f"{s:.1f} {offset:.1f} {ring.curvature(s):.3f}")
    157.1 -3.0 0.010
    """

    waypoints: Array
    closed: bool
    smooth: bool
    parametrisation: str
    widths: Array | None
    coefficients: Array
    knots: Array
    linear: bool

    @classmethod
    def through(
        cls,
        points: ArrayLike,
        closed: bool = True,
        smooth: bool = True,
        parametrisation: Literal["arc", "chord"] | str = "arc",
        widths: ArrayLike | None = None,
    ) -> Route:
        """Join waypoints to a route.

        Parameters
        ----------
        points : (M, 2) or (M, 3) array_like
            Waypoints, m. At least two; three for a closed route, where a last one equal to the
            first is dropped.
        closed : bool
            Whether the last waypoint is followed by the first.
        smooth : bool
            True: Catmull-Rom curves; False: straight lines.
        parametrisation : {"arc", "chord"}
            "arc": the centripetal Catmull-Rom curve, with s its arc length in space, so that equal
            steps of s are equal steps in metres. "chord": the uniform Catmull-Rom curve over the
            cumulative chords between waypoints, as game circuits use it.
        widths : (M, 2) array_like, optional
            m, to the left and to the right of each waypoint.

        Returns
        -------
        Route

        Raises
        ------
        InputError
            If there are too few waypoints, neighbours at one place in the plan, coordinates
            that are not finite or beyond 10⁷ m, or widths that do not fit or are not positive.

        Examples
        --------
        >>> lane = Route.through([(0, 0), (30, 40)], closed=False, widths=[(2, 3), (4, 3)])
        >>> lane.width(25.0).tolist(), lane
        ([3.0, 3.0], Route(2 waypoints, open, 50.0 m))
        """
        if parametrisation not in ("arc", "chord"):
            raise InputError(f"parametrisation is {parametrisation!r}: use 'arc' or 'chord'.")
        waypoints = checked_waypoints(points)
        sides = None if widths is None else checked_widths(widths, len(waypoints))
        if closed and len(waypoints) > 1 and same_place(waypoints[0], waypoints[-1]):
            waypoints, sides = waypoints[:-1].copy(), None if sides is None else sides[:-1].copy()
        check_spacing(waypoints, closed)
        coefficients, knots, linear = _curve(waypoints, closed, smooth, parametrisation)
        for array in (waypoints, sides):
            if array is not None:
                array.flags.writeable = False
        kind = bool(closed), bool(smooth), parametrisation
        return cls(waypoints, *kind, sides, coefficients, knots, linear)

    def __repr__(self) -> str:
        kind = "closed" if self.closed else "open"
        return f"Route({len(self.waypoints)} waypoints, {kind}, {self.length:.1f} m)"

    @property
    def curve(self) -> tuple[Array, Array, bool, bool]:
        """``(coefficients, knots, linear, closed)``, the first arguments of curve kernels."""
        return self.coefficients, self.knots, self.linear, self.closed

    @property
    def length(self) -> float:
        """Length, m."""
        return float(self.knots[-1])

    @property
    def waypoint_s(self) -> Array:
        """Parameter s of each waypoint (M,), m."""
        return self.knots[::PIECES][: len(self.waypoints)].copy()

    def position(self, s: ArrayLike) -> Array:
        """Positions on the route.

        Parameters
        ----------
        s : (...) array_like
            m; wraps around on a closed route, stops at the ends of an open one.

        Returns
        -------
        (..., D) ndarray
            m, world frame; D as in the waypoints.

        Raises
        ------
        InputError
            If an s is not finite.
        """
        return self._frames(s)[..., : self.waypoints.shape[1]]

    def direction(self, s: ArrayLike) -> Array:
        """Unit tangents (..., D) at s (...), world frame; parameters as for :meth:`position`."""
        return self._frames(s)[..., 3 : 3 + self.waypoints.shape[1]]

    def yaw(self, s: ArrayLike) -> Any:
        """Yaw (...), rad in (−π, π], at s (...); parameters as for :meth:`position`."""
        frames = self._frames(s)
        return _scalar(np.arctan2(frames[..., 4], frames[..., 3]))

    def curvature(self, s: ArrayLike) -> Any:
        """Curvature (...) in the plan, 1/m, positive to the left, at s (...).

        Parameters are those of :meth:`position`. Straight routes have none, even at their
        corners; smooth ones may jump at waypoints, where a Catmull-Rom curve has no second
        derivative.
        """
        return _scalar(self._frames(s)[..., 6])

    def width(self, s: ArrayLike) -> Array:
        """Widths to the left and right at s, linear between waypoints.

        Parameters
        ----------
        s : (...) array_like
            m, as for :meth:`position`.

        Returns
        -------
        (..., 2) ndarray
            m, left and right.

        Raises
        ------
        InputError
            If the route has no widths, or an s is not finite.
        """
        if self.widths is None:
            raise InputError("this route has no widths: give them to Route.through.")
        values = self.wrap(s)
        marks = self.knots[::PIECES]
        widths = np.vstack((self.widths, self.widths[:1])) if self.closed else self.widths
        return np.stack([np.interp(values, marks, side) for side in widths.T], axis=-1)

    def wrap(self, s: ArrayLike) -> Any:
        """Bring s (...), m, into [0, length) on a closed route, [0, length] on an open one."""
        values = finite_numbers("s", s)
        if not self.closed:
            return _scalar(np.clip(values, 0.0, self.length))
        wrapped = values - self.length * np.floor(values / self.length)
        return _scalar(np.where(wrapped < self.length, wrapped, 0.0))

    def sample(self, step: float) -> Array:
        """Parameters s that divide the route evenly.

        Parameters
        ----------
        step : float
            About how far apart, m; the number of steps is rounded.

        Returns
        -------
        (K,) ndarray
            m, from 0; a closed route's end is left out, an open one's is the last.

        Raises
        ------
        InputError
            If the step is not positive and finite, or gives more than 10⁷ samples.

        Examples
        --------
        >>> Route.through([(0, 0), (10, 0)], closed=False).sample(2.4).tolist()
        [0.0, 2.5, 5.0, 7.5, 10.0]
        """
        step = float(finite_numbers("step", step, ()))
        finest = self.length / MOST_SAMPLES
        if step < finest:
            raise InputError(f"step is {step} m: choose one of at least {finest:.2g} m.")
        count = max(round(self.length / step), 3 if self.closed else 1)
        if self.closed:
            return np.arange(count, dtype=np.float64) * (self.length / count)
        return np.linspace(0.0, self.length, count + 1, dtype=np.float64)

    def project(
        self,
        position: ArrayLike,
        hint: ArrayLike | None = None,
        window: float | None = None,
        yaw: ArrayLike | None = None,
    ) -> Projection:
        """Find where positions lie along the route, seen from above.

        With a hint only the stretch within the window of it is searched, so that a position that
        moves along a route which crosses itself, or runs back beside itself, stays on its own
        stretch. Without one the whole route is searched; that is for the start and after a reset.

        The whole-route search by position alone may pick the wrong one of two stretches that lie
        close together. With a yaw it takes, of all local minima of the distance, the one with the
        least distance + W (1 − max(0, cos Δ)): Δ is the angle between yaw and route, and W is ¾ of
        the mean width of the route (of 10 m without widths). So at a crossing the heading decides
        over the whole width of the road, yet a car that stands backwards on its own stretch is not
        sent to a neighbouring one a road's width away.

        Parameters
        ----------
        position : (..., 2) or (..., 3) array_like
            m, world frame; a height is ignored.
        hint : (...) array_like, optional
            Last known s of each position, m.
        window : float, optional
            How far from the hint to search, m, either way. By default 15 m, or a twentieth of the
            route if that is less.
        yaw : (...) array_like, optional
            Heading at each position, rad; used only where there is no hint.

        Returns
        -------
        Projection
            ``s`` (...), m, of the closest points and ``offset`` (...), m: the distance to them,
            positive to the left of the route; beyond an end of an open route, the component
            across the end's direction.

        Raises
        ------
        InputError
            If shapes do not fit or a number is not finite.

        Examples
        --------
        >>> lane = Route.through([(0, 0), (40, 0), (40, 3), (0, 3)], closed=False, smooth=False)
        >>> lane.project((10.0, 2.0)).s
        73.0
        >>> lane.project((10.0, 2.0), hint=9.0)
        Projection(s=10.0, offset=2.0)
        >>> lane.project((10.0, 2.0), yaw=0.1).s
        10.0
        """
        points, shape = _plan(position)
        if hint is not None:
            hints = _spread("hint", hint, shape)
            reach = self._window(window)
            found = project_all(*self.curve, points, hints, reach)
        elif window is not None:
            raise InputError("window is given without a hint: give both, or neither.")
        elif yaw is None:
            found = project_all(*self.curve, points, np.zeros(len(points)), -1.0)
        else:
            width = USUAL_WIDTH if self.widths is None else self.widths.sum(axis=1).mean()
            yaws = _spread("yaw", yaw, shape)
            found = project_all_by_heading(*self.curve, points, yaws, 0.75 * float(width))
        s, offset = (_scalar(column.reshape(shape)) for column in found.T)
        return Projection(s, offset)

    def _window(self, window: float | None) -> float:
        if window is None:
            return min(15.0, self.length / 20.0)
        window = float(finite_numbers("window", window, ()))
        if window < 0.0:
            raise InputError(f"window is {window} m: it must not be negative.")
        return window

    def _frames(self, s: ArrayLike) -> Array:
        values = finite_numbers("s", s)
        return curve_points(*self.curve, values.reshape(-1)).reshape(*values.shape, 7)


def _curve(
    waypoints: Array, closed: bool, smooth: bool, parametrisation: str
) -> tuple[Array, Array, bool]:
    points = np.zeros((len(waypoints), 3))
    points[:, : waypoints.shape[1]] = waypoints
    if not smooth:
        return polyline(points, closed), chord_knots(points, closed), True
    if parametrisation == "chord":
        return catmull_rom_uniform(points, closed), chord_knots(points, closed), True
    coefficients = catmull_rom_centripetal(points, closed)
    return coefficients, arc_length_knots(coefficients), False


def _scalar(array: Array) -> Any:
    """A plain float in place of an array without dimensions."""
    return array if np.ndim(array) else float(array)


def _plan(position: ArrayLike) -> tuple[Array, tuple[int, ...]]:
    """Positions as (N, 2), and the shape that results are to have."""
    points = finite_numbers("position", position)
    if points.ndim == 0 or points.shape[-1] not in (2, 3):
        raise InputError(f"position has shape {points.shape}: (..., 2) or (..., 3) is needed.")
    plan = np.ascontiguousarray(points.reshape(-1, points.shape[-1])[:, :2])
    return plan, points.shape[:-1]


def _spread(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Array:
    """One number per position, as (N,)."""
    array = finite_numbers(name, value)
    try:
        return np.broadcast_to(array, shape).reshape(-1).copy()
    except ValueError:
        raise InputError(
            f"{name} has shape {array.shape} for positions of shape {shape}: give one each."
        ) from None
