"""What users of other path finders reported, and what must happen here instead."""

from __future__ import annotations

import numpy as np
import pytest
from made_grids import check_steps, distances, random_grid

from headway.errors import InputError
from headway.plan.dstar_lite import DStarLite
from headway.plan.field import distance_field
from headway.plan.find_path import SEARCHES, find_path
from headway.plan.jump_points import COST, jump_point_search
from headway.plan.line_of_sight import visible
from headway.plan.path import Path, Status
from headway.plan.planner import Planner
from headway.plan.straighten import straighten
from headway.world.corner_rule import CornerRule
from headway.world.grid import Grid

NEVER = CornerRule.NEVER_CUT
STEPPING = ["jps", "astar", "dstar_lite", "field"]


@pytest.mark.parametrize("algorithm", list(SEARCHES))
def test_a_straight_way_over_open_ground_does_not_zigzag(algorithm: str) -> None:
    """hjweide/pyastar2d #13, #41, prettymuchbryce/easystarjs #16, bgrins/javascript-astar #10."""
    path = find_path(Grid(np.ones((21, 60))), (10, 2), (10, 57), algorithm=algorithm)
    assert (path.cells[:, 0] == 10).all()
    assert path.length == 55.0


@pytest.mark.parametrize("algorithm", STEPPING)
def test_no_path_leads_through_an_obstacle_whichever_axis_is_longer(algorithm: str) -> None:
    """hjweide/pyastar2d #24."""
    rng = np.random.default_rng(24)
    for shape in ((13, 41), (41, 13)):
        grid = random_grid(rng, 0.3, *shape)
        cells = np.argwhere(grid.free)
        for _ in range(20):
            start, goal = cells[rng.integers(0, len(cells), 2)].tolist()
            path = find_path(grid, start, goal, algorithm=algorithm)
            if path.found:
                check_steps(grid, path)
                assert grid.cells_at(path.points).tolist() == path.cells.tolist()


def test_metres_are_not_taken_for_cells() -> None:
    """hjweide/pyastar2d #24: rows and columns must not be mistaken."""
    grid = Grid(np.ones((4, 9)), cell_size=0.5)
    with pytest.raises(InputError, match="cells_at"):
        find_path(grid, (0.25, 0.25), (4.0, 1.5))  # type: ignore[arg-type]
    assert find_path(grid, (3, 8), (8, 3)).status == Status.OUT_OF_BOUNDS


@pytest.mark.parametrize("algorithm", list(SEARCHES))
def test_nobody_squeezes_between_two_diagonal_blocks(algorithm: str) -> None:
    """leethomason/MicroPather #5, MHeasell/rwe #30, qiao/PathFinding.js #17."""
    wall = ~np.eye(9, dtype=bool)
    path = find_path(Grid(wall), (0, 8), (8, 0), algorithm=algorithm)
    assert path.status == Status.UNREACHABLE
    assert find_path(Grid(wall), (0, 8), (8, 0), rule="always", algorithm="astar").found


