"""Jump point search finds the shortest paths, and says why there is none."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_grids import check_steps, distances, random_grid

from headway.errors import InputError
from headway.plan import jump_points
from headway.plan.jump_points import jump_point_search
from headway.plan.path import DIAGONAL, STRAIGHT, Status
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

RULE = CornerRule.NEVER_CUT


def check_all_pairs(grid: Grid, rng: np.random.Generator, count: int) -> None:
    cells = np.argwhere(grid.free)
    starts = cells[rng.integers(0, len(cells), count)]
    goals = cells[rng.integers(0, len(cells), count)]
    away = distances(grid, starts, RULE)
    for start, goal, field in zip(starts.tolist(), goals.tolist(), away, strict=True):
        path = jump_point_search(grid, start, goal)
        expected = field[tuple(goal)] * grid.cell_size
        assert path.found == np.isfinite(expected)
        if path.found:
            assert abs(path.length - expected) <= 1e-9 * max(1.0, expected)
            assert [path.cells[0].tolist(), path.cells[-1].tolist()] == [start, goal]
            check_steps(grid, path)
        else:
            assert path.status == Status.UNREACHABLE
            assert path.length == np.inf


@pytest.mark.parametrize("blocked", [0.0, 0.05, 0.2, 0.35, 0.5])
@pytest.mark.parametrize("shape", [(9, 9), (3, 70), (70, 3), (1, 130), (40, 65), (64, 128)])
def test_lengths_are_those_of_dijkstra(blocked: float, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(int(1000 * blocked) + shape[0])
    check_all_pairs(random_grid(rng, blocked, *shape), rng, 30)


@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 12), st.floats(0.0, 0.6))
def test_lengths_on_small_grids(seed: int, rows: int, columns: int, blocked: float) -> None:
    rng = np.random.default_rng(seed)
    free = rng.random((rows, columns)) >= blocked
    free[0, 0] = True
    check_all_pairs(Grid(free, cell_size=0.25, origin=(3.0, -1.0)), rng, 4)


def test_lengths_stay_right_while_the_grid_changes() -> None:
    rng = np.random.default_rng(4)
    grid = random_grid(rng, 0.3, 30, 67)
    for _ in range(25):
        high, wide = rng.integers(1, 8, 2).tolist()
        top, left = int(rng.integers(0, 31 - high)), int(rng.integers(0, 68 - wide))
        grid.paste((top, left), rng.random((high, wide)) >= 0.35)
        check_all_pairs(grid, rng, 6)


def test_squeezing_between_diagonal_blocks_is_no_way() -> None:
    grid = Grid([[1, 0], [0, 1]])
    assert jump_point_search(grid, (0, 0), (1, 1)).status == Status.UNREACHABLE
    grid = Grid([[1, 0], [1, 1]])
    assert jump_point_search(grid, (0, 0), (1, 1)).length == 2.0


def test_a_straight_way_on_an_empty_grid_has_no_diagonal() -> None:
    grid = Grid(np.ones((5, 200)))
    path = jump_point_search(grid, (2, 1), (2, 190))
    assert (path.cells[:, 0] == 2).all()
    assert path.length == 189.0


def test_the_length_counts_whole_steps() -> None:
    path = jump_point_search(Grid(np.ones((1000, 1000))), (0, 0), (999, 700))
    assert path.length == 299 + 700 * 2.0**0.5  # to the last bit


@pytest.mark.parametrize(
    ("start", "goal", "status", "words"),
    [
        ((0, 0), (0, 0), Status.ALREADY_THERE, "same cell"),
        ((0, 2), (0, 0), Status.START_BLOCKED, r"start \(0, 2\) is blocked"),
        ((0, 0), (0, 2), Status.GOAL_BLOCKED, r"goal \(0, 2\) is blocked"),
        ((0, 2), (0, 2), Status.START_BLOCKED, "start"),
        ((0, 0), (0, 3), Status.UNREACHABLE, "separate"),
        ((0, 0), (1, 0), Status.OUT_OF_BOUNDS, r"goal \(1, 0\) lies off the map of 1 rows"),
        ((0, -1), (0, 0), Status.OUT_OF_BOUNDS, "start"),
    ],
)
def test_every_answer_says_why(
    start: tuple[int, int], goal: tuple[int, int], status: Status, words: str
) -> None:
    path = jump_point_search(Grid([[1, 1, 0, 1]]), start, goal)
    assert path.status == status
    assert re.search(words, path.reason)
    assert path.found == (status == Status.ALREADY_THERE)
    assert len(path.cells) == len(path.points) == int(path.found)


@pytest.mark.parametrize(
    "cell",
    [
        (0.0, 1),
        (0.5, 1),
        (np.nan, 0),
        ("0", 1),
        (1,),
        (0, 1, 2),
        3,
        None,
        (None, 0),
        {0, 1},
        {0: 1},
    ],
)
def test_what_is_no_cell_is_refused(cell: object) -> None:
    grid = Grid(np.ones((3, 3)))
    with pytest.raises(InputError, match=r"whole numbers \(row, column\)"):
        jump_point_search(grid, cell, (0, 0))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="goal is"):
        jump_point_search(grid, (0, 0), cell)  # type: ignore[arg-type]


def test_whole_numbers_of_numpy_will_do() -> None:
    cells = np.array([[0, 0], [2, 2]])
    assert jump_point_search(Grid(np.ones((3, 3))), cells[0], cells[1]).length == 2 * 2.0**0.5


def test_terrain_cost_is_refused_with_the_remedy() -> None:
    with pytest.raises(InputError, match="never_cut: for one_free use a_star"):
        jump_point_search(Grid(np.ones((2, 2))), (0, 0), (1, 1), "one_free")
    with pytest.raises(InputError, match="a_star"):
        jump_point_search(Grid(np.ones((2, 2)), np.ones((2, 2))), (0, 0), (1, 1))


def test_small_work_arrays_grow_and_a_spent_range_begins_anew() -> None:
    rng = np.random.default_rng(7)
    grid = random_grid(rng, 0.35, 60, 60)
    cells = np.argwhere(grid.free)
    work = jump_points.work_arrays(grid)
    work[jump_points.QUEUE] = work[jump_points.QUEUE][:2].copy()
    work[jump_points.CELLS] = work[jump_points.CELLS][:2].copy()
    away = distances(grid, cells[:40], RULE)
    grid.spare["jps"] = [work]
    for start, field in zip(cells[:40].tolist(), away, strict=True):
        work[jump_points.NUMBERS][jump_points.FLOOR] = 5  # less than any search may need
        goal = cells[int(rng.integers(0, len(cells)))].tolist()
        path = jump_point_search(grid, start, goal)
        assert path.found == np.isfinite(field[tuple(goal)])
        if path.found:
            assert abs(path.length - field[tuple(goal)]) <= 1e-9 * path.length
    assert len(work[jump_points.QUEUE]) > 2


def test_a_way_longer_than_expected_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    comb = np.ones((41, 41), bool)
    comb[1::4, :-1] = False
    comb[3::4, 1:] = False
    grid = Grid(comb)
    monkeypatch.setattr(jump_points, "highest_cost", lambda grid: 200 * DIAGONAL)
    path = jump_point_search(grid, (0, 0), (40, 0))
    field = distances(grid, np.array([[0, 0]]), RULE)[0]
    assert path.length == pytest.approx(field[40, 0], rel=1e-12)
    again = jump_point_search(grid, (40, 0), (0, 0), trace=True)
    assert again.length == path.length


def test_searched_lists_the_jump_points_of_this_search_only() -> None:
    grid = Grid(np.ones((20, 20)))
    grid.set([(5, 5), (12, 9)], free=False)
    jump_point_search(grid, (0, 0), (19, 19))
    path = jump_point_search(grid, (5, 4), (5, 6), trace=True)
    assert path.searched is not None
    known = {tuple(cell) for cell in path.searched.tolist()}
    assert {(5, 4), (5, 6)} <= known
    assert all(grid.is_free(cell) for cell in known)
    assert jump_point_search(grid, (5, 4), (5, 6)).searched is None


def test_the_same_query_gives_the_same_bytes() -> None:
    rng = np.random.default_rng(1)
    grid = random_grid(rng, 0.3, 80, 80)
    cells = np.argwhere(grid.free)
    queries = cells[rng.integers(0, len(cells), (50, 2))].tolist()
    once = [jump_point_search(grid, *query).cells.tobytes() for query in queries]
    fresh = grid.copy()
    again = [jump_point_search(fresh, *query).cells.tobytes() for query in reversed(queries)]
    assert once == again[::-1]


def test_the_two_costs_are_as_the_square_root_of_two() -> None:
    """a + b√2 of up to 1e9 steps compare as the sums of these do: next to √2 is no fraction
    with a denominator so small that is nearer."""
    assert abs(DIAGONAL**2 - 2 * STRAIGHT**2) == 1


def test_costs_of_the_query_before_are_not_taken_for_those_of_this_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    comb = np.ones((41, 41), bool)
    comb[1::4, :-1] = False
    comb[3::4, 1:] = False
    length = jump_point_search(Grid(comb), (0, 0), (40, 40)).length
    monkeypatch.setattr(jump_points, "highest_cost", lambda grid: int(length - 20) * STRAIGHT)
    grid = Grid(comb)
    jump_point_search(grid, (40, 40), (40, 0))  # its lowest cost stays where the next one ends
    assert jump_point_search(grid, (0, 0), (40, 40)).length == length


def test_places_in_the_queue_are_used_again() -> None:
    grid = random_grid(np.random.default_rng(1), 0.35, 200, 200)
    cells = np.argwhere(grid.free)
    start, goal = cells[np.random.default_rng(29).integers(0, len(cells), 2)].tolist()
    work = jump_points.work_arrays(grid)
    work[jump_points.QUEUE] = work[jump_points.QUEUE][:512].copy()
    grid.spare["jps"] = [work]
    assert jump_point_search(grid, start, goal).expanded > 5000
    assert len(work[jump_points.QUEUE]) == 512  # so many never waited at a time
