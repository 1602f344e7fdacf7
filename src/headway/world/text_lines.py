"""Text files taken line by line, plain or compressed by gzip, within limits."""

from __future__ import annotations

import gzip
import io
import zlib
from os import PathLike

from headway.errors import FileError
from headway.world.atomic import read_bytes

LINE_LIMIT = 10_000
GZIP = b"\x1f\x8b"
PIECE = 2**20
"""How much is unpacked at a time, bytes."""


class Lines:
    r"""The text of a file and how far it has been read.

    Parameters
    ----------
    path : str or path-like
        Names the file in errors.
    data : bytes
        The text; whatever ends its lines is made a line feed, also behind the last one.

    Attributes
    ----------
    data : bytes
        The text.
    at : int
        Where the next line begins in it.
    number : int
        Which line (from 1) was taken last.

    Examples
    --------
    >>> lines = Lines("note.txt", b"one\r\n\r\ntwo")
    >>> lines.take(), lines.take(), lines.take(), lines.number
    (b'one', b'', b'two', 3)
    """

    def __init__(self, path: str | PathLike[str], data: bytes):
        data = data.removeprefix(b"\xef\xbb\xbf")
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self.path = path
        self.data = data if data.endswith(b"\n") else data + b"\n"
        self.at = 0
        self.number = 0

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.data)

    def take(self, expected: str = "another line") -> bytes:
        """Read the next line.

        Parameters
        ----------
        expected : str
            What it should be, in words, for the error if the file has ended.

        Returns
        -------
        bytes
            Without white space around it.

        Raises
        ------
        FileError
            If there is none or it is too long.
        """
        self.number += 1
        if self.ended:
            raise self.error(f"the file ends here; expected {expected}")
        end = self.data.index(b"\n", self.at)
        if end - self.at > LINE_LIMIT:
            raise self.error(f"is longer than {LINE_LIMIT:,} characters; expected {expected}")
        line = self.data[self.at : end].strip()
        self.at = end + 1
        return line

    def error(self, problem: str) -> FileError:
        """Make an error that names the line taken last.

        Parameters
        ----------
        problem : str
            What is wrong and how to mend it, without a final stop.

        Returns
        -------
        FileError
            To be raised.
        """
        return FileError(self.path, problem, self.number)

    def whole(self, name: str, field: bytes, least: int, most: int) -> int:
        """Understand a field as a whole number.

        Parameters
        ----------
        name : str
            What the number is, for errors.
        field : bytes
            Its digits.
        least, most : int
            The range it must lie in; ``least`` is not negative, ``most`` below 1e9.

        Returns
        -------
        int
            The number.

        Raises
        ------
        FileError
            If it is none or lies outside.

        Examples
        --------
        >>> Lines("note.txt", b"7").whole("width", b"7", 1, 9)
        7
        """
        number = int(field) if field.isdigit() and len(field) < 10 else -1
        if not least <= number <= most:
            problem = f"{name} is {shown(field)}; expected a whole number from {least} to {most}"
            raise self.error(problem)
        return number

    def take_number(self, key: str, least: int, most: int) -> int:
        """Read the next line, a key and its number.

        Parameters
        ----------
        key : str
            What must stand before the number.
        least, most : int
            As for `whole`.

        Returns
        -------
        int
            The number.

        Raises
        ------
        FileError
            If the line is another or the number outside.

        Examples
        --------
        >>> Lines("note.txt", b"width 7").take_number("width", 1, 9)
        7
        """
        line = self.take(f"'{key} <number>'")
        fields = line.split()
        if len(fields) != 2 or fields[0] != key.encode():
            raise self.error(f"expected '{key} <number>' but found {shown(line)}")
        return self.whole(key, fields[1], least, most)

    def expect(self, text: str) -> None:
        """Read the next line, of which it is known what it says.

        Parameters
        ----------
        text : str
            The words of the line.

        Raises
        ------
        FileError
            If it says something else.
        """
        line = self.take(repr(text))
        if line.split() != text.encode().split():
            raise self.error(f"expected {text!r} but found {shown(line)}")

    def expect_end(self, claim: str) -> None:
        """Make sure that only empty lines are left.

        Parameters
        ----------
        claim : str
            What to check if there is more.

        Raises
        ------
        FileError
            If there is more.
        """
        while not self.ended:
            if line := self.take("the end"):
                raise self.error(f"expected the end but found {shown(line)}; check that {claim}")


def read_lines(path: str | PathLike[str], limit: int) -> Lines:
    """Read a text file; one compressed by gzip is known by its first bytes.

    Parameters
    ----------
    path : str or path-like
        The file.
    limit : int
        The largest size accepted, in bytes, compressed and not.

    Returns
    -------
    Lines
        At its first line.

    Raises
    ------
    FileError
        If the file cannot be read, is empty, too large or damaged.

    Examples
    --------
    >>> read_lines(__file__, limit=100_000).take()[:3]
    b'\"\"\"'
    """
    content = read_bytes(path, limit)
    if content.startswith(GZIP):
        content = _unpacked(path, content, limit)
    return Lines(path, content)


def shown(raw: bytes, longest: int = 24) -> str:
    """Quote some of a file in an error.

    Parameters
    ----------
    raw : bytes
        What stands there.
    longest : int
        How many characters to show.

    Returns
    -------
    str
        In quotes, on one line.

    Examples
    --------
    >>> shown(b"a line that never seems to come to an end")
    "'a line that never seems ...'"
    """
    text = raw[: longest + 1].decode("latin-1")
    return repr(text if len(text) <= longest else f"{text[:longest]}...")


def _unpacked(path: str | PathLike[str], content: bytes, limit: int) -> bytes:
    pieces, size = [], 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            while size <= limit and (piece := file.read(PIECE)):  # a bomb is left half unpacked
                pieces.append(piece)
                size += len(piece)
    except (OSError, EOFError, zlib.error) as error:
        problem = "is damaged or cut short, so it cannot be unpacked by gzip; fetch it again"
        raise FileError(path, problem) from error
    if size > limit:
        problem = f"unpacks to more than the {limit / 1e6:.3g} MB that this reader accepts"
        raise FileError(path, problem)
    unpacked = b"".join(pieces)
    if not unpacked or unpacked.isspace():
        raise FileError(path, "is empty; choose another file or write it again")
    return unpacked
