"""What is shown of compilation: one line per kernel asked for, nothing if none is compiled."""

from __future__ import annotations

import sys

import pytest

from headway._compiling import LISTENERS
from headway.cli.compilation import compilation_shown


def compile_one_that_calls_another() -> None:
    started, ended = LISTENERS[-1]
    started("headway.move.outer")
    started("headway.geometry.inner")
    ended("headway.geometry.inner", 0.5)
    ended("headway.move.outer", 1.26)


def test_a_kernel_called_on_the_way_counts_towards_its_caller(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "__stderr__", sys.stderr)
    with compilation_shown():
        compile_one_that_calls_another()
        compile_one_that_calls_another()
    assert capsys.readouterr().err.splitlines() == [
        "Compiling to machine code; this happens once.",
        "compiling move.outer … 1.3 s",
        "compiling move.outer … 1.3 s",
    ]


def test_beside_a_progress_bar_each_kernel_is_one_piece(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with compilation_shown():  # capsys, like a progress bar, has taken the place of stderr
        compile_one_that_calls_another()
    assert capsys.readouterr().err.endswith("compiling move.outer … ")


def test_nothing_is_shown_when_nothing_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    before = list(LISTENERS)
    with compilation_shown():
        pass
    assert before == LISTENERS
    assert capsys.readouterr() == ("", "")
