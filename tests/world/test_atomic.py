"""Whole files in and out."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from headway.errors import FileError
from headway.world.atomic import read_bytes, write_bytes


def test_what_is_written_is_read(tmp_path):
    write_bytes(tmp_path / "a", b"one")
    write_bytes(str(tmp_path / "a"), b"two")
    assert read_bytes(tmp_path / "a", 3) == b"two"
    assert os.listdir(tmp_path) == ["a"]


def test_limits(tmp_path):
    write_bytes(tmp_path / "a", b"four")
    with pytest.raises(FileError, match="is larger than"):
        read_bytes(tmp_path / "a", 3)
    write_bytes(tmp_path / "a", b"")
    with pytest.raises(FileError, match="is empty"):
        read_bytes(tmp_path / "a", 3)


@pytest.mark.skipif(os.name != "posix", reason="no such permissions here")
def test_a_new_file_is_as_readable_as_any_other(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_bytes(tmp_path / "a", b"x")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == stat.S_IMODE(
        (tmp_path / "plain").stat().st_mode
    )


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no such device here")
def test_a_device_is_neither_read_nor_replaced():
    with pytest.raises(FileError, match="not a plain file"):
        write_bytes("/dev/null", b"x")
    with pytest.raises(FileError, match="not a plain file"):
        read_bytes("/dev/zero", 10)


def test_a_long_name_can_be_written(tmp_path):
    path = tmp_path / ("x" * 240)
    write_bytes(path, b"x")
    assert read_bytes(path, 1) == b"x"
    with pytest.raises(FileError, match="cannot be written"):
        write_bytes(tmp_path / ("x" * 300), b"x")
