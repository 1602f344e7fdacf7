"""ARCHITECTURE.md does not rot: all paths and names in it exist, and no layer is left out."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import headway

ROOT = Path(__file__).parents[1]
PACKAGE = Path(headway.__file__).parent
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
QUOTED = sorted({quoted for line in TEXT.splitlines() for quoted in re.findall(r"`([^`]+)`", line)})
LAYERS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
PATHS = [
    quoted
    for quoted in QUOTED
    if re.fullmatch(r"[\w./-]+", quoted)
    and ("/" in quoted or re.search(r"\.(py|md|toml|lock|yml)$", quoted))
]
NAMES = [
    quoted
    for quoted in QUOTED
    if re.fullmatch(r"\w+(\.\w+)+", quoted)
    and quoted not in PATHS
    and quoted.split(".")[0] in {"headway", "_jit", "errors", *LAYERS}
]


@pytest.mark.parametrize("path", PATHS)
def test_every_path_exists(path: str) -> None:
    assert (ROOT / path).exists() or (PACKAGE / path).exists()


@pytest.mark.parametrize("name", NAMES)
def test_every_dotted_name_exists(name: str) -> None:
    found: object = headway
    place = "headway"
    for part in name.removeprefix("headway.").split("."):
        place = f"{place}.{part}"
        if not hasattr(found, part):
            importlib.import_module(place)
        found = getattr(found, part)


@pytest.mark.parametrize("layer", LAYERS)
def test_every_layer_is_described(layer: str) -> None:
    assert f"`{layer}/`" in TEXT


def test_there_is_something_to_check() -> None:
    assert len(PATHS) > 10
    assert len(NAMES) > 3
