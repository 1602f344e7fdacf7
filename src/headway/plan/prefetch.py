"""Asking for memory ahead of its use, so that searches of large maps need not wait for it.

The arrays of a map of some million cells don't fit into the caches of a processor, and a search
that jumps from cell to cell would wait most of the time. It knows which cell comes next, though.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import config, types
from numba.extending import intrinsic
from numpy.typing import NDArray

settings: Any = config
BYTES, NUMBER = ir.IntType(8).as_pointer(), ir.IntType(32)
READ, KEEP, DATA = (ir.Constant(NUMBER, value) for value in (0, 3, 1))
"""What LLVM wants to be told: to read from there, more than once, and what is no code."""


def _instructions() -> Any:
    """A function of kernels, for arrays of any type, each element asked for by one instruction."""

    @intrinsic
    def prefetch(_context: Any, array: Any, stride: Any, cell: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, stride, cell = arguments
            data = context.make_array(signature.args[0])(context, builder, array).data
            kind = ir.FunctionType(ir.VoidType(), [BYTES, NUMBER, NUMBER, NUMBER])
            ask = builder.module.declare_intrinsic("llvm.prefetch", [BYTES], kind)
            for place in (builder.sub(cell, stride), cell, builder.add(cell, stride)):
                address = builder.bitcast(builder.gep(data, [place]), BYTES)
                builder.call(ask, [address, READ, KEEP, DATA])
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), generate

    return prefetch


def prefetch_around(_array: NDArray, _stride: int, _cell: int) -> None:
    """Ask for what an array holds of a cell and the eight around it.

    The array is that of a padded grid with rows of ``stride`` cells. There need be no such cell.
    Without machine code there is nothing to do.
    """


if not settings.DISABLE_JIT:
    prefetch_around = _instructions()
