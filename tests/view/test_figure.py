"""Figures are written whole, to formats that are known, and touch nothing global."""

from __future__ import annotations

import subprocess
import sys

import pytest

from headway.errors import FileError, InputError
from headway.view.figure import check_picture_path, new_figure, page_points, save_figure

FIRST_BYTES = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}


@pytest.mark.parametrize("kind", FIRST_BYTES)
def test_the_suffix_decides_the_format(tmp_path, kind):
    save_figure(new_figure(2.0, 1.0), tmp_path / f"a.{kind.upper()}")
    assert (tmp_path / f"a.{kind.upper()}").read_bytes().startswith(FIRST_BYTES[kind])
    assert [path.name for path in tmp_path.iterdir()] == [f"a.{kind.upper()}"]


@pytest.mark.parametrize("kind", ["png", "pdf"])
def test_equal_figures_give_equal_files(tmp_path, kind):
    for name in "ab":
        save_figure(new_figure(2.0, 1.0), tmp_path / f"{name}.{kind}")
    assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()


@pytest.mark.parametrize("name", ["a", "a.gif", "png", "a.png.txt", ".png"])
def test_an_unknown_format_is_refused(tmp_path, name):
    with pytest.raises(InputError, match=r"\.png, \.svg or \.pdf"):
        check_picture_path(tmp_path / name)


def test_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(FileError, match="does not exist"):
        check_picture_path(tmp_path / "nowhere" / "a.png")


def test_a_folder_is_refused(tmp_path):
    (tmp_path / "a.png").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        check_picture_path(tmp_path / "a.png")


def test_a_figure_that_cannot_be_drawn_leaves_the_old_file(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(b"old")
    figure = new_figure(2.0, 1.0)
    figure.text(0.5, 0.5, "$\\nosuchcommand$")
    with pytest.raises(ValueError, match="nosuchcommand"):
        save_figure(figure, path)
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["a.png"]


def test_page_points_are_seventy_two_to_the_inch():
    axes = new_figure(5.0, 4.0).add_axes((0.1, 0.1, 0.4, 0.5))
    assert page_points(axes) == pytest.approx((2.0 * 72, 2.0 * 72))


def test_drawing_needs_no_pyplot_and_no_simulator():
    code = (
        "import sys, headway.view.race_picture, headway.view.track_picture\n"
        "print('matplotlib.pyplot' in sys.modules, 'headway.sim' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
