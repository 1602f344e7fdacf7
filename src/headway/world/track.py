"""Tracks: a route with a width to either side, and what can be said about it as a circuit."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headway.errors import InputError
from headway.world.bends import Corner, find_corners, find_crossings
from headway.world.route import Route
from headway.world.waypoints import finite_numbers

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Track:
    """A circuit or a road to race on.

    Attributes
    ----------
    name : str
    route : Route
        The centre line, with widths.
    wall_distance : float
        Walls stand this far beyond either edge, m; infinite where there are none.
    sectors : tuple of float
        Where, between the start and the finish, a new sector begins: increasing fractions of the
        length between 0 and 1.

    Raises
    ------
    InputError
        If the route has no widths, or wall distance or sectors cannot be.

    Examples
    --------
    >>> import numpy as np
    >>> turn = np.arange(72) * np.pi / 36
    >>> ring = 100.0 * np.column_stack((np.cos(turn), np.sin(turn)))
    >>> track = Track.from_arrays(ring, 5.0, 6.0, name="Ring")
    >>> track.route.width(0.0).tolist(), round(track.length)
    ([5.0, 6.0], 628)
    >>> left, right = track.edges(10.0)
    >>> print(f"{np.hypot(*left.T).max():.2f} {np.hypot(*right.T).max():.2f}")
    95.00 106.00
    """

    name: str
    route: Route
    wall_distance: float = math.inf
    sectors: tuple[float, ...] = (1 / 3, 2 / 3)

    def __post_init__(self) -> None:
        if self.route.widths is None:
            raise InputError(f"track {self.name!r} has no widths: give them to its route.")
        if not (isinstance(self.wall_distance, Real) and self.wall_distance >= 0.0):
            raise InputError(
                f"wall_distance of track {self.name!r} is {self.wall_distance} m: "
                "it must be zero or more (inf for no walls)."
            )
        bounds = (0.0, *finite_numbers("sectors", self.sectors).ravel(), 1.0)
        if not all(a < b for a, b in pairwise(bounds)):
            raise InputError(
                f"sectors of track {self.name!r} are {self.sectors}: "
                "give increasing fractions between 0 and 1."
            )

    @classmethod
    def from_arrays(
        cls,
        points: ArrayLike,
        width_left: ArrayLike,
        width_right: ArrayLike,
        name: str = "track",
        closed: bool = True,
        wall_distance: float = math.inf,
    ) -> Track:
        """Make a track from its centre line.

        Parameters
        ----------
        points : (M, 2) or (M, 3) array_like
            Centre line, m, joined smoothly and measured by arc length.
        width_left, width_right : float or (M,) array_like
            From the centre line to each edge, m.
        name : str
        closed : bool
            A circuit, or a road from a start to a finish.
        wall_distance : float
            Walls stand this far beyond either edge, m.

        Returns
        -------
        Track

        Raises
        ------
        InputError
            As :meth:`headway.world.route.Route.through`, or if widths do not fit the points.
        """
        count = np.shape(points)[:1]
        try:
            sides = [
                np.broadcast_to(np.array(w, np.float64), count) for w in (width_left, width_right)
            ]
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                "width_left and width_right are not a number, or one number per point, each."
            ) from None
        widths = np.stack(sides, axis=-1).reshape(-1, 2)
        return cls(name, Route.through(points, closed, widths=widths), wall_distance)

    @property
    def closed(self) -> bool:
        """Whether the track is a circuit."""
        return self.route.closed

    @property
    def length(self) -> float:
        """Length of the centre line, m."""
        return self.route.length

    # -----------------------------------------------------------------------------------------
    # Shape

    def edges(self, step: float = 2.0) -> tuple[Array, Array]:
        """Edges of the track: the centre line moved by the widths along its normal.

        Parameters
        ----------
        step : float
            Distance between the places along the centre line, m.

        Returns
        -------
        left, right : (K, D) ndarray
            m, world frame, at the places of ``route.sample(step)``; a height is that of the
            centre line.
        """
        s = self.route.sample(step)
        centre, yaw, width = self.route.position(s), self.route.yaw(s), self.route.width(s)
        normal = np.zeros_like(centre)
        normal[:, 0], normal[:, 1] = -np.sin(yaw), np.cos(yaw)
        return centre + width[:, :1] * normal, centre - width[:, 1:] * normal

    # -----------------------------------------------------------------------------------------
    # Tracks made from this one

    def resampled(self, step: float) -> Track:
        """The track with waypoints about ``step`` (m) apart, evenly along the old centre line."""
        s = self.route.sample(step)
        return self._rebuilt(self.route.position(s), self.route.width(s))

    def reversed(self) -> Track:
        """The track driven the other way, from the same start line (an open one from its end)."""
        points, widths = self.route.waypoints[::-1], self._widths[::-1, ::-1]
        if self.closed:
            points, widths = np.roll(points, 1, axis=0), np.roll(widths, 1, axis=0)
        sectors = tuple(1.0 - f for f in reversed(self.sectors))
        return replace(self._rebuilt(points, widths), sectors=sectors)

    def rotated(self, s: float) -> Track:
        """The track with its start line moved to s; sectors begin where they did.

        A waypoint is added at s, unless one lies within a tenth of the distance to the next: that
        one is moved along the centre line instead.

        Parameters
        ----------
        s : float
            m along the present centre line.

        Returns
        -------
        Track

        Raises
        ------
        InputError
            If the track is open.
        """
        if not self.closed:
            raise InputError(f"track {self.name!r} is open: only a circuit's start can be moved.")
        s = self.route.wrap(finite_numbers("s", s, ()))
        starts = self.route.waypoint_s
        before = int(np.searchsorted(starts, s, side="right")) - 1
        gap = (starts[before + 1] if before + 1 < len(starts) else self.length) - starts[before]
        part = (s - starts[before]) / gap
        points = np.roll(self.route.waypoints, -before - 1, axis=0)
        widths = np.roll(self._widths, -before - 1, axis=0)
        if part < 0.1:
            points, widths = points[:-1], widths[:-1]
        elif part > 0.9:
            points, widths = points[1:], widths[1:]
        points = np.concatenate((self.route.position(s)[None], points))
        widths = np.concatenate((self.route.width(s)[None], widths))
        moved = sorted((f - s / self.length) % 1.0 for f in self.sectors)
        return replace(self._rebuilt(points, widths), sectors=tuple(f for f in moved if f > 0.0))

    def scaled(self, factor: float) -> Track:
        """The track made larger by a factor about the origin, widths and walls included.

        Raises
        ------
        InputError
            If the factor is not positive and finite.
        """
        factor = _positive("factor", factor)
        grown = self._rebuilt(self.route.waypoints * factor, self._widths * factor)
        return replace(grown, wall_distance=self.wall_distance * factor)

    def _rebuilt(self, points: Array, widths: Array) -> Track:
        route = self.route
        changed = Route.through(points, route.closed, route.smooth, route.parametrisation, widths)
        return replace(self, route=changed)

    @property
    def _widths(self) -> Array:
        assert self.route.widths is not None  # noqa: S101  (checked when the track was made)
        return self.route.widths

    # -----------------------------------------------------------------------------------------
    # What it is like

    def validate(self, vehicle_width: float | None = None) -> None:
        """Check that a vehicle fits on the track everywhere.

        Parameters
        ----------
        vehicle_width : float, optional
            m. Without one there is nothing that could fail: whatever makes no track at all is
            refused when the track is made.

        Raises
        ------
        InputError
            If the vehicle is wider than the track somewhere, or its width is not positive.
        """
        if vehicle_width is None:
            return
        vehicle_width = _positive("vehicle_width", vehicle_width)
        total = self._widths.sum(axis=1)
        narrowest = int(total.argmin())
        if total[narrowest] < vehicle_width:
            place = self.route.waypoint_s[narrowest]
            raise InputError(
                f"track {self.name!r} is {total[narrowest]:.2f} m wide at waypoint {narrowest} "
                f"(s = {place:.1f} m), narrower than the vehicle's {vehicle_width:.2f} m: "
                "widen the track or choose a smaller vehicle."
            )

    def corners(
        self, least_turn: float = math.radians(20.0), widest_radius: float | None = None
    ) -> list[Corner]:
        """The bends of the track, in order.

        A corner is a stretch where the centre line, smoothed over half a track width, keeps
        turning one way more tightly than a given radius.

        Parameters
        ----------
        least_turn : float
            Total change of yaw a corner has at least, rad.
        widest_radius : float, optional
            Radius up to which a bend counts, m; by default 25 track widths.

        Returns
        -------
        list of Corner
            Each with ``s_start``, ``s_end``, ``turn`` and ``radius``.

        Raises
        ------
        InputError
            If the widest radius is not positive and finite.
        """
        width = float(self._widths.sum(axis=1).mean())
        widest = 25.0 * width if widest_radius is None else widest_radius
        widest = _positive("widest_radius", widest)
        return find_corners(self.route, 0.5 * width, least_turn, widest)

    def problems(self) -> list[str]:
        """What is odd about the track, in sentences; none of it keeps cars from driving.

        Where the inside edge lies beyond the centre of the bend, the lines across the track
        cross each other: points near that edge have no single place along the track. Measured
        tracks do this at hairpins.

        Returns
        -------
        list of str
            One sentence per stretch and side, with the two places between which it happens.
        """
        return [
            f"Between {crossing.s_start:.1f} m and {crossing.s_end:.1f} m lines across the track "
            f"cross on the {crossing.side}: the bend's radius is {crossing.radius:.2f} m, "
            f"the edge {crossing.width:.2f} m away."
            for crossing in find_crossings(self.route)
        ]


def _positive(name: str, value: float) -> float:
    number = float(finite_numbers(name, value, ()))
    if number <= 0.0:
        raise InputError(f"{name} is {number}: it must be positive.")
    return number
