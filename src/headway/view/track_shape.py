"""A track as the points that a drawing of it needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headway.world.track import Track

CLEARANCE = 2.0  # m of height from which a crossing is a bridge


@dataclass(frozen=True)
class TrackShape:
    """A track sampled finely enough to be drawn.

    Parameters
    ----------
    centre, left, right : (K, 2) float64, m, world frame
        Points of the centre line and of the two edges at equal steps of arc length.
    height : (K,) float64, m
        Height of the centre line.
    closed : bool
        Whether the last point leads back to the first.
    """

    centre: NDArray[np.float64]
    left: NDArray[np.float64]
    right: NDArray[np.float64]
    height: NDArray[np.float64]
    closed: bool

    @classmethod
    def of(cls, track: Track, stations: int = 2400) -> TrackShape:
        """Sample a track at about so many stations.

        Examples
        --------
        >>> from headway.world.circuits import circuit
        >>> TrackShape.of(circuit("oval"), 100).left.shape
        (100, 2)
        """
        step = track.length / stations
        left, right = track.edges(step)
        centre = track.route.position(track.route.sample(step))
        height = centre[:, 2] if centre.shape[1] == 3 else np.zeros(len(centre))
        return cls(centre[:, :2], left[:, :2], right[:, :2], height, track.closed)

    @property
    def points(self) -> NDArray[np.float64]:
        """Points of both edges, (2K, 2) m."""
        return np.concatenate((self.left, self.right))

    @property
    def width(self) -> float:
        """Usual width from edge to edge, m."""
        return float(np.median(np.hypot(*(self.left - self.right).T)))

    def bridges(self) -> list[NDArray[np.int64]]:
        """Stations of each stretch that passes over another, in order.

        Examples
        --------
        >>> from headway.world.circuits import circuit
        >>> [len(TrackShape.of(circuit(name)).bridges()) for name in ("club", "eight")]
        [0, 1]
        """
        if np.ptp(self.height) < CLEARANCE:
            return []
        stride = max(1, len(self.centre) // 400)
        centre, height = self.centre[::stride], self.height[::stride]
        near = np.hypot(*(centre[:, None] - centre[None]).transpose(2, 0, 1)) < self.width
        above = (near & (height[:, None] - height[None] > CLEARANCE)).any(axis=1)
        runs = np.split(
            np.flatnonzero(above), np.flatnonzero(np.diff(np.flatnonzero(above)) > 1) + 1
        )
        last = len(self.centre) - 1
        return [
            np.arange(max(0, (run[0] - 1) * stride), min(last, (run[-1] + 1) * stride) + 1)
            for run in runs
            if run.size
        ]


@dataclass(frozen=True)
class CrossSection:
    """A line across a track, from edge to edge.

    Parameters
    ----------
    left, right : (2,) float64, m, world frame
        The points on the two edges.
    along : (2,) float64
        Unit vector of the racing direction.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    along: NDArray[np.float64]

    @classmethod
    def at(cls, track: Track, s: float) -> CrossSection:
        """The line across a track at arc length s (m)."""
        position, yaw = track.route.position(s)[:2], float(track.route.yaw(s))
        along = np.array([math.cos(yaw), math.sin(yaw)])
        to_left = np.array([-along[1], along[0]])
        left, right = track.route.width(s)
        return cls(position + left * to_left, position - right * to_left, along)

    @property
    def middle(self) -> NDArray[np.float64]:
        """The point halfway between the edges, (2,) m."""
        return (self.left + self.right) / 2

    @property
    def to_left(self) -> NDArray[np.float64]:
        """Unit vector from the right edge towards the left one."""
        return np.array([-self.along[1], self.along[0]])

    def outside(self, distance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The points that far (m) beyond the left and the right edge."""
        return self.left + distance * self.to_left, self.right - distance * self.to_left

    def beside(
        self, distance: float, obstacles: NDArray[np.float64], reach: float = 0.0
    ) -> NDArray[np.float64]:
        """The point that far beyond the edge where there is more free room.

        Parameters
        ----------
        distance : float
            From the edge, m.
        obstacles : (M, 2) float64, m, world frame
            What takes up room.
        reach : float
            How far ahead, in the racing direction, there must be room too, m.

        Returns
        -------
        (2,) float64, m, world frame
        """
        points = self.outside(distance)
        left, right = (self._room(point, obstacles, reach) for point in points)
        # Rounding must not choose the side where both are as free.
        return points[0] if left > 1.02 * right else points[1]

    def _room(
        self, point: NDArray[np.float64], obstacles: NDArray[np.float64], reach: float
    ) -> float:
        """Distance (m) from the nearest obstacle to a point and to the one a reach ahead."""
        places = (point, point + reach * self.along)
        return min(float(np.hypot(*(obstacles - place).T).min()) for place in places)
