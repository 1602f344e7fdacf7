"""Where compiled kernels are kept: a folder for each digest of all that machine code depends on.

The digest takes in the sources a kernel may take code from, the compiler and its options, and the
settings. Where no folder can be written there is none, and one warning says so.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
import warnings
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent
KEEP_DAYS = 30
KEEP_FOLDERS = 200


def kernel_digest(function: Any, options: dict[str, Any], compiler: str) -> str:
    """Digest of everything the machine code of a kernel depends on, except the processor.

    Numba itself adds the processor's name and features to its key.
    """
    settings = sorted(
        (name, value)
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name not in {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}
    )
    digest = hashlib.sha256(repr((compiler, sys.version)).encode())
    digest.update(repr((sorted(options.items()), settings)).encode())
    for source in sources_behind(Path(function.__code__.co_filename)):
        digest.update(_look_into(source)[0])
    return digest.hexdigest()[:24]


_MENTION = re.compile(rb"\bheadway(?:\.\w+)+|^\s*(?:from|import) headway\b(?!\.)", re.MULTILINE)


@cache
def sources_behind(source: Path) -> tuple[Path, ...]:
    """The files a module may take code from: itself and, onwards, those it mentions.

    A mention counts wherever it stands, even in a comment: one file too many costs a
    compilation, one too few costs correctness. Relative imports are banned for the same reason.
    """
    found: set[Path] = set()
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        waiting += _look_into(path)[1]
    return tuple(sorted(found))


@cache
def _look_into(source: Path) -> tuple[bytes, list[Path]]:
    """The digest of a file, and the files that it mentions."""
    text = source.read_bytes()
    mentions = {mention.decode() for mention in _MENTION.findall(text)}
    files = [file for mention in mentions for file in _files_of(mention.split(".")[1:])]
    return hashlib.sha256(text).digest(), files


def _files_of(parts: list[str]) -> list[Path]:
    """The files behind a dotted name: one module, or all of a folder named as a whole."""
    if not parts:
        return sorted(PACKAGE.rglob("*.py"))
    path = PACKAGE
    for depth, part in enumerate(parts):
        module = path / f"{part}.py"
        if module.is_file():
            return [module]
        if not (path / part).is_dir():
            return [path / "__init__.py"]
        path = path / part
        if depth == len(parts) - 1:
            return sorted(path.glob("*.py"))
    return []


@cache
def cache_folder(digest: str) -> Path | None:
    """A writable folder for one digest; None (after one warning) where there is none."""
    root = cache_root()
    if root is None:
        return None
    folder = root / digest
    try:
        if folder.is_dir():
            os.utime(folder)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            forget_old_folders(root)
    except OSError:
        return folder if folder.is_dir() else None
    return folder


@cache
def cache_root() -> Path | None:
    """The folder that holds all cached kernels; None (after one warning) where there is none.

    ``HEADWAY_CACHE_DIR`` chooses it; otherwise it lies in the user's cache folder, or, where that
    cannot be written, in a temporary folder of the user's own.
    """
    wanted = _user_cache() / "headway"
    if _writable(wanted):
        return wanted
    spare = _spare_cache()
    warnings.warn(
        f"cannot write the kernel cache {wanted}: compiled kernels are kept in {spare}"
        if spare
        else f"cannot write the kernel cache {wanted}: kernels are compiled anew in each process; "
        "set HEADWAY_CACHE_DIR to a folder that can be written",
        stacklevel=2,
    )
    return spare


def _spare_cache() -> Path | None:
    """A temporary folder that is ours alone, since the machine code in it will be run."""
    try:
        folder = Path(tempfile.gettempdir()) / f"headway-{getattr(os, 'getuid', int)()}"
    except OSError:
        return None
    return folder if _writable(folder) and _private(folder) else None


def _user_cache() -> Path:
    home = Path(os.path.expanduser("~"))
    if chosen := os.environ.get("HEADWAY_CACHE_DIR"):
        return Path(chosen).absolute()
    if sys.platform == "darwin":
        return home / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home))
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")


def _writable(folder: Path) -> bool:
    if not folder.is_absolute():  # nobody's home
        return False
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _private(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    found = folder.lstat()
    mine = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return mine and not found.st_mode & 0o077


def forget_old_folders(root: Path) -> None:
    """Drop folders unused for a month, and the least recently used beyond a fixed number."""
    now = time.time()
    by_age = sorted((now - folder.stat().st_mtime, folder) for folder in root.iterdir())
    for rank, (age, folder) in enumerate(by_age):
        days = age / 86400
        if days > KEEP_DAYS or (rank >= KEEP_FOLDERS and days > 1):
            shutil.rmtree(folder, ignore_errors=True)
