"""The first and the last 1 of a word are found as Python finds them, compiled or not."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headway.geometry.bits import leading_zeros, trailing_zeros


@given(st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 63).map(lambda place: 1 << place)))
def test_zeros_are_counted(word: int) -> None:
    text = f"{word:064b}"
    assert leading_zeros(np.uint64(word)) == len(text) - len(text.lstrip("0"))
    assert trailing_zeros(np.uint64(word)) == len(text) - len(text.rstrip("0"))


def test_zeros_are_counted_without_a_compiler() -> None:
    program = (
        "import numpy as np; from headway.geometry.bits import leading_zeros, trailing_zeros\n"
        "for word in (0, 1, 40, 2**63): print(leading_zeros(np.uint64(word)),"
        " trailing_zeros(np.uint64(word)))"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    answer = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert answer.stdout.split() == ["64", "64", "63", "0", "58", "3", "0", "63"]
