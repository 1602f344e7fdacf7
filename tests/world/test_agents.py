"""Agents: what is given once holds for all, and what cannot be is refused."""

import numpy as np
import pytest

from headway.errors import InputError
from headway.world.agents import Agents


def test_what_is_given_once_holds_for_all():
    agents = Agents.at([(0.0, 0.0), (1.0, 1.0)], (0.0, 2.0), mass=2.0, team=(3, 4), seed=5)
    assert len(agents) == 2
    assert agents.d == 2
    assert agents.velocity.tolist() == [[0.0, 2.0], [0.0, 2.0]]
    assert agents.forward.tolist() == [[0.0, 1.0], [0.0, 1.0]]
    assert agents.mass.tolist() == [2.0, 2.0]
    assert agents.id.tolist() == [0, 1]
    assert agents.take(np.array((1,))).team.tolist() == [4]
    assert agents.take(np.array((False, True))).id.tolist() == [1]
    assert agents.where(tick=50).time == pytest.approx(1.0)


def test_agents_at_rest_look_along_x():
    assert Agents.at([(0.0, 0.0, 0.0)]).forward.tolist() == [[1.0, 0.0, 0.0]]
    assert Agents.at([(0.0, 0.0)], forward=(0.0, -3.0)).forward.tolist() == [[0.0, -1.0]]


def test_arguments_are_copied():
    position = np.zeros((2, 2))
    agents = Agents.at(position)
    position[0, 0] = 9.0
    assert agents.position[0, 0] == 0.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"position": [(0.0, np.nan)]}, "position of agent 0"),
        ({"position": [0.0, 1.0]}, "position has shape"),
        ({"position": [(0.0, 0.0)], "velocity": (1.0, 2.0, 3.0)}, "velocity cannot be read"),
        ({"position": [(0.0, 0.0)], "mass": 0.0}, "mass of agent 0 is 0.0"),
        ({"position": [(0.0, 0.0)], "radius": -1.0}, "radius of agent 0"),
        ({"position": [(0.0, 0.0)], "max_speed": np.inf}, "max_speed of agent 0"),
        ({"position": [(0.0, 0.0)], "dt": 0.0}, "dt is 0.0"),
        ({"position": "here"}, "position cannot be read"),
    ],
)
def test_misuse_is_named(arguments, message):
    with pytest.raises(InputError, match=message):
        Agents.at(**arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"position": None}, "position cannot be read"),
        ({"position": [(0.0, 0.0)], "team": np.nan}, "team has numbers that are not whole"),
        ({"position": [(0.0, 0.0)], "id": 0.5}, "id has numbers that are not whole"),
        ({"position": [(0.0, 0.0)], "alive": np.nan}, "alive has numbers"),
        ({"position": [(0.0, 0.0)], "seed": 2**70}, "seed is 1180591620717411303424"),
    ],
)
def test_whole_numbers_are_not_guessed(arguments, message):
    with pytest.raises(InputError, match=message):
        Agents.at(**arguments)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"positon": 1}, "agents have no 'positon': give position"),
        ({"position": np.zeros((3, 2))}, r"position has shape \(3, 2\): give \(2, 2\)"),
        ({"alive": np.array(True)}, r"alive has shape \(\)"),
        ({"alive": (np.nan, 1.0)}, "alive has numbers"),
        ({"velocity": None}, "velocity cannot be read"),
        ({"dt": np.nan}, "dt is nan"),
    ],
)
def test_changes_must_fit(changes, message):
    with pytest.raises(InputError, match=message):
        Agents.at(np.zeros((2, 2))).where(**changes)


def test_changes_may_be_lists():
    agents = Agents.at(np.zeros((2, 2))).where(alive=[1, 0], position=[(1, 2), (3, 4)])
    assert agents.alive.dtype == bool
    assert agents.position.dtype == np.float64


@pytest.mark.parametrize("rows", ["abc", 5, 1, [5], [True], None, [0.5]])
def test_rows_that_are_none_are_refused(rows):
    with pytest.raises(InputError, match="rows"):
        Agents.at(np.zeros((2, 2))).take(rows)


def test_no_rows_and_slices_may_be_taken():
    agents = Agents.at(np.zeros((2, 2)))
    assert len(agents.take([])) == 0
    assert agents.take(slice(1, None)).id.tolist() == [1]
