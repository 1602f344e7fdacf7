"""Each promise of ``headway._jit`` is tried on a copied package, in processes of its own."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from headway import _jit, _kernel_cache

INNER = """
from headway._jit import kernel

FACTOR = {factor}

@kernel
def scale(x, times):
    return x * FACTOR * times
"""
OUTER = """
import numpy as np
from headway._jit import kernel
from headway.geometry.inner import scale

@kernel(example=lambda: (1.0,))
def outer(x):
    return scale(x, 2) - scale(x, 1) + 1.0

@kernel
def pick(values, index):
    return values[index]

@kernel(error_model={error_model!r})
def divide(a, b):
    return a / b
"""
REPORT = """
import json
from headway._compiling import LISTENERS
compiled = []
LISTENERS.append((compiled.append, lambda name, seconds: None))
from headway import _jit, _kernel_cache
from headway.move.outer import divide, np, outer, pick
report = {"value": outer(7.0)}
{more}
report["compiled"] = compiled
report["hits"] = sum(sum(k.dispatcher.stats.cache_hits.values()) for k in _jit.KERNELS)
print(json.dumps(report))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a small copy of Headway: the decorator and two modules of kernels."""
    root = tmp_path / "source" / "headway"
    for name in ("__init__.py", "_compiling.py", "_jit.py", "_kernel_cache.py", "errors.py"):
        root.mkdir(parents=True, exist_ok=True)
        shutil.copy(_kernel_cache.PACKAGE / name, root / name)
    for folder in ("geometry", "move"):
        (root / folder).mkdir()
        (root / folder / "__init__.py").write_text("")
    write_kernels(root.parent)
    return root.parent


def write_kernels(package: Path, factor: float = 3.0, error_model: str = "numpy") -> None:
    root = package / "headway"
    (root / "geometry" / "inner.py").write_text(INNER.format(factor=factor))
    (root / "move" / "outer.py").write_text(OUTER.format(error_model=error_model))


def start(package: Path, more: str = "", **settings: str) -> subprocess.Popen[str]:
    environment = {key: value for key, value in os.environ.items() if key[:6] != "NUMBA_"}
    environment |= {
        "PYTHONPATH": str(package),
        "HEADWAY_CACHE_DIR": str(package.parent / "cache"),
        **settings,
    }
    return subprocess.Popen(
        [sys.executable, "-c", REPORT.replace("{more}", more)],
        env={key: value for key, value in environment.items() if value},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> dict[str, object]:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return {**json.loads(output), "warnings": errors.count("UserWarning"), "stderr": errors}


def run(package: Path, more: str = "", **settings: str) -> dict[str, object]:
    return finish(start(package, more, **settings))


def folders(package: Path) -> set[str]:
    return {path.name for path in (package.parent / "cache" / "headway").iterdir()}


def test_a_helper_edited_in_another_module_gives_the_new_result(package: Path) -> None:
    assert run(package)["value"] == 22.0
    write_kernels(package, factor=10.0)
    after = run(package)
    assert after["value"] == 71.0
    assert "headway.move.outer.outer" in after["compiled"]


def test_a_second_process_compiles_nothing(package: Path) -> None:
    first = run(package)
    assert first["compiled"] == ["headway.move.outer.outer", "headway.geometry.inner.scale"]
    assert first["hits"] == 0
    second = run(package)
    assert second["compiled"] == []
    assert second["hits"] == 1
    assert second["value"] == first["value"]


def test_a_constant_in_a_call_makes_no_second_signature(package: Path) -> None:
    ask = "report['signatures'] = [len(k.dispatcher.signatures) for k in _jit.KERNELS]"
    found = run(package, ask)
    assert found["value"] == 22.0  # from two calls of the same kernel with different constants
    assert found["signatures"] == [1, 1, 0, 0]


def test_options_are_part_of_the_key(package: Path) -> None:
    divide = "report['quotient'] = str(divide(1.0, 0.0))"
    assert run(package, divide)["quotient"] == "inf"
    write_kernels(package, error_model="python")
    strict = """
try:
    report["quotient"] = divide(1.0, 0.0)
except ZeroDivisionError:
    report["quotient"] = "refused"
"""
    assert run(package, strict)["quotient"] == "refused"


def test_settings_of_numba_are_part_of_the_key(package: Path) -> None:
    beyond = """
try:
    report["beyond"] = str(pick(np.zeros(3), 5))
except IndexError:
    report["beyond"] = "refused"
