"""``headway warm`` calls every kernel with its example: none may read what nobody wrote."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest

import headway
from headway.cli.warm import LAYERS

MODULES = sorted(
    module.name
    for layer in LAYERS
    for module in walk_packages([f"{headway.__path__[0]}/{layer}"], f"headway.{layer}.")
)


def filled(shape: Any, dtype: Any = np.float64, **_: Any) -> np.ndarray:
    """Like `numpy.empty`, with numbers that are sure to do harm as indices."""
    kind = np.dtype(dtype)
    harm = min(np.iinfo(kind).max // 2, 2**40) if kind.kind in "iu" else np.nan
    return np.full(shape, harm, kind)


@pytest.mark.parametrize("name", MODULES)
def test_every_kernel_runs_with_its_example(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import_module(name)
    from headway import _jit

    for kernel in [each for each in _jit.KERNELS if each.example]:
        if kernel.name.startswith(f"{name}."):
            kernel.example()  # so that what it imports is there
            with monkeypatch.context() as patch:
                patch.setattr(np, "empty", filled)
                arguments = kernel.example()
            kernel.dispatcher(*arguments)
