"""``headway warm`` compiles each kernel once, in processes, tried on a small copied package."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from headway import _kernel_cache
from headway.cli import main
from headway.cli.warm import LAYERS

LOW = """
from headway._jit import kernel

@kernel(example=lambda: (1.0,))
def low(x):
    return x * 3.0
"""
HIGH = """
from headway._jit import kernel
from headway.geometry.low import low

@kernel
def inner(x):
    return low(x) - 1.0

@kernel(example=lambda: (1.0,))
def high(x):
    return inner(x) + low(x)
"""
NAMES = {"headway.geometry.low.low", "headway.sim.high.high"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "source" / "headway"
    for name in (
        *("__init__.py", "__main__.py", "_compiling.py", "_jit.py", "_kernel_cache.py"),
        "errors.py",
    ):
        root.mkdir(parents=True, exist_ok=True)
        shutil.copy(_kernel_cache.PACKAGE / name, root / name)
    for layer in (*LAYERS, "cli"):
        (root / layer).mkdir()
        (root / layer / "__init__.py").write_text("")
    for name in ("__init__.py", "compilation.py", "warm.py"):
        shutil.copy(_kernel_cache.PACKAGE / "cli" / name, root / "cli" / name)
    (root / "geometry" / "low.py").write_text(LOW)
    (root / "sim" / "high.py").write_text(HIGH)
    return root.parent


def start(package: Path, *arguments: str, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "headway", "warm", *arguments],
        env={
            **os.environ,
            "PYTHONPATH": str(package),
            "HEADWAY_CACHE_DIR": str(package.parent / "cache"),
            **settings,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def warm(package: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    process = start(package, *arguments, **settings)
    output, errors = process.communicate(timeout=120)
    return process.returncode, output, errors


def test_all_kernels_are_compiled_once(package: Path) -> None:
    code, output, errors = warm(package, "--json", "--jobs", "1")
    first = json.loads(output)
    assert code == 0
    assert {*first["compiled"]} == NAMES
    assert first["cached"] == 0
    assert min(first["compiled"].values()) > 0.0
    lines = {line.rpartition(" ")[0].rpartition(" ")[0] for line in errors.splitlines()}
    assert lines == {"compiled geometry.low.low", "compiled sim.high.high"}

    code, output, errors = warm(package)
    assert (code, errors) == (0, "")
    headings, row = (line for line in output.splitlines() if line.strip(" ─━"))
    assert headings.split() == ["kernels", "compiled", "already", "cached", "seconds"]
    assert row.split()[:2] == ["0", "2"]


def test_two_processes_share_what_they_compile(package: Path) -> None:
    """One may compile a kernel on the way to another, and the other then find it kept."""
    code, output, _ = warm(package, "--json", "--jobs", "2")
    first = json.loads(output)
    assert code == 0
    assert {*first["compiled"]} <= NAMES
    assert len(first["compiled"]) + first["cached"] == len(NAMES)
    assert "headway.sim.high.high" in first["compiled"]
    second = json.loads(warm(package, "--json", "--jobs", "2")[1])
    assert second["compiled"] == {}
    assert second["cached"] == len(NAMES)


def test_an_interrupt_leaves_no_traceback(package: Path) -> None:
    process = start(package, "--jobs", "1")
    assert process.stderr is not None
    process.stderr.readline()  # the first kernel is done: the pool is at work
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    assert process.returncode in {0, 130}  # 0 if it was quicker than the signal


def test_without_a_folder_to_keep_them_in_nothing_is_compiled(package: Path) -> None:
    file = package.parent / "file"
    file.write_text("")
    (package / "sitecustomize.py").write_text(
        "import tempfile\ndef closed(): raise FileNotFoundError\ntempfile.gettempdir = closed\n"
    )
    code, output, errors = warm(package, HEADWAY_CACHE_DIR=str(file / "cache"))
    assert (code, output) == (1, "")
    assert "set HEADWAY_CACHE_DIR to a folder that can be written." in errors.splitlines()[-1]


def test_a_number_of_jobs_that_cannot_be_used_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["warm", "--jobs", "0"]) == 2
    assert "--jobs is 0: it must be 1 or more." in capsys.readouterr().err
