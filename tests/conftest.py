"""What every test may ask for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("headway", deadline=None, derandomize=True)
settings.load_profile("headway")


def find_data_folder() -> Path | None:
    """The folder of real inputs, by HEADWAY_DATA or beside the checkout; None if absent."""
    chosen = os.environ.get("HEADWAY_DATA")
    folder = Path(chosen) if chosen else Path(__file__).parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of real inputs; skips where there is none."""
    folder = find_data_folder()
    if folder is None:
        pytest.skip("no real inputs: set HEADWAY_DATA to a folder of them")
    return folder


def compiled_more_than_once(kernels: Iterable[Any]) -> dict[str, list[str]]:
    """Kernels of Headway with more than one signature, each with its signatures."""
    found = {
        kernel.name: [str(signature) for signature in getattr(kernel.dispatcher, "signatures", ())]
        for kernel in kernels
    }
    return {name: signatures for name, signatures in found.items() if len(signatures) > 1}


@pytest.fixture(scope="session", autouse=True)
def _one_signature_each() -> Iterator[None]:
    """Fails the run where any test made a kernel compile for a second signature.

    Each test process looks at its own kernels when its last test is done.
    """
    yield
    jit = sys.modules.get("headway._jit")
    surplus = compiled_more_than_once(jit.KERNELS) if jit else {}
    assert not surplus, f"kernels with more than one signature: {surplus}"
