"""Whole files: read within a size limit, written so that a crash leaves the old or the new one."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from os import PathLike
from pathlib import Path

from headway.errors import FileError


def read_bytes(path: str | PathLike[str], limit: int) -> bytes:
    """Read a whole file.

    Parameters
    ----------
    path : str or path-like
        A regular file; pipes and devices are refused, since they may never end.
    limit : int
        The largest size accepted, in bytes.

    Returns
    -------
    bytes
        Its content, not empty.

    Raises
    ------
    FileError
        If there is no such file, it cannot be read, is empty or larger than the limit.

    Examples
    --------
    >>> len(read_bytes(__file__, limit=100_000)) > 1000
    True
    """
    try:
        with open(_regular(path), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            content = file.read(min(size, limit) + 1)  # room for all of the limit may be lacking
    except FileNotFoundError as error:
        raise FileError(path, "there is no such file; check the path") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the path
        raise FileError(path, f"cannot be read ({_reason(error)})") from error
    if len(content) > limit:
        raise FileError(path, f"is larger than the {limit / 1e6:.3g} MB that this reader accepts")
    if not content or content.isspace():
        raise FileError(path, "is empty; choose another file or write it again")
    return content


def write_bytes(path: str | PathLike[str], data: bytes) -> None:
    """Write a whole file atomically.

    The data go to a temporary file in the same folder, which then takes the place of the old
    one, so that whatever happens the path holds either all of the old content or all of the new.

    Parameters
    ----------
    path : str or path-like
        Where to write; a symbolic link is followed, a missing folder is an error.
    data : bytes
        The content.

    Raises
    ------
    FileError
        If the file cannot be written; the old one is then untouched.

    Examples
    --------
    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write_bytes(folder / "note.txt", b"hello")
    >>> (folder / "note.txt").read_bytes()
    b'hello'
    """
    spare = None
    try:
        target = Path(os.path.realpath(path))
        if target.exists():
            _regular(target)
        spare = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
        with open(spare, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(spare, target)
        _sync_folder(target.parent)
    except (OSError, ValueError) as error:
        raise FileError(path, f"cannot be written ({_reason(error)})") from error
    finally:
        if spare is not None:
            with contextlib.suppress(OSError):
                spare.unlink()


def _regular(path: str | PathLike[str]) -> str | PathLike[str]:
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise FileError(path, "is a folder; name a file inside it")
    if not stat.S_ISREG(mode):
        raise FileError(path, "is not a plain file; copy its content into one first")
    return path


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def _sync_folder(folder: Path) -> None:
    # Makes the new name itself durable; not every system can open a folder.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
