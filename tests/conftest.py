"""What every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

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
