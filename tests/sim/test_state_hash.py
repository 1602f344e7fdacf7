"""The state hash: the same for the same state, another for every other."""

from __future__ import annotations

import hashlib
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from headway.errors import InputError
from headway.sim.state_hash import first_difference, state_hash

FLOATS = st.floats(width=64)
TABLES = arrays.arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 4)), elements=FLOATS)


def hash_by_definition(*tables) -> str:
    """BLAKE2b of type, shape and little-endian values, packed one by one."""
    digest = hashlib.blake2b(digest_size=8)
    for table in tables:
        digest.update(b"<f8" + repr(table.shape).encode())
        for value in table.ravel().tolist():
            digest.update(struct.pack("<d", value if value != 0.0 else 0.0))
    return digest.hexdigest()


@given(tables=st.lists(TABLES, max_size=3))
def test_equals_its_definition(tables):
    assert state_hash(*tables) == hash_by_definition(*tables)


def test_never_changes():
    state = np.arange(140.0).reshape(20, 7) / 7
    assert state_hash(state, np.arange(20), np.arange(20) > 9) == "ad83207566df2100"


def test_is_the_same_in_another_process():
    code = (
        "import numpy as np; from headway.sim.state_hash import state_hash;"
        "print(state_hash(np.sqrt(np.arange(12.0)).reshape(4, 3)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == state_hash(np.sqrt(np.arange(12.0)).reshape(4, 3))


def test_memory_layout_does_not_matter():
    state = np.arange(12.0).reshape(3, 4)
    expected = state_hash(state)
    assert state_hash(np.asfortranarray(state)) == expected
    assert state_hash(np.arange(24.0).reshape(3, 8)[:, ::2] / 2) == expected
    assert state_hash(state.astype(">f8")) == expected
    assert state_hash(state.tolist()) == expected
    assert state_hash(np.arange(3, dtype=">i8")) == state_hash(np.arange(3, dtype="<i8"))


def test_sign_of_zero_does_not_matter():
    assert state_hash([-0.0, 1.0]) == state_hash([0.0, 1.0])
    assert state_hash(np.float32([-0.0])) == state_hash(np.float32([0.0]))


def test_shape_type_order_and_grouping_matter():
    values = np.arange(6.0)
    states = [
        (values,),
        (values.reshape(2, 3),),
        (values.reshape(3, 2),),
        (values.reshape(1, 6),),
        (values[::-1],),
        (values[:3], values[3:]),
        (values[3:], values[:3]),
        (values[:2], values[2:]),
        (values, np.zeros(0)),
        (np.zeros(0), values),
        (np.zeros((0, 6)), values),
        (values.view(np.int64),),
        (values.view(np.uint64),),
        (values.view(np.float32),),
        (values > 2,),
        (),
        (np.zeros(0),),
        (0.0,),
        (0,),
        (False,),
    ]
    assert len({state_hash(*state) for state in states}) == len(states)


@given(table=TABLES, data=st.data())
def test_every_bit_matters(table, data):
    row = data.draw(st.integers(0, table.shape[0] - 1))
    column = data.draw(st.integers(0, table.shape[1] - 1))
    other = table.copy()
    other.view(np.uint64)[row, column] ^= np.uint64(1 << data.draw(st.integers(0, 62)))
    assert state_hash(other) != state_hash(table)
    assert first_difference(other, table) == (row, column)


@given(table=TABLES, changes=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3))))
def test_first_difference_is_the_first(table, changes):
    other = table.copy()
    for row, column in changes:
        other[row % table.shape[0], column % table.shape[1]] = 0.5
    expected = next(
        (
            (row, column)
            for row in range(table.shape[0])
            for column in range(table.shape[1])
            if struct.pack("<d", table[row, column] + 0.0)
            != struct.pack("<d", other[row, column] + 0.0)
        ),
        None,
    )
    assert first_difference(table, other) == expected
    assert (expected is None) == (state_hash(table) == state_hash(other))


def test_first_difference_of_other_shapes_and_types():
    assert first_difference(np.arange(5), [0, 1, 2, 4, 3]) == (3,)
    assert first_difference([True, False], [True, True]) == (1,)
    assert first_difference(2.0, 2.5) == ()
    assert first_difference(np.zeros((0, 7)), np.zeros((0, 7))) is None
    assert first_difference([[np.nan]], [[np.nan]]) is None
    with pytest.raises(InputError, match="of one type and shape"):
        first_difference(np.zeros((2, 3)), np.zeros((3, 2)))
    with pytest.raises(InputError, match="of one type and shape"):
        first_difference(np.zeros(3), np.zeros(3, dtype=np.int64))


@pytest.mark.parametrize("state", ["abc", None, 1j, [object()], np.zeros(2, "M8[s]")])
def test_other_types_are_refused(state):
    with pytest.raises(InputError, match="bool, int or float"):
        state_hash(state)
    with pytest.raises(InputError, match="bool, int or float"):
        first_difference(state, state)
