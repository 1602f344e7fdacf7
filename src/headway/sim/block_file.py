"""A file of checked blocks that only grows, so that a kill at any moment leaves it readable.

Layout, all little-endian::

    magic (8 bytes)  version (uint32)
    block, block, ...: kind (4 bytes)  length (uint32)  payload  check (uint32)

A check is the CRC-32 of a block, continued from the check of the block before it (for the first,
from that of magic and version), so a block that is damaged, missing, doubled or out of place is
noticed and all before it can be trusted. Each block is one ``write`` to an unbuffered file.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from headway.errors import FileError, InputError

MAGIC = b"\x89HWY\r\n\x1a\n"
VERSION = 1
FILE_HEAD = struct.Struct("<8sI")
BLOCK_HEAD = struct.Struct("<4sI")
CHECK = struct.Struct("<I")


class Block(NamedTuple):
    """One whole block and the byte at which it begins."""

    kind: bytes
    payload: bytes
    start: int


class DamagedBlockError(Exception):
    """What is wrong with a block, as the beginning of a sentence, and where it begins."""

    def __init__(self, problem: str, start: int):
        self.start = start
        super().__init__(f"{problem} at byte {start}")


class BlockWriter:
    """Writes a file of blocks.

    Parameters
    ----------
    path : str or path-like
        The file. One of blocks that is there already is overwritten, any other is not.

    Raises
    ------
    FileError
        If it cannot be written.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = path
        self._descriptor: int | None = None
        try:
            _check_target(Path(path))
            flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._descriptor = os.open(path, flags, 0o666)
            _claim(self._descriptor)
            os.ftruncate(self._descriptor, 0)
        except BlockingIOError as problem:
            self.close()
            raise FileError(path, "is being written by another process; name another") from problem
        except (OSError, ValueError) as problem:  # ValueError: a NUL character in the path
            raise FileError(path, f"cannot be written ({_reason(problem)})") from problem
        head = FILE_HEAD.pack(MAGIC, VERSION)
        self._tail = 0, 0  # length of the file, check of its last block
        self._write(head, zlib.crc32(head))

    @property
    def closed(self) -> bool:
        """Whether nothing can be added any more."""
        return self._descriptor is None

    def append(self, kind: bytes, payload: bytes) -> None:
        """Add a block; if that fails the file ends with the one before it, and is closed.

        Parameters
        ----------
        kind : bytes
            Four of them.
        payload : bytes
            Less than 4 GiB.

        Raises
        ------
        FileError
            If it cannot be written.
        """
        block = BLOCK_HEAD.pack(kind, len(payload)) + payload
        check = zlib.crc32(block, self._tail[1])
        self._write(block + CHECK.pack(check), check)

    def sync(self) -> None:
        """Wait until all blocks are on the disk."""
        try:
            os.fsync(self._open_descriptor())
        except OSError as problem:
            raise self._failure(problem) from problem

    def close(self) -> None:
        """Close the file; once closed, do nothing."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                os.close(descriptor)

    def _write(self, data: bytes, check: int) -> None:
        descriptor = self._open_descriptor()
        end = self._tail[0]
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            self._tail = end + len(data), check
        except BaseException as problem:  # an interrupt, too, must not leave half a block
            with suppress(OSError):
                os.ftruncate(descriptor, end)
                os.lseek(descriptor, end, os.SEEK_SET)
            if isinstance(problem, OSError):
                self.close()
                raise self._failure(problem) from problem
            raise

    def _open_descriptor(self) -> int:
        if self._descriptor is None:
            raise InputError(f"{os.fspath(self.path)} is closed: nothing can be added to it.")
        return self._descriptor

    def _failure(self, problem: OSError) -> FileError:
        return FileError(
            self.path,
            f"cannot be continued ({_reason(problem)}), but what was written before can be read",
        )


def read_blocks(path: str | os.PathLike[str]) -> Generator[Block, None, None]:
    """Read the blocks of a file one by one, as far as it is whole.

    Parameters
    ----------
    path : str or path-like
        The file; it may still be growing.

    Yields
    ------
    Block
        The next block, its check passed.

    Raises
    ------
    DamagedBlockError
        If the next block is cut short or damaged.
    FileError
        If there is no such file, it has no blocks or a newer Headway wrote it.
    """
    try:
        target = Path(path)
        if target.is_dir():
            raise FileError(path, "is a folder; name a file inside it")
        if not target.is_file():
            raise FileError(path, "there is no such file; check the path")
        with target.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            yield from _read_blocks(file, size, _read_file_head(file, path))
    except OSError as problem:
        raise FileError(path, f"cannot be read ({_reason(problem)})") from problem


def _read_blocks(file: BinaryIO, size: int, check: int) -> Generator[Block, None, None]:
    start = FILE_HEAD.size
    while start < size:
        cut_short = DamagedBlockError("the file ends in the middle of a block", start)
        head = file.read(BLOCK_HEAD.size)
        if len(head) < BLOCK_HEAD.size:
            raise cut_short
        kind, length = BLOCK_HEAD.unpack(head)
        end = start + BLOCK_HEAD.size + length + CHECK.size
        if end > size:  # a damaged length must not reserve memory either
            raise cut_short
        payload, ending = file.read(length), file.read(CHECK.size)
        if len(payload) < length or len(ending) < CHECK.size:
            raise cut_short
        check = zlib.crc32(payload, zlib.crc32(head, check))
        if CHECK.unpack(ending) != (check,):
            raise DamagedBlockError("there is a damaged block", start)
        yield Block(kind, payload, start)
        start = end


def _read_file_head(file: BinaryIO, path: str | os.PathLike[str]) -> int:
    head = file.read(FILE_HEAD.size)
    if not head:
        raise FileError(path, "is empty; name another recording or record it again")
    if not head.startswith(MAGIC) or len(head) < FILE_HEAD.size:
        raise FileError(path, "is not a recording of Headway; name one made with --record")
    version = FILE_HEAD.unpack(head)[1]
    if version > VERSION:
        raise FileError(
            path,
            f"has format {version} of a newer Headway, and this one reads up to {VERSION}; "
            "upgrade with pip install --upgrade headway",
        )
    return zlib.crc32(head)


def _claim(descriptor: int) -> None:
    """Claim a file for as long as it is open; raises BlockingIOError if another process has it."""
    try:
        import fcntl  # noqa: PLC0415  (not on every system; without it nobody is kept out)
    except ImportError:
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _check_target(path: Path) -> None:
    """Refuse what must not be overwritten, before any work is done."""
    if path.is_dir():
        raise FileError(path, "is a folder; name a file inside it")
    if not path.parent.is_dir():
        raise FileError(path, f"cannot be written: there is no folder {path.parent}; create it")
    if not path.exists():
        return
    if not path.is_file():
        raise FileError(path, "is not a plain file; name one to record to")
    with path.open("rb") as file:
        begin = file.read(len(MAGIC))
    if begin and begin != MAGIC:
        raise FileError(path, "is not a recording; delete it first or record to another file")


def _reason(problem: Exception) -> str:
    return (getattr(problem, "strerror", None) or str(problem)).lower()