@pytest.mark.parametrize("algorithm", ["auto", "astar", "dstar_lite", "field"])
def test_a_dear_cell_in_the_way_does_not_make_the_path_dearer_than_need_be(algorithm: str) -> None:
    """brean/python-pathfinding #65: an estimate by the cost of the cell itself is too high."""
    grid = Grid(np.ones((2, 4)), [[2.0, 1.0, 1.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
    best = distances(grid, np.array([[0, 0]]), CornerRule.NO_DIAGONAL)[0, 0, 3]
    path = find_path(grid, (0, 0), (0, 3), rule="no_diagonal", algorithm=algorithm)
    assert best == 4.0
    assert path.cost == pytest.approx(4.0, rel=1e-12)


def test_a_query_costs_no_clearing_of_the_whole_map() -> None:
    """brean/python-pathfinding #45 and #64: most of the time went into clearing 1024 x 1024."""
    grid = Grid(np.ones((1024, 1024)))
    jump_point_search(grid, (0, 0), (1023, 1000))
    (work,) = grid.spare["jps"]
    before = work[COST].copy()
    path = jump_point_search(grid, (500, 500), (503, 507))
    assert grid.spare["jps"] == [work]
    assert np.count_nonzero(work[COST] != before) <= 2
    assert path.expanded <= 2


@pytest.mark.parametrize("seed", range(6))
def test_an_agent_that_replans_at_every_discovery_never_walks_back_and_forth(seed: int) -> None:
    """azampagl/robotics-d-star-lite #2, mdeyo/d-star-lite #2, Dstar-lite-pathplanner #13."""
    rng = np.random.default_rng(seed)
    truth = random_grid(rng, 0.3, 24, 24)
    truth.set([(0, 0), (23, 23)], free=True)
    known = Grid(np.ones((24, 24)))
    search = DStarLite(known, (0, 0), (23, 23))
    here, seen = (0, 0), set()
    while here != (23, 23):
        row, column = here
        around = [(r, c) for r in range(row - 2, row + 3) for c in range(column - 2, column + 3)]
        walls = [cell for cell in around if known.is_free(cell) and not truth.is_free(cell)]
        known.set(np.array(walls, np.int64).reshape(-1, 2), free=False)
        path = search.replan(start=here)
        fresh = jump_point_search(known, here, (23, 23))
        assert path.length == pytest.approx(fresh.length, rel=1e-12)
        if not path.found:
            assert not jump_point_search(truth, (0, 0), (23, 23)).found
            return
        # With what is known an agent is never at one place twice, for it would plan the same.
        state = (here, known.version)
        assert state not in seen
        seen.add(state)
        here = tuple(path.cells[1].tolist())


def test_walls_one_cell_thick_leave_their_gap() -> None:
    """ArekSredzki/dstar-lite #2: walls of thickness 1 ended in no path."""
    grid = Grid(np.ones((15, 15)))
    search = DStarLite(grid, (7, 0), (7, 14))
    for column in (3, 6, 9, 12):
        grid.fill((0, column), (15, 1), free=False)
        grid.set([(14 if column % 2 else 0, column)], free=True)
        path = search.replan()
        assert path.length == pytest.approx(jump_point_search(grid, (7, 0), (7, 14)).length)
        check_steps(grid, path)


def test_replanning_works_after_the_start_has_moved() -> None:
    """daniel-beard/DStarLiteJava #1."""
    grid = Grid(np.ones((9, 30)))
    search = DStarLite(grid, (4, 0), (4, 29))
    for column in range(1, 28, 3):
        grid.fill((1, column + 1), (7, 1), free=False)
        start = (4, column) if grid.is_free((4, column)) else (0, column)
        path = search.replan(start=start)
        assert path.length == pytest.approx(jump_point_search(grid, start, (4, 29)).length)


def test_obstacles_added_after_planning_do_not_hang_the_search() -> None:
    """AtsushiSakai/PythonRobotics #886."""
    grid = Grid(np.ones((20, 20)))
    search = DStarLite(grid, (0, 0), (19, 19))
    assert search.replan().found
    grid.fill((10, 0), (1, 20), free=False)
    assert search.replan().status == Status.UNREACHABLE
    grid.set([(10, 3)], free=True)
    assert search.replan().length == pytest.approx(jump_point_search(grid, (0, 0), (19, 19)).length)


@pytest.mark.parametrize("kind", ["planner", "dstar_lite"])
def test_planners_see_obstacles_that_come_later(kind: str) -> None:
    """ElettraSciComp/DStar-Trajectory-Planner #1: the map had been copied once."""
    grid = Grid(np.ones((9, 9)))
    if kind == "planner":
        planner = Planner(grid, (4, 0), (4, 8))
        planner.update((4, 0))
        grid.fill((0, 4), (8, 1), free=False)
        path: Path = planner.update((4, 0)).path
    else:
        search = DStarLite(grid, (4, 0), (4, 8))
        search.replan()
        grid.fill((0, 4), (8, 1), free=False)
        path = search.replan()
    check_steps(grid, path)
    assert path.length == pytest.approx(jump_point_search(grid, (4, 0), (4, 8)).length)


def test_the_path_does_not_flip_between_two_ways_that_are_alike() -> None:
    """ros-navigation/navigation2 #2381, #2085, #1570 and #2841."""
    grid = Grid(np.ones((21, 41)))
    grid.fill((3, 20), (15, 1), free=False)
    planner = Planner(grid, (10, 0), (10, 40))
    sides = set()
    here = (10, 0)
    for tick in range(19):
        grid.fill((0, 20), (2, 1), free=bool(tick % 2))
        grid.fill((19, 20), (2, 1), free=not tick % 2)
        path = planner.update(here).path
        assert path.found
        crossing = path.cells[path.cells[:, 1] == 20]
        sides.add(bool(crossing[0, 0] > 10))
        here = tuple(path.cells[1].tolist())
    assert len(sides) == 1


def test_lines_of_sight_cross_no_blocked_cell() -> None:
    """ros-navigation/navigation2 #5863: sight was probed at intervals, and missed cells."""
    grid = Grid(np.ones((40, 41)))
    grid.set([(20, 20)], free=False)
    for row in range(40):  # all these lines pass half a cell beside the blocked centre
        assert not visible(grid, (row, 0), (39 - row, 40))
    assert visible(grid, (19, 0), (19, 40))
    assert visible(grid, (0, 0), (39, 1))


def test_a_blocked_goal_gives_a_partial_path_that_is_the_cheapest_of_the_nearest() -> None:
    """godotengine/godot #93409, #97679 and #93686."""
    grid = Grid(np.ones((9, 9)))
    grid.fill((3, 3), (3, 3), free=False)
    path = find_path(grid, (4, 0), (4, 4), partial=True)
    assert path.status == Status.PARTIAL
    assert path.cells[-1].tolist() == [4, 2]
    assert path.length == 2.0


def test_every_kind_of_failure_has_a_name() -> None:
    """godotengine/godot #119095: an empty answer said nothing."""
    grid = Grid([[1, 0, 1], [1, 0, 1]])
    said = {
        find_path(grid, (0, 0), (0, 2)).status,
        find_path(grid, (0, 0), (0, 1)).status,
        find_path(grid, (0, 1), (0, 2)).status,
        find_path(grid, (0, 0), (5, 5)).status,
        find_path(grid, (0, 0), (0, 0)).status,
    }
    assert len(said) == 5


@pytest.mark.parametrize("algorithm", list(SEARCHES))
def test_an_unreachable_goal_does_not_flood_the_map(algorithm: str) -> None:
    """jrialland/python-astar #1, flareteam/flare-engine #247."""
    grid = Grid(np.ones((200, 200)))
    grid.fill((100, 0), (1, 200), free=False)
    path = find_path(grid, (0, 0), (199, 199), algorithm=algorithm)
    assert path.status == Status.UNREACHABLE
    assert path.expanded == 0


@pytest.mark.parametrize("algorithm", ["jps", "lazy_theta", "anya"])
@pytest.mark.parametrize("rule", ["no_diagonal", "one_free", "always"])
def test_a_search_refuses_a_rule_that_it_does_not_know(algorithm: str, rule: str) -> None:
    """godotengine/godot PR #70485: jump points went wrong without diagonals."""
    grid = Grid(np.ones((5, 5)))
    with pytest.raises(InputError, match="use astar"):
        find_path(grid, (0, 0), (4, 4), rule=rule, algorithm=algorithm)
    assert find_path(grid, (0, 0), (4, 4), rule=rule).found


def test_a_flow_field_leads_straight_home() -> None:
    """Griiimon/Manymies #3: if diagonals cost no more, agents walk at 45 degrees."""
    field = distance_field(Grid(np.ones((30, 30))), [(15, 15)])
    path = field.descend((15, 0))
    assert path.length == 15.0
    assert (path.cells[:, 0] == 15).all()
    assert field.distance[0, 15] == 15.0
    assert field.distance[0, 0] == 15.0 * 2.0**0.5


def test_any_angle_radius_and_partial_paths_are_options_of_one_call() -> None:
    """evenfurther/pathfinding #829, qiao/PathFinding.js #138, roy-t/AStar #25 and #27."""
    grid = Grid(np.ones((20, 40)))
    grid.fill((0, 20), (12, 1), free=False)
    plain = find_path(grid, (2, 2), (2, 37))
    angled = find_path(grid, (2, 2), (2, 37), algorithm="anya")
    wide = find_path(grid, (2, 2), (2, 37), radius=2.0)
    assert angled.length < plain.length < wide.length
    assert angled.length <= straighten(grid, plain).length <= plain.length
    grid.set([(2, 37)], free=False)
    assert find_path(grid, (2, 2), (2, 37), radius=2.0, partial=True).status == Status.PARTIAL
