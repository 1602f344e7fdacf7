"""The command ``headway``: finds the command asked for, runs it, and says what went wrong.

``COMMANDS`` is the whole list. A command is one function in one small file; its signature and
docstring make its options and its help. Nothing but the standard library is imported here, so
that ``headway --help`` answers at once.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from traceback import print_exc
from typing import Any

from headway import __version__
from headway.cli.compilation import compilation_shown
from headway.errors import HeadwayError, InputError

COMMANDS = {
    "race": ("headway.cli.race:race", "Race cars on a circuit: table, picture, recording."),
    "circuits": ("headway.cli.circuits:circuits", "List the circuits that come with Headway."),
    "replay": ("headway.cli.replay:replay", "Run a recording again and verify every state."),
    "path": ("headway.cli.path:path", "Find a path over a map: table, picture, CSV."),
    "flock": ("headway.cli.flock:flock", "Run a group of agents: numbers, picture, animation."),
    "export": ("headway.cli.export:export", "Turn a recording into CSV or Parquet."),
    "bench": ("headway.cli.bench:bench", "Measure the headline figures on this machine."),
    "warm": ("headway.cli.warm:warm", "Compile everything now, so that nothing waits later."),
}
"""Name: where its function is, and the line that ``headway --help`` shows for it."""

SUCCESS, FAILURE, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the program's name; by default those of this process.

    Returns
    -------
    int
        0 done; 1 failed; 2 the arguments cannot be used; 130 interrupted from the keyboard;
        141 the reader of the output went away.

    Examples
    --------
    >>> main(["--version"])
    headway ...
    0
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = _take_debug(arguments)
    with warnings.catch_warnings():
        if not debug:
            warnings.showwarning = _warn
        try:
            _run(arguments)
            if sys.stdout:
                sys.stdout.flush()
        except BaseException as error:
            if debug and isinstance(error, Exception):
                print_exc()
            return _explain(error, arguments)
    return SUCCESS


def _take_debug(arguments: list[str]) -> bool:
    """Remove ``--debug``, which may stand anywhere, and tell whether it was there."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    before = [argument for argument in arguments[:end] if argument != "--debug"]
    found = len(before) < end
    arguments[:end] = before
    return found


def _run(arguments: list[str]) -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError):  # a letter that the terminal lacks is no reason to stop
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    match arguments:
        case [] | ["--help" | "-h", *_] | ["help"]:
            print(_overview())
        case ["--version" | "-V"]:
            print(f"headway {__version__}")
        case ["help", name, *_]:
            _call(name, ["--help"])
        case [name, *rest]:
            _call(name, rest)


def _overview() -> str:
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:{width}}  {line}" for name, (_, line) in COMMANDS.items())
    return f"""\
Headway takes any simulated agent or vehicle where it is going.

Usage: headway COMMAND [ARGUMENTS] [OPTIONS]

Commands:
{commands}

Options:
  --help     Explain a command: headway race --help
  --version  Print the version.
  --debug    With any command: show the whole traceback of an error."""


def _call(name: str, arguments: list[str]) -> None:
    if name not in COMMANDS:
        kind = "option" if name.startswith("-") else "command"
        near = get_close_matches(name, [*COMMANDS, "--help", "--version"], n=1)
        hint = f" Did you mean '{near[0]}'?" if near else ""
        raise InputError(f"there is no {kind} '{name}'.{hint}")
    module, function = COMMANDS[name][0].split(":")
    with compilation_shown():
        _parse_and_call(name, getattr(import_module(module), function), arguments)


def _parse_and_call(name: str, function: Callable[..., Any], arguments: list[str]) -> None:
    """Turn arguments into those of a function, by its signature, and call it."""
    from cyclopts import App, CycloptsError, Group, Parameter, UnusedCliTokensError

    options = Group("Options", sort_key=1)
    app = App(
        name=f"headway {name}",
        help_format="plaintext",
        version_flags=[],
        group_parameters=options,
        default_parameter=Parameter(negative=()),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    app["--help"].group = (options,)
    app.default(function)
    try:
        app(arguments, exit_on_error=False, print_error=False)
    except UnusedCliTokensError as error:
        surplus = " ".join(error.unused_tokens or [])
        raise InputError(f"too many arguments: '{surplus}' has no meaning here.") from error
    except CycloptsError as error:
        raise InputError(str(error)) from error


def _explain(error: BaseException, arguments: list[str]) -> int:
    """Say in one line what went wrong; the exit code for it."""
    match error:
        case KeyboardInterrupt():
            print(file=sys.stderr)
            return INTERRUPTED
        case BrokenPipeError():
            _close_output()
            return BROKEN_PIPE
        case InputError():
            command = [name for name in arguments[:1] if name in COMMANDS]
            _complain(f"{_sentence(error)} See '{' '.join(['headway', *command, '--help'])}'.")
            return USAGE
        case HeadwayError():
            _complain(_sentence(error))
        case OSError(strerror=reason) if reason:
            _close_output()
            _complain(f"{error.filename or 'output'}: {reason}.")
        case Exception():
            first_line = str(error).partition("\n")[0]
            _complain(
                f"this is a fault in Headway ({type(error).__name__}: {first_line}): "
                "please report it, with what the same command shows with --debug."
            )
        case _:
            raise error
    return FAILURE


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    _complain(f"warning: {_sentence(message)}")


def _sentence(message: object) -> str:
    text = str(message)
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _complain(sentence: str) -> None:
    with suppress(OSError):
        print("headway:", " ".join(sentence.split()), file=sys.stderr)


def _close_output() -> None:
    """Keep Python from writing to a broken pipe or a full disk once more when it ends."""
    with suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
