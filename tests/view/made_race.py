"""Races made up for tests: every time and place in them is known without simulating."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from headway.world.track import Track

TICK = 0.1
GAP = 4.0


def ring_track(radius: float = 100.0, width: float = 10.0, name: str = "Ring") -> Track:
    turn = np.arange(72) * np.pi / 36
    points = radius * np.column_stack((np.cos(turn), np.sin(turn)))
    return Track.from_arrays(points, 0.5 * width, 0.5 * width, name=name)


def open_track(length: float = 1500.0, name: str = "Pass") -> Track:
    x = np.linspace(0.0, length, 60)
    points = np.column_stack((x, 60.0 * np.sin(x / 200.0), 0.05 * x))
    return Track.from_arrays(points, 4.0, 5.0, name=name, closed=False)


def made_race(track: Track, speeds, laps: int = 2, stops=None) -> SimpleNamespace:
    """Cars that keep to the centre line at constant speeds, a car's length behind each other.

    Parameters
    ----------
    speeds : sequence of float
        One per car, m/s.
    stops : dict, optional
        Row of a car: distance from the start line at which it stops for good, m.
    """
    speeds, count, length = np.asarray(speeds, dtype=float), len(speeds), track.length
    grid = -GAP * np.arange(count) * min(1.0, length / 600.0)
    ends = np.array([(stops or {}).get(i, laps * length) for i in range(count)])
    time = np.arange(0.0, ((ends - grid) / speeds).max() + 2 * TICK, TICK)
    distance = np.minimum(grid + speeds * time[:, None], ends)
    s = np.clip(distance, 0.0, None) if not track.closed else distance
    state = np.zeros((len(time), count, 7))
    state[:, :, :2] = track.route.position(s)[:, :, :2]
    state[:, :, 2] = track.route.yaw(s)
    state[:, :, 3] = np.where(distance < ends, speeds, 0.0)
    lines = np.arange(1, laps + 1) * length
    crossings = (lines - grid[:, None]) / speeds[:, None]
    crossings[lines > ends[:, None] + 1e-9] = np.nan
    lap_times = np.diff(crossings, axis=1, prepend=0.0)
    return SimpleNamespace(
        track=track,
        laps=laps,
        seed=7,
        start_s=0.0,
        lap_length=length,
        cars=np.arange(1, count + 1),
        dt=0.02,
        standings=_standings(crossings, lap_times, ends),
        lap_times=lap_times,
        positions_by_lap=_positions(crossings),
        fastest_lap=_fastest(lap_times),
        trace=SimpleNamespace(time=time, state=state, distance=distance),
        state_hash="00ff00ff00ff00ff",
        real_time_factor=123.4,
    )


def _standings(crossings, lap_times, ends):
    done = np.isfinite(crossings).sum(axis=1)
    total = crossings[:, -1]
    order = sorted(range(len(total)), key=lambda i: (-done[i], np.nan_to_num(total[i]), -ends[i]))
    return [
        SimpleNamespace(
            position=place,
            car=i + 1,
            vehicle="gt",
            laps=int(done[i]),
            total_s=float(total[i]) if np.isfinite(total[i]) else None,
            gap_s=float(total[i] - total[order[0]]) if np.isfinite(total[i]) else None,
            best_lap_s=float(np.nanmin(lap_times[i])) if done[i] else None,
            contacts=i,
            off_track=0,
            respawns=0,
            longest_halt_s=0.0,
            status="finished" if np.isfinite(total[i]) else "dnf",
            reason="" if np.isfinite(total[i]) else "stopped",
        )
        for place, i in enumerate(order, start=1)
    ]


def _positions(crossings):
    count, laps = crossings.shape
    positions = np.zeros((laps + 1, count), dtype=np.int64)
    positions[0] = np.arange(1, count + 1)
    for lap in range(laps):
        there = [i for i in np.argsort(crossings[:, lap]) if np.isfinite(crossings[i, lap])]
        positions[lap + 1, there] = np.arange(1, len(there) + 1)
    return positions


def _fastest(lap_times):
    if not np.isfinite(lap_times).any():
        return None
    car, lap = np.unravel_index(np.nanargmin(lap_times), lap_times.shape)
    return int(car) + 1, int(lap) + 1, float(lap_times[car, lap])
