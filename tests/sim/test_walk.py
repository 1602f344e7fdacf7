"""A walk through a changing world, checked against the world replayed on its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headway.errors import InputError
from headway.plan.find_path import find_path
from headway.sim.walk import walk
from headway.view.walk_drawing import worlds_of
from headway.world.changing_rooms import Change, changing_rooms
from headway.world.clearance import clearance, distance_to_blocked
from headway.world.grid import Grid
from headway.world.worlds import scattered

DOOR = np.array([[1, 3]])


def corridor(door_open=True):
    """Two places with a wall and a door between them."""
    free = np.ones((3, 7), bool)
    free[:, 3] = False
    free[1, 3] = door_open
    return Grid(free)


def demo(seed):
    world = changing_rooms(seed)
    return walk(world.grid, world.start, world.goal, world.changes)


def check_against_replayed_world(trace):
    """Every step and every plan fits the world as it was at that tick."""
    free = np.array(trace.grid.free)
    for number, tick in enumerate(trace.ticks):
        for change in tick.changes:
            free[change.cells[:, 0], change.cells[:, 1]] = change.free
        assert free[tick.cell]
        if len(tick.way):
            assert tuple(tick.way[0]) == tick.cell
            assert tuple(tick.way[-1]) == trace.goal
            assert free[tick.way[:, 0], tick.way[:, 1]].all()
            for here, there in zip(tick.way[:-1].tolist(), tick.way[1:].tolist(), strict=True):
                assert max(abs(here[0] - there[0]), abs(here[1] - there[1])) == 1
                assert free[here[0], there[1]]
                assert free[there[0], here[1]]
        if number + 1 < len(trace.ticks):
            expected = tuple(tick.way[1]) if len(tick.way) > 1 else tick.cell
            assert trace.ticks[number + 1].cell == expected


@pytest.mark.parametrize("seed", range(12))
def test_the_agent_reaches_its_goal_by_legal_steps(seed):
    trace = demo(seed)
    assert trace.reached
    assert trace.ticks[0].cell == trace.start
    assert trace.ticks[-1].cell == trace.goal
    check_against_replayed_world(trace)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.data())
def test_random_worlds_that_change_at_random(seed, data):
    grid = scattered(12, 15, 0.25, seed)
    ends = np.argwhere(grid.free)[[0, -1]].tolist()
    cell = st.tuples(st.integers(0, 11), st.integers(0, 14))
    changes = [
        Change(tick, np.array(cells), free, "something changes")
        for tick, cells, free in data.draw(
            st.lists(
                st.tuples(
                    st.integers(0, 30), st.lists(cell, min_size=1, max_size=8), st.booleans()
                ),
                max_size=12,
            )
        )
    ]
    trace = walk(grid, ends[0], ends[1], changes, most_ticks=200)
    check_against_replayed_world(trace)
    assert trace.reached or "200 ticks" in trace.reason or len(trace.ticks[-1].way) == 0


def test_equal_walks_have_equal_hashes():
    assert demo(3).state_hash == demo(3).state_hash
    assert demo(3).cells.tobytes() == demo(3).cells.tobytes()
    assert demo(3).state_hash != demo(4).state_hash


def test_without_changes_the_walk_is_the_shortest_path():
    grid = scattered(25, 30, 0.2, seed=2)
    ends = np.argwhere(grid.free)[[0, -1]].tolist()
    trace = walk(grid, *ends)
    path = find_path(grid, *ends)
    steps = np.diff(trace.cells, axis=0)
    assert trace.reached == path.found is True
    assert np.hypot(*steps.T).sum() == pytest.approx(path.length)
    assert sum(tick.replanned for tick in trace.ticks) <= 1


def test_the_agent_waits_for_a_door_to_open():
    trace = walk(corridor(door_open=False), (1, 0), (1, 6), [Change(5, DOOR, True, "opens")])
    assert trace.reached
    assert trace.cells[:6].tolist() == [[1, 0]] * 6
    assert len(trace.ticks) == 12
    assert len(trace.ticks[4].way) == 0
    assert trace.ticks[4].reason


def test_the_agent_gives_up_when_nothing_will_change_any_more():
    trace = walk(corridor(), (1, 0), (1, 6), [Change(1, DOOR, False, "closes")])
    assert not trace.reached
    assert "stopped" in trace.reason
    assert len(trace.ticks) < 10


def test_a_door_does_not_close_on_the_agent():
    trace = walk(corridor(), (1, 0), (1, 6), [Change(3, DOOR, False, "closes")])
    assert trace.reached
    assert trace.ticks[3].cell == (1, 3)
    assert len(trace.ticks[3].changes[0].cells) == 0


def test_a_door_does_not_close_on_a_disc():
    free = np.ones((9, 9), bool)
    free[:, 4] = False
    door = np.array([(3, 4), (4, 4), (5, 4)])
    free[tuple(door.T)] = True
    for tick in range(8):
        trace = walk(Grid(free), (4, 1), (4, 7), [Change(tick, door, False, "closes")], radius=0.8)
        world = Grid(free)
        for each in trace.ticks:
            for change in each.changes:
                world.set(change.cells, change.free)
            assert clearance(world)[each.cell] >= 0.8
        beside = abs(trace.ticks[tick].cell[1] - 4) <= 1 if tick < len(trace.ticks) else True
        assert trace.reached is (beside or tick > 4)


def test_where_there_is_no_way_the_reason_stays_the_real_one():
    changes = [Change(1, DOOR, False, "closes"), Change(9, DOOR, True, "opens")]
    trace = walk(corridor(), (1, 0), (1, 6), changes)
    waiting = [tick for tick in trace.ticks if len(tick.way) == 0]
    assert len(waiting) == 8
    assert all("separate the start (1, 1) from the goal" in tick.reason for tick in waiting)
    assert {tick.status for tick in waiting} == {"unreachable"}


def test_a_walk_tells_how_it_ended_and_how_long_it_was():
    cost = np.arange(1.0, 22.0).reshape(3, 7)
    grid = Grid(corridor().free, cost, cell_size=0.5)
    trace = walk(grid, (0, 0), (1, 6))
    expected = find_path(grid, (0, 0), (1, 6))
    assert trace.status == "found"
    assert trace.length == pytest.approx(expected.length)
    assert trace.cost == pytest.approx(expected.cost)
    assert trace.expanded == sum(tick.expanded for tick in trace.ticks) > 0
    there = walk(corridor(), (1, 0), (1, 0))
    assert (there.status, there.length, there.cost) == ("already there", 0.0, 0.0)
    late = walk(corridor(), (1, 0), (1, 6), most_ticks=3)
    assert (late.status, late.length, late.reached) == ("out of budget", 2.0, False)
    closed = walk(corridor(door_open=False), (1, 0), (1, 6))
    assert (closed.status, closed.length, closed.reached) == ("unreachable", 0.0, False)
    assert closed.ticks[-1].reason in closed.reason


@pytest.mark.parametrize("radius", [0.8, 2.5])
@pytest.mark.parametrize("seed", range(4))
def test_an_agent_with_a_size_comes_through_the_changing_rooms(radius, seed):
    world = changing_rooms(seed, radius)
    trace = walk(world.grid, world.start, world.goal, world.changes, radius=radius)
    assert trace.reached
    for tick, free in zip(trace.ticks, worlds_of(trace), strict=True):
        assert distance_to_blocked(free)[tick.cell] >= radius
    check_against_replayed_world(trace)


def test_the_given_grid_stays_as_it_is():
    grid = corridor()
    before = np.array(grid.free)
    walk(grid, (1, 0), (1, 6), [Change(0, np.array([[0, 1]]), False, "a block falls")])
    assert (grid.free == before).all()
    assert grid.version == 0


def test_start_is_goal():
    trace = walk(corridor(), (1, 0), (1, 0))
    assert trace.reached
    assert len(trace.ticks) == 1


def test_the_walk_ends_at_the_latest_tick():
    trace = walk(corridor(), (1, 0), (1, 6), most_ticks=3)
    assert not trace.reached
    assert "3 ticks" in trace.reason
    assert len(trace.ticks) == 3


def test_what_cannot_be_is_an_input_error():
    with pytest.raises(InputError, match="off the map"):
        walk(corridor(), (1, 0), (1, 6), [Change(0, np.array([[9, 9]]), False, "?")])
    with pytest.raises(InputError, match="most_ticks"):
        walk(corridor(), (1, 0), (1, 6), most_ticks=0)


@pytest.mark.parametrize("size", [0.25, 1.0, 4.0])
def test_what_falls_beside_the_agent_falls(size):
    world = Grid(np.ones((9, 9)), cell_size=size)
    around = np.argwhere(np.ones((9, 9)))
    # Spared is what lies less far from the agent's centre than the radius, in cells, or than half
    # a cell: its own cell, the four beside at 0.5, the corners at 0.71, those after at 1.5, 1.58.
    for radius, spared in ((0.0, 1), (0.5, 1), (0.6, 5), (1.5, 9), (1.6, 21)):
        falls = Change(0, around, False, "all falls")
        trace = walk(world, (4, 4), (4, 4), [falls], radius=radius * size)
        assert len(around) - len(trace.ticks[0].changes[0].cells) == spared


def test_the_hash_takes_in_changes_that_matter_to_nobody():
    hashes = {
        walk(corridor(), (1, 0), (1, 6), [Change(2, np.array([cell]), False, "falls")]).state_hash
        for cell in ((0, 0), (2, 0))
    }
    assert len(hashes) == 2


def test_only_ticks_that_searched_looked_from_cells():
    changes = [Change(1, DOOR, False, "closes"), Change(9, DOOR, True, "opens")]
    trace = walk(corridor(), (1, 0), (1, 6), changes)
    assert trace.reached
    assert all(tick.expanded == 0 for tick in trace.ticks if not tick.replanned)
    assert any(tick.expanded > 0 for tick in trace.ticks if not len(tick.way))
