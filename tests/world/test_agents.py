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
