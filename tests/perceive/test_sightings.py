from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headway.errors import InputError
from headway.perceive.sightings import Sightings, look

DT = 0.5
SPAN = 2.0


class Watcher:
    """Memory as a dictionary, for comparison."""

    def __init__(self):
        self.records = {}

    def look(self, pairs, position, velocity, tick):
        appeared, vanished, forgotten = [], [], []
        for pair in pairs:
            record = self.records.get(pair)
            if record is None or not record["visible"]:
                appeared.append(pair)
                since = tick
            else:
                since = record["since"]
            self.records[pair] = {
                "position": position[pair[1]].tolist(), "velocity": velocity[pair[1]].tolist(),
                "since": since, "last": tick, "visible": True,
            }  # fmt: skip
        for pair in sorted(self.records):
            record = self.records[pair]
            if pair not in pairs:
                vanished += [pair] if record["visible"] else []
                record["visible"] = False
                if (tick - record["last"]) * DT > SPAN:
                    forgotten.append(pair)
                    del self.records[pair]
        return sorted(appeared), vanished, forgotten


@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.integers(1, 4), st.integers(1, 5))
def test_memory_is_as_it_would_be_in_a_dictionary(seed, d, observers, targets) -> None:
    chance = np.random.default_rng(seed)
    memory, watcher, tick = Sightings.none(d), Watcher(), 0
    for _ in range(15):
        tick += int(chance.integers(1, 3))
        position, velocity = chance.normal(size=(2, targets, d))
        seen = chance.random((observers, targets)) < 0.3
        who, whom = np.nonzero(seen)
        mixed = chance.permutation(len(who))
        memory, news = look(
            memory, who[mixed], whom[mixed], position, velocity, tick=tick, dt=DT, span=SPAN
        )
        pairs = set(zip(who.tolist(), whom.tolist(), strict=True))
        want = watcher.look(pairs, position, velocity, tick)
        for found, told in zip((news.appeared, news.vanished, news.forgotten), want, strict=True):
            assert [tuple(pair) for pair in found.tolist()] == told
        rows = sorted(watcher.records)
        assert list(zip(memory.observer.tolist(), memory.target.tolist(), strict=True)) == rows
        for name in ("position", "velocity", "since", "last", "visible"):
            kept = getattr(memory, name).tolist()
            assert kept == [watcher.records[pair][name] for pair in rows]


def test_what_was_seen_is_expected_further_on() -> None:
    hares = np.array([(0.0, 0.0), (5.0, 5.0)])
    speeds = np.array([(1.0, 0.0), (0.0, -2.0)])
    memory, _ = look(Sightings.none(2), [0, 0], [1, 0], hares, speeds, tick=3, dt=0.1)
    memory, news = look(memory, [0], [0], hares + 1.0, speeds, tick=8, dt=0.1)
    assert memory.visible.tolist() == [True, False]
    assert memory.expected(18, 0.1).tolist() == [[2.0, 1.0], [5.0, 2.0]]
    assert news.vanished.tolist() == [[0, 1]]
    assert memory.since.tolist() == [3, 3]
    assert memory.last.tolist() == [8, 3]


def test_rows_of_one_observer() -> None:
    one = np.zeros((3, 2))
    memory, _ = look(Sightings.none(2), [2, 0, 2], [0, 1, 2], one, one, tick=0, dt=DT)
    assert memory.target[memory.of(2)].tolist() == [0, 2]
    assert memory.target[memory.of(1)].tolist() == []
    assert len(memory) == 3


def test_a_look_changes_nothing_that_it_is_given() -> None:
    one = np.zeros((1, 2))
    memory, _ = look(Sightings.none(2), [0], [0], one, one, tick=0, dt=DT)
    look(memory, [], [], one + 1, one, tick=1, dt=DT)
    assert memory.visible.tolist() == [True]
    assert memory.position.tolist() == [[0.0, 0.0]]


def test_memory_reaches_its_span_and_no_further() -> None:
    one = np.zeros((1, 2))
    memory, _ = look(Sightings.none(2), [0], [0], one, one, tick=0, dt=0.1)
    memory, news = look(memory, [], [], one, one, tick=3, dt=0.1, span=0.3)
    assert len(memory) == 1
    memory, news = look(memory, [], [], one, one, tick=4, dt=0.1, span=0.3)
    assert news.forgotten.tolist() == [[0, 0]]
    assert len(memory) == 0


def test_nobody_sees_nothing() -> None:
    nothing = np.empty((0, 3))
    memory, news = look(Sightings.none(3), [], [], nothing, nothing, tick=0, dt=DT)
    assert len(memory) == 0
    assert news.appeared.shape == news.vanished.shape == news.forgotten.shape == (0, 2)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"observer": [0, 0]}, r"observer has shape \(2,\)"),
        ({"observer": [0, 0], "target": [0, 0]}, "given twice"),
        ({"observer": [0.0]}, "float64"),
        ({"observer": [-1]}, "observer 0 is -1: give 0 or more"),
        ({"target": [1]}, "target 0 is 1, but position has 1 row"),
        ({"position": [(float("nan"), 0.0)]}, "position of target 0"),
        ({"velocity": [(0.0, float("inf"))]}, "velocity of target 0"),
        ({"position": [(0.0, 0.0, 0.0)]}, r"position has shape \(1, 3\)"),
        ({"position": "a"}, "cannot be read"),
        ({"dt": 0.0}, "dt is 0.0"),
        ({"span": float("nan")}, "span is nan"),
        ({"tick": 4}, "tick is 4: give one after 4"),
    ],
)
def test_what_cannot_be_remembered_is_refused(change, said) -> None:
    one = np.zeros((1, 2))
    memory, _ = look(Sightings.none(2), [0], [0], one, one, tick=4, dt=DT)
    good = {"observer": [0], "target": [0], "position": one, "velocity": one, "tick": 5, "dt": DT}
    with pytest.raises(InputError, match=said):
        look(memory, **(good | change))


@pytest.mark.parametrize(
    ("change", "said"),
    [({"memory": None}, "memory is None"), ({"tick": "x"}, "tick is 'x'"), ({"dt": None}, "dt is")],
)
def test_what_is_of_another_kind_is_refused(change, said) -> None:
    one = np.zeros((1, 2))
    good = {"observer": [0], "target": [0], "position": one, "velocity": one, "tick": 5, "dt": DT}
    with pytest.raises(InputError, match=said):
        look(**({"memory": Sightings.none(2)} | good | change))


def test_nothing_is_seen_in_two_or_three_dimensions() -> None:
    with pytest.raises(InputError, match="d is 4"):
        Sightings.none(4)
