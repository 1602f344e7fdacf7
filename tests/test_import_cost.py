"""``import headway`` and ``headway --help`` answer at once, because they import next to nothing."""

from __future__ import annotations

import ast
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import headway

SOURCE = Path(headway.__file__).parents[1]
HEAVY = {"numpy", "numba", "scipy", "matplotlib", "PIL", "yaml", "cyclopts", "rich"}
# the goals are 0.10 s and 0.25 s; a loaded machine may take a little longer without a fault here
IMPORT_SECONDS = 0.20
HELP_SECONDS = 0.50


def cheapest(code: str) -> tuple[float, set[str]]:
    """Least CPU seconds of three processes that run the code, and what they had imported."""
    report = "\nimport json, time\nprint(json.dumps([time.process_time(), sorted(sys.modules)]))"
    seconds, modules = zip(*(json.loads(_last_line(code + report)) for _ in range(3)), strict=True)
    return min(seconds), set(modules[0])


def _last_line(code: str) -> str:
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.splitlines()[-1]


def test_importing_headway_costs_next_to_nothing() -> None:
    bare, _ = cheapest("import sys")
    seconds, modules = cheapest("import sys\nimport headway")
    assert seconds - bare <= IMPORT_SECONDS
    assert not modules & HEAVY


@pytest.mark.parametrize("arguments", [["--help"], [], ["--version"]])
def test_help_costs_next_to_nothing(arguments: list[str]) -> None:
    seconds, modules = cheapest(f"import sys\nfrom headway.cli import main\nmain({arguments!r})")
    assert seconds <= HELP_SECONDS
    assert not modules & HEAVY


@pytest.mark.parametrize("name", sorted(headway._HOME))
def test_every_public_name_is_found(name: str) -> None:
    assert getattr(headway, name) is getattr(importlib.import_module(headway._HOME[name]), name)
    assert name in dir(headway)


def test_type_checkers_are_told_the_same_names() -> None:
    tree = ast.parse(Path(headway.__file__).read_text())
    told = {
        alias.asname: statement.module
        for block in tree.body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    assert told == headway._HOME


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'headway' has no attribute 'circuitt'"):
        _ = headway.circuitt  # type: ignore[attr-defined]