"""
    run(package, "pick(np.zeros(3), 2)")
    before = folders(package)
    checked = run(package, beyond, NUMBA_BOUNDSCHECK="1")
    assert checked["beyond"] == "refused"
    assert folders(package) > before


def test_threads_are_not_part_of_the_key(package: Path) -> None:
    run(package)
    assert run(package, NUMBA_NUM_THREADS="1")["compiled"] == []


def test_without_compilation_kernels_are_plain_functions(package: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", "from headway.move.outer import outer; print(outer(7.0))"],
        env={**os.environ, "PYTHONPATH": str(package), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "22.0\n"


def nowhere(package: Path) -> dict[str, str]:
    """Settings of a home that cannot be written, even by root: it lies under a file."""
    file = package.parent / "file"
    file.write_text("")
    home = str(file / "home")
    return {"HEADWAY_CACHE_DIR": "", "HOME": home, "XDG_CACHE_HOME": home, "LOCALAPPDATA": home}


def test_a_private_temporary_folder_stands_in_for_a_home_that_cannot_be_written(
    package: Path,
) -> None:
    spare = package.parent / "tmp"
    spare.mkdir()
    settings = {**nowhere(package), "TMPDIR": str(spare)}
    first = run(package, **settings)
    assert first["value"] == 22.0
    assert first["warnings"] == 1
    (folder,) = spare.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert run(package, **settings)["compiled"] == []


def test_a_temporary_folder_open_to_others_is_not_trusted(package: Path) -> None:
    spare = package.parent / "tmp"
    settings = {**nowhere(package), "TMPDIR": str(spare)}
    planted = spare / f"headway-{os.getuid()}"
    planted.mkdir(parents=True)
    planted.chmod(0o777)
    found = run(package, **settings)
    assert found["value"] == 22.0
    assert found["warnings"] == 1
    assert "compiled anew" in str(found["stderr"])
    assert list(planted.iterdir()) == []


def test_nowhere_to_write_costs_one_warning_and_no_more(package: Path) -> None:
    # tempfile tries /tmp and the working folder too, which tests cannot close
    (package / "sitecustomize.py").write_text(
        "import tempfile\ndef closed(): raise FileNotFoundError\ntempfile.gettempdir = closed\n"
    )
    found = run(package, **nowhere(package))
    assert found["value"] == 22.0
    assert found["warnings"] == 1
    assert run(package, **nowhere(package))["compiled"] == found["compiled"]


def test_a_damaged_cache_is_made_anew(package: Path) -> None:
    compiled = run(package)["compiled"]
    cache = package.parent / "cache" / "headway"
    for suffix, damage in ((".nbi", b""), (".nbc", b"\x80\x04 not a pickle")):
        damaged = list(cache.rglob(f"*{suffix}"))
        assert damaged
        for file in damaged:
            file.write_bytes(damage)
        mended = run(package)
        assert mended["value"] == 22.0
        assert mended["compiled"] == compiled
    assert run(package)["compiled"] == []


def test_a_cache_that_vanishes_during_the_run_does_no_harm(package: Path) -> None:
    vanish = (
        "import shutil; shutil.rmtree(_kernel_cache.cache_root()); report['two'] = divide(4.0, 2.0)"
    )
    found = run(package, vanish)
    assert found["two"] == 2.0
    assert found["warnings"] == 0


def test_two_processes_that_compile_at_once_do_no_harm(package: Path) -> None:
    both = [start(package) for _ in range(2)]
    assert [finish(process)["value"] for process in both] == [22.0, 22.0]
    third = run(package)
    assert third["compiled"] == []
    assert third["value"] == 22.0


def test_a_direct_kernel_is_replaced_by_its_machine_code_and_gives_the_same() -> None:
    from headway.geometry.rows import numbers
    from headway.steer import force

    first = force.force_for((3.0, 0.0), 2.0, 100.0, 0.5)
    assert type(force._force).__name__ == "builtin_function_or_method"
    assert force.force_for((3.0, 0.0), 2.0, 100.0, 0.5).tolist() == first.tolist() == [12.0, 0.0]
    fixed = np.array([(3.0, 0.0)])
    fixed.setflags(write=False)  # which is another type to Numba
    assert force.force_for(fixed, np.ones(1), 9.0, 1.0).tolist() == [[3.0, 0.0]]
    backwards = np.array([(9.0, 9.0, 0.0, 3.0)])[:, ::-1][:, :2]  # not contiguous
    assert force.force_for(backwards, 1.0, 9.0, 1.0).tolist() == [[3.0, 0.0]]
    assert numbers("mass", np.arange(6.0)[::2], (3, 2)).flags.c_contiguous
    (kernel,) = [each for each in _jit.KERNELS if each.name == "headway.steer.force._force"]
    assert len(kernel.dispatcher.signatures) == 1


def test_a_kernel_typed_at_a_prompt_works_without_a_cache(package: Path) -> None:
    typed = """
@_jit.kernel
def twice(x):
    return 2.0 * x
report["twice"] = twice(4.0)
"""
    found = run(package, typed)
    assert found["twice"] == 8.0
    assert found["warnings"] == 0


def test_folders_unused_for_long_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_kernel_cache, "KEEP_FOLDERS", 3)
    day = 86400.0
    ages = {"now": 0.0, "hour": day / 24, "week": 7 * day, "fortnight": 14 * day, "old": 31 * day}
    for name, age in ages.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "kernel.nbc").write_bytes(b"code")
        os.utime(tmp_path / name, (time.time() - age, time.time() - age))
    _kernel_cache.forget_old_folders(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"now", "hour", "week"}


@pytest.mark.parametrize(
    ("statement", "expected", "unexpected"),
    [
        ("from headway.geometry.angles import wrap_angle", "angles.py", "errors.py"),
        ("import headway.geometry.angles", "angles.py", "errors.py"),
        ("from headway.geometry import angles", "angles.py", "state.py"),
        ("from headway import geometry", "angles.py", None),
        ("    import headway as hw", "angles.py", None),
        (">>> import headway as hw", "user.py", "angles.py"),
        ("x = 1", "user.py", "angles.py"),
    ],
)
def test_every_way_to_import_leads_to_the_sources(
    tmp_path: Path, statement: str, expected: str, unexpected: str | None
) -> None:
    user = tmp_path / "user.py"
    user.write_text(f"{statement}\n")
    behind = {path.name for path in _kernel_cache.sources_behind(user)}
    assert expected in behind
    assert unexpected not in behind


def test_a_kernel_that_makes_no_array_counts_no_users_of_those_it_is_given() -> None:
    def swap(arrays: tuple) -> None:
        first, second = arrays
        first[0], second[0] = second[0], first[0]

    counting, plain = (_jit.kernel(allocates=allocates)(swap) for allocates in (True, False))
    del _jit.KERNELS[-2:]
    for chosen in (counting, plain):
        arrays = np.array([1.0]), np.array([2.0])
        chosen(arrays)
        assert [array[0] for array in arrays] == [2.0, 1.0]
