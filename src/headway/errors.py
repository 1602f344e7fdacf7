"""The errors Headway raises: one sentence saying what is wrong, where, and what to do."""

from __future__ import annotations

from os import PathLike, fspath


class HeadwayError(Exception):
    """Base of every error that Headway raises on purpose."""


class InputError(HeadwayError, ValueError):
    """An argument that cannot be used; the message names it and the remedy."""


class FileError(HeadwayError):
    """A file that cannot be read or written.

    Parameters
    ----------
    path : str or path-like
        The file.
    problem : str
        What is wrong and how to mend it, without a final stop.
    line : int, optional
        The line (from 1) where it is wrong.
    """

    def __init__(self, path: str | PathLike[str], problem: str, line: int | None = None):
        self.path = fspath(path)
        self.line = line
        self.problem = problem
        place = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(f"{place}: {problem}.")


class MissingExtraError(HeadwayError, ImportError):
    """An optional part of Headway that is not installed; the message names the extra."""

    def __init__(self, extra: str, what: str):
        super().__init__(
            f"{what} needs the '{extra}' extra: install it with pip install 'headway[{extra}]'."
        )
