"""The files around the code say what is so: README, the lock, the check that decides."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
CHECK = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
NAME = re.compile(r"^[A-Za-z0-9_.-]+")


def normal(requirement: str) -> str:
    found = NAME.match(requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_the_lock_names_no_place_and_pins_by_hash() -> None:
    assert not re.search(r"://|^\s*-(?:i|e|f)\b|--(?:extra-)?index|file:|/home/|/tmp/", LOCK, re.M)
    pins = re.split(r"\n(?=\w)", re.sub(r"^\s*#.*\n", "", LOCK, flags=re.MULTILINE).strip())
    assert len(pins) > 10
    for pin in pins:
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==[\w.!+]+", pin), pin
        assert "--hash=sha256:" in pin, pin


@pytest.mark.parametrize(
    "requirement", [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["test"]]
)
def test_the_lock_holds_every_dependency(requirement: str) -> None:
    assert normal(requirement) in {normal(line) for line in LOCK.splitlines() if "==" in line}


@pytest.mark.parametrize("requirement", PROJECT["project"]["dependencies"])
def test_every_dependency_is_explained(requirement: str) -> None:
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Dependencies")[2]
    assert normal(requirement) in table


def test_the_readme_names_the_commands_that_the_check_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "python3 -m pip install uv && uv run headway race" in readme
    assert "uv run pytest" in readme
    assert CHECK.rstrip().endswith("uv run pytest")


def test_the_check_can_be_run_anywhere() -> None:
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert "set -euo pipefail" in CHECK
    assert not re.search(r"://|/home/|/work|/tmp", CHECK)
