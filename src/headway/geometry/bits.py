"""Where the first and the last 1 of a 64-bit word are, with one instruction of the processor.

Numba has no name for these instructions, so they are asked for by the names LLVM gives them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import config, types
from numba.extending import intrinsic

from headway._jit import kernel

settings: Any = config


def _instruction(name: str) -> Any:
    """A function of kernels that is one LLVM instruction, defined for the word 0 too."""

    @intrinsic
    def count(_context: Any, word: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return getattr(builder, name)(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate

    return count


if settings.DISABLE_JIT:

    def _count_trailing(word: Any) -> int:
        word = int(word)
        return (word & -word).bit_length() - 1 if word else 64

    def _count_leading(word: Any) -> int:
        return 64 - int(word).bit_length()

else:
    _count_trailing = _instruction("cttz")
    _count_leading = _instruction("ctlz")


@kernel(example=lambda: (np.uint64(8),))
def trailing_zeros(word: np.uint64) -> int:
    """Count the zeros below the lowest 1: its place, counted from the lowest bit.

    Parameters
    ----------
    word : uint64

    Returns
    -------
    int
        0 to 63; 64 for the word 0.

    Examples
    --------
    >>> trailing_zeros(np.uint64(8))
    3
    """
    return _count_trailing(word)


@kernel(example=lambda: (np.uint64(8),))
def leading_zeros(word: np.uint64) -> int:
    """Count the zeros above the highest 1, whose place is 63 less this.

    Parameters
    ----------
    word : uint64

    Returns
    -------
    int
        0 to 63; 64 for the word 0.

    Examples
    --------
    >>> leading_zeros(np.uint64(8))
    60
    """
    return _count_leading(word)
