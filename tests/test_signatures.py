"""Each kernel is compiled for one signature: no argument ever comes in a second form.

``conftest._one_signature_each`` checks it at the end of the whole run; here its check is checked,
and each kernel is called with the arguments that ``headway warm`` calls it with, so that those
count too.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages

import numpy as np
import pytest

from conftest import compiled_more_than_once
from headway import _jit, _kernel_cache
from headway.cli.warm import LAYERS


def kernel_modules() -> list[str]:
    """Every module that makes kernels."""
    sources = sorted(_kernel_cache.PACKAGE.rglob("*.py"))
    return [
        ".".join(("headway", *path.relative_to(_kernel_cache.PACKAGE).with_suffix("").parts))
        for path in sources
        if "from headway._jit import" in path.read_text() and path.parent != _kernel_cache.PACKAGE
    ]


@pytest.mark.parametrize("module", kernel_modules())
def test_every_example_fits_the_one_signature(module: str) -> None:
    import_module(module)
    kernels = [kernel for kernel in _jit.KERNELS if kernel.name.startswith(f"{module}.")]
    for kernel in kernels:
        if kernel.example:
            kernel.dispatcher(*kernel.example())
    assert compiled_more_than_once(kernels) == {}


@pytest.mark.parametrize("module", kernel_modules())
def test_every_module_with_kernels_is_found_by_warm(module: str) -> None:
    layer = module.split(".")[1]
    assert layer in {*LAYERS, "bench"}
    if layer in LAYERS:
        package = import_module(f"headway.{layer}")
        assert module in {
            found.name for found in walk_packages(package.__path__, f"{package.__name__}.")
        }


def test_a_second_signature_is_noticed() -> None:
    def double(values):
        return values * 2.0

    before = len(_jit.KERNELS)
    dispatcher = _jit.kernel(example=lambda: (np.ones(3),))(double)
    (planted,) = _jit.KERNELS[before:]
    del _jit.KERNELS[before:]
    dispatcher(np.ones(3))
    assert compiled_more_than_once([planted]) == {}
    dispatcher(np.ones((3, 3)))
    (signatures,) = compiled_more_than_once([planted]).values()
    assert len(signatures) == 2
