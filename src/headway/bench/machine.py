"""What the figures were measured on: processor and versions, and nothing that names a machine."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from headway import __version__


def machine() -> dict[str, str | int]:
    """Describe processor, Python and the libraries that decide how fast things are.

    Returns
    -------
    dict
        Plain values.

    Examples
    --------
    >>> sorted(machine())
    ['headway', 'numba', 'numpy', 'processor', 'processors', 'python', 'system']
    """
    return {
        "processor": _processor(),
        "processors": os.cpu_count() or 1,
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": _version("numpy"),
        "numba": _version("numba"),
        "headway": __version__,
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except (OSError, UnicodeDecodeError):
        pass
    return platform.processor() or platform.machine() or "unknown"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
