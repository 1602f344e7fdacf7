"""The walk as an animation and as a page: files of the right kind that tell what happened."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.image import AxesImage
from PIL import Image

from headway.errors import FileError, InputError
from headway.sim.walk import walk
from headway.view.changing_picture import check_walk_path, key_moments, plot_walk
from headway.view.figure import new_figure
from headway.view.grid_drawing import TIGHT, ramp
from headway.view.walk_animation import END_MS, STEP_MS, Scene
from headway.view.walk_drawing import (
    draw_moment,
    frame_world,
    key_of,
    lines_of,
    words_for,
    worlds_of,
)
from headway.world.changing_rooms import Change, changing_rooms
from headway.world.clearance import clearance
from headway.world.grid import Grid


@pytest.fixture(scope="module")
def short():
    """A walk of a few ticks past a wall that appears, through a door that closes and opens."""
    free = np.ones((9, 15), bool)
    free[:, 9] = False
    free[[1, 7], 9] = True
    door = np.array([[1, 9]])
    changes = [
        Change(2, np.array([[2, 5], [3, 5], [1, 5]]), False, "a wall appears"),
        Change(4, door, False, "a door closes"),
        Change(6, door, True, "a door opens"),
        Change(6, np.array([[8, 0]]), False, "a block falls"),
    ]
    return walk(Grid(free), (2, 1), (2, 13), changes)


@pytest.fixture(scope="module")
def full():
    world = changing_rooms(3)
    return walk(world.grid, world.start, world.goal, world.changes)


def frames_of(file):
    with Image.open(file) as image:
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            yield int(image.info["duration"]), np.asarray(image.convert("RGB"))


def test_the_animation_has_a_frame_for_each_tick(short, tmp_path):
    plot_walk(short, tmp_path / "a.gif")
    frames = list(frames_of(tmp_path / "a.gif"))
    assert len(frames) == len(short.ticks)
    assert frames[-1][0] == END_MS
    news = [bool(tick.changes) for tick in short.ticks]
    for (stands, _), new in zip(frames[1:-1], news[1:-1], strict=True):
        assert stands > 5 * STEP_MS if new else stands >= STEP_MS
    for (_, before), (_, after) in pairwise(frames):
        assert (before != after).any()


def test_equal_walks_give_equal_animations(short, tmp_path):
    for name in "ab":
        plot_walk(short, tmp_path / f"{name}.gif")
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_other_endings_give_a_page(short, tmp_path, ending):
    first = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert plot_walk(short, tmp_path / f"a.{ending}").read_bytes().startswith(first)


def test_the_page_tells_what_happened(full, tmp_path):
    words = plot_walk(full, tmp_path / "a.svg").read_text()
    assert words.count("<!-- tick") == len(key_moments(full))
    assert "reached the goal" in words


def test_key_moments_are_the_ends_and_the_new_plans(short, full):
    assert key_moments(short)[0] == 0
    assert key_moments(short)[-1] == len(short.ticks) - 1
    moments = key_moments(full)
    assert len(moments) == 6
    assert moments == sorted(moments)
    for number in moments[1:-1]:
        before, after = full.ticks[number - 1].way, full.ticks[number].way
        assert not (len(before[1:]) == len(after) and (before[1:] == after).all())


def test_words_name_what_changed_and_where(short):
    assert words_for(short, 2)[0] == "tick 2: a wall appears at (3, 5)"
    assert words_for(short, 6)[0] == "tick 6: a door opens at (1, 9); a block falls at (8, 0)"
    assert words_for(short, 1)[0] == "tick 1: nothing changes"
    assert words_for(short, len(short.ticks) - 1)[1] == short.reason
    assert all(words_for(short, number)[1] for number in range(len(short.ticks)))


@pytest.fixture(scope="module")
def lost():
    """A walk of an agent with a size that ends for a long reason."""
    free = np.ones((9, 15), bool)
    free[:, 9] = False
    free[2:7, 9] = True
    closed = np.array([[row, 9] for row in range(2, 7)])
    return walk(Grid(free), (4, 2), (4, 13), [Change(3, closed, False, "a gate falls")], radius=0.8)


def test_the_decisive_sentence_is_not_cut_off(lost, tmp_path):
    assert len(lost.reason) > 88
    words = plot_walk(lost, tmp_path / "a.svg").read_text()
    lines = [part.split("-->")[0].strip() for part in words.split("<!--")[1:]]
    assert " ".join(lines_of(lost.reason, 88)) == lost.reason
    assert set(lines_of(lost.reason, 88)) <= set(lines)
    assert "unreachable" in " ".join(lines)
    scene = Scene(lost, "A title")
    scene.frame(len(lost.ticks) - 1)
    scene.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in scene.words]
    assert scene.words[1].get_text().replace("\n", " ") == lost.reason
    assert boxes[0].y0 > boxes[1].y1
    assert all(box.x1 <= scene.figure.bbox.x1 for box in boxes)
    (legend,) = scene.figure.legends
    assert legend.get_window_extent().y1 < boxes[1].y0
    assert legend.get_window_extent().x1 <= scene.figure.bbox.x1


def test_the_key_names_the_agent_and_where_it_does_not_fit(lost, short):
    assert ("agent", "agent") in key_of(short)
    assert not any("tight" in words for _, words in key_of(short))
    assert (TIGHT, "too tight for a radius of 0.8 m") in key_of(lost)


def test_what_is_too_tight_is_shown_as_the_world_changes(lost):
    axes = new_figure(6.0, 4.0).add_axes((0.0, 0.0, 1.0, 1.0))
    frame_world(axes, lost.grid)
    for number, world in enumerate(worlds_of(lost)):
        moment = draw_moment(axes, lost, world, number)
        (image,) = (artist for artist in moment if isinstance(artist, AxesImage))
        tight = (np.asarray(image.get_array()) == ramp(TIGHT, TIGHT)[0]).all(axis=2)
        assert (tight == (world & (clearance(Grid(world)) < 0.8))).all()
        for artist in moment:
            artist.remove()


def test_worlds_follow_the_changes(short):
    worlds = worlds_of(short)
    assert [bool(world[1, 9]) for world in worlds[3:7]] == [True, False, False, True]
    assert (worlds[0] == short.grid.free).all()


def test_names_of_files_are_checked_first(tmp_path):
    with pytest.raises(InputError, match=r"\.gif, \.png, \.svg or \.pdf"):
        check_walk_path(tmp_path / "a.mp4")
    with pytest.raises(FileError, match="does not exist"):
        check_walk_path(tmp_path / "nowhere" / "a.gif")
    (tmp_path / "b.gif").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        check_walk_path(tmp_path / "b.gif")
