"""What the command line promises for every command, tried with a command made for the purpose."""

from __future__ import annotations

import importlib
import inspect
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import pytest

import headway
from headway.cli import COMMANDS, main

SOURCE = str(Path(headway.__file__).parents[1])
TRIAL = '''
"""A command that ends in every way a command may end."""

import sys
import time
import warnings

from headway.errors import FileError, HeadwayError, InputError


def trial(how: str = "well", /, *, cars: int = 8, loud: bool = False) -> None:
    """End in a chosen way.

    Parameters
    ----------
    how
        The way to end.
    cars
        A number of cars.
    loud
        Not used.
    """
    match how:
        case "well":
            print(f"cars={cars}")
        case "input":
            raise InputError("cars is 0: give 1 or more")
        case "file":
            raise FileError("track.csv", "is empty", line=3)
        case "failure":
            raise HeadwayError("the race did not end.")
        case "fault":
            raise KeyError("secret")
        case "warning":
            warnings.warn("the tyres are worn", stacklevel=2)
        case "wait":
            print("ready", flush=True)
            time.sleep(30)
        case "much":
            for number in range(10**6):
                print(number)
        case "letters":
            print("1 s ≤ 2 s …")
        case "kernel":
            from headway import _jit
            from kernels import outer
            print(outer(1.0))
        case "modules":
            print(sorted({"numba", "scipy", "matplotlib"} & {*sys.modules}))
'''
START = """
import sys
from headway.cli import COMMANDS, main
COMMANDS["trial"] = ("trial:trial", "A trial.")
sys.exit(main())
"""
KERNELS = """
from headway._jit import kernel

@kernel
def inner(x):
    return x + 1.0

@kernel
def outer(x):
    return 2.0 * inner(x)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "trial.py").write_text(TRIAL)
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


def start(
    folder: Path, *arguments: str, output: IO[str] | int = subprocess.PIPE, **settings: str
) -> subprocess.Popen[str]:
    paths = os.pathsep.join((str(folder), SOURCE))
    return subprocess.Popen(
        [sys.executable, "-c", START, *arguments],
        env={**os.environ, "PYTHONPATH": paths, "HEADWAY_CACHE_DIR": str(folder), **settings},
        stdout=output,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(folder: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    process = start(folder, *arguments, **settings)
    output, errors = process.communicate(timeout=60)
    return process.returncode, output, errors


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch, folder: Path, capsys: pytest.CaptureFixture[str]):
    """Runs the trial command in this process: exit code, output, errors."""
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setitem(COMMANDS, "trial", ("trial:trial", "A trial."))
    monkeypatch.delitem(sys.modules, "trial", raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["trial", *arguments])
        return code, *capsys.readouterr()

    return run


def test_a_command_gets_its_arguments(trial) -> None:
    assert trial("--cars", "3") == (0, "cars=3\n", "")
    assert trial("well", "--loud") == (0, "cars=8\n", "")


@pytest.mark.parametrize(
    ("arguments", "expected"),  # the words around are those of the library that parses
    [
        (["--cars", "x"], ["--cars", '"x"']),
        (["--carz", "3"], ["--carz", "Did you mean", "--cars"]),
        (["--cars"], ["--cars", "requires an argument"]),
        (["--no-loud"], ["--no-loud", "Did you mean", "--loud"]),
        (["well", "and", "more"], ["too many arguments: 'and more' has no meaning here."]),
        (["input"], ["cars is 0: give 1 or more."]),
    ],
)
def test_arguments_that_cannot_be_used_end_with_2_and_one_line(
    trial, arguments: list[str], expected: list[str]
) -> None:
    code, output, errors = trial(*arguments)
    assert (code, output) == (2, "")
    assert errors.startswith("headway: ")
    assert errors.endswith(" See 'headway trial --help'.\n")
    assert errors.count("\n") == 1
    for words in expected:
        assert words in errors


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("file", "track.csv, line 3: is empty."),
        ("failure", "the race did not end."),
        (
            "fault",
            "this is a fault in Headway (KeyError: 'secret'): "
            "please report it, with what the same command shows with --debug.",
        ),
    ],
)
def test_a_failure_ends_with_1_and_one_line(trial, how: str, sentence: str) -> None:
    assert trial(how) == (1, "", f"headway: {sentence}\n")


@pytest.mark.parametrize("arguments", [["--debug", "fault"], ["fault", "--debug"]])
def test_debug_anywhere_shows_the_traceback(trial, arguments: list[str]) -> None:
    code, _, errors = trial(*arguments)
    assert code == 1
    assert "Traceback (most recent call last)" in errors
    assert 'raise KeyError("secret")' in errors
    assert errors.endswith("with --debug.\n")


def test_debug_after_two_dashes_is_an_argument_like_any_other(trial) -> None:
    code, output, errors = trial("--", "--debug")
    assert (code, output, errors) == (0, "", "")


@pytest.mark.filterwarnings("default")
def test_a_warning_is_one_line_too(folder: Path) -> None:
    assert run(folder, "trial", "warning") == (0, "", "headway: warning: the tyres are worn.\n")


@pytest.mark.parametrize(
    ("argument", "sentence"),
    [
        ("rase", "there is no command 'rase'. Did you mean 'race'? See 'headway --help'."),
        ("xyzzy", "there is no command 'xyzzy'. See 'headway --help'."),
        ("--hlp", "there is no option '--hlp'. Did you mean '--help'? See 'headway --help'."),
        ("", "there is no command ''. See 'headway --help'."),
    ],
)
def test_unknown_commands_end_with_2(
    capsys: pytest.CaptureFixture[str], argument: str, sentence: str
) -> None:
    assert main([argument]) == 2
    assert capsys.readouterr() == ("", f"headway: {sentence}\n")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"], ["--help", "race"]])
def test_help_lists_every_command(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == 0
    output = capsys.readouterr().out
    for name, (_, line) in COMMANDS.items():
        assert f"  {name} " in output
        assert line in output


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"headway {headway.__version__}\n"


@pytest.mark.parametrize("arguments", [["trial", "--help"], ["help", "trial"]])
def test_help_of_a_command_explains_its_options(folder: Path, arguments: list[str]) -> None:
    code, output, errors = run(folder, *arguments, COLUMNS="80")
    assert (code, errors) == (0, "")
    for expected in ("End in a chosen way.", "--cars", "A number of cars.", "[default: 8]"):
        assert expected in output
    assert "\x1b" not in output  # no colours where nobody looks


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_documented_function(name: str) -> None:
    module, _, function = COMMANDS[name][0].partition(":")
    command = getattr(importlib.import_module(module), function)
    documented = inspect.getdoc(command) or ""
    assert documented
    for parameter in inspect.signature(command).parameters:
        assert f"\n{parameter}\n" in documented, f"--{parameter} is not explained"


def test_python_m_headway_is_the_same_command(folder: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-m", "headway", "--version"],
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("headway ")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent differently there")
def test_an_interrupt_ends_with_130_and_no_traceback(folder: Path) -> None:
    process = start(folder, "trial", "wait")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (130, "", "\n")
    assert time.monotonic() - began < 10


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    process = start(folder, "trial", "much")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == "0\n"
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=20), errors) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(folder: Path) -> None:
    with open("/dev/full", "w") as full:
        process = start(folder, "trial", output=full)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (1, "headway: output: No space left on device.\n")


def test_a_letter_that_the_terminal_lacks_is_replaced(folder: Path) -> None:
    code, output, errors = run(folder, "trial", "letters", PYTHONIOENCODING="ascii")
    assert (code, output, errors) == (0, "1 s ? 2 s ?\n", "")


def test_compilation_is_shown_once_and_never_again(folder: Path) -> None:
    code, output, errors = run(folder, "trial", "kernel")
    assert (code, output) == (0, "4.0\n")
    first, line = errors.splitlines()
    assert first == "Compiling to machine code; this happens once."
    assert line.startswith("compiling kernels.outer … ")
    assert line.endswith(" s")
    assert run(folder, "trial", "kernel") == (0, "4.0\n", "")


def test_a_command_without_kernels_loads_no_compiler(folder: Path) -> None:
    assert run(folder, "trial", "modules") == (0, "[]\n", "")
