"""Pictures of paths show what they are about, at the right place, whatever the size of the map."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from headway.errors import FileError, InputError
from headway.plan.find_path import find_path
from headway.plan.path import Status
from headway.view.grid_drawing import (
    BLOCKED,
    COSTLY,
    SEARCHED,
    TIGHT,
    Window,
    cell_image,
    near_reach,
    ramp,
)
from headway.view.path_picture import plot_path
from headway.view.route_marks import GOAL, PATH, START
from headway.world.clearance import clearance
from headway.world.grid import Grid
from headway.world.worlds import rooms, scattered


def rgb(colour):
    return np.round(255 * np.array(to_rgb(colour)))


def pixels_of(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[..., :3].astype(float)


def near(pixels, colour, tolerance=12.0):
    return np.abs(pixels - rgb(colour)).max(axis=-1) <= tolerance


def words_of(figure):
    texts = [text.get_text() for text in figure.texts]
    return " ".join(texts + [t.get_text() for legend in figure.legends for t in legend.texts])


def pixel_at(figure, x, y):
    """Row and column, in the picture, of a point of the map."""
    (axes,) = figure.axes
    across, up = axes.transData.transform((x, y))
    height = figure.canvas.get_width_height()[1]
    return round(height - up), round(across)


@pytest.mark.parametrize("y_down", [True, False])
@pytest.mark.parametrize("origin", [(0.0, 0.0), (-31.5, 12.25)])
def test_the_path_lies_where_its_points_are(y_down, origin):
    grid = Grid(rooms(3, 4, seed=1).free, cell_size=0.5, origin=origin)
    path = find_path(grid, (1, 1), (20, 28), trace=True)
    figure = plot_path(grid, path, y_down=y_down)
    pixels = pixels_of(figure)
    for x, y in path.points[2:-3]:
        row, column = pixel_at(figure, x, y)
        assert near(pixels[row - 2 : row + 3, column - 2 : column + 3], PATH).any()
    wall = grid.centres([(0, 5)])[0]
    assert near(pixels[pixel_at(figure, *wall)], BLOCKED)
    first, last = (pixel_at(figure, *grid.centres([(r, 0)])[0])[0] for r in (0, grid.rows - 1))
    assert (first < last) is y_down


def test_what_was_searched_is_shaded_and_explained():
    grid = scattered(40, 60, 0.1, seed=4)
    ends = np.argwhere(grid.free)[[0, -1]].tolist()
    path = find_path(grid, *ends, algorithm="astar", trace=True)
    whole = Window(0, 40, 0, 60)
    plain, shaded = cell_image(grid, whole), cell_image(grid, whole, path.searched)
    differs = (plain != shaded).any(axis=2)
    assert {tuple(cell) for cell in np.argwhere(differs).tolist()} == {
        tuple(cell) for cell in path.searched.tolist()
    }
    assert "searched" in words_of(plot_path(grid, path))
    assert "searched" not in words_of(plot_path(grid, find_path(grid, *ends)))


def test_no_path_says_why_and_shows_both_ends():
    grid = Grid([[1, 1, 0, 1, 1]] * 4)
    path = find_path(grid, (0, 0), (3, 4))
    assert path.status == Status.UNREACHABLE
    figure = plot_path(grid, path, start=(0, 0), goal=(3, 4))
    words = words_of(figure)
    assert "No path: unreachable" in words
    assert path.reason[:40] in words
    assert not near(pixels_of(figure), PATH).any()
    assert {"start", "goal"} <= set(words.split())


def test_ends_off_the_map_do_no_harm():
    grid = Grid(np.ones((4, 5)))
    figure = plot_path(grid, find_path(grid, (0, 0), (90, 4)), start=(0, 0), goal=(90, 4))
    assert "out of bounds" in words_of(figure)


def test_cells_too_tight_for_the_agent_are_marked():
    grid = rooms(3, 3, 9, seed=1)
    path = find_path(grid, (5, 5), (25, 5), radius=1.5)
    image = cell_image(
        grid, Window(0, *grid.shape[:1], 0, grid.columns), None, clearance(grid), 1.5
    )
    tight = (image == rgb(TIGHT)).all(axis=2)
    assert (tight == ((clearance(grid) < 1.5) & grid.free)).all()
    assert "too tight for a radius of 1.5 m" in words_of(plot_path(grid, path, radius=1.5))


def test_costly_ground_is_darker():
    cost = np.linspace(1.0, 9.0, 200).reshape(10, 20)
    grid = Grid(np.ones((10, 20)), cost)
    image = cell_image(grid, Window(0, 10, 0, 20)).astype(int).sum(axis=2).ravel()
    assert (np.diff(image) <= 0).all()
    assert image[0] > image[-1]
    assert (cell_image(grid, Window(0, 10, 0, 20))[9, 19] == rgb(COSTLY)).all()
    assert "costly ground" in words_of(plot_path(grid, find_path(grid, (0, 0), (9, 19))))


def test_a_small_path_on_a_large_map_is_shown_large():
    grid = Grid(np.ones((3000, 2000)))
    path = find_path(grid, (1500, 1000), (1510, 1030), trace=False)
    figure = plot_path(grid, path, start=(1500, 1000), goal=(1510, 1030))
    (axes,) = figure.axes
    left, right = axes.get_xlim()
    assert left <= 1000
    assert 1031 <= right <= 1100
    assert near(pixels_of(figure), PATH).sum() > 300
    assert "rows 14" in words_of(figure)


def test_a_large_map_is_averaged_down():
    free = np.zeros((2600, 2700), bool)
    free[:, 1300:1400] = True
    grid = Grid(free)
    figure = plot_path(grid, find_path(grid, (0, 1310), (2599, 1310)))
    (image,) = figure.axes[0].images
    assert max(image.get_array().shape[:2]) <= 1200
    pixels = pixels_of(figure)
    row, column = pixel_at(figure, 1350.0, 1300.0)
    assert near(pixels[row, column], "white")
    assert near(pixels[pixel_at(figure, 1000.0, 1300.0)], BLOCKED)


@pytest.mark.parametrize("radius", [0.0, 0.8])
def test_clearance_is_shaded_and_explained(radius):
    grid = Grid(rooms(2, 2, 17, seed=1, door=5).free, cell_size=0.5)
    path = find_path(grid, (5, 5), (15, 15), radius=radius)
    room = clearance(grid)
    image = cell_image(grid, Window(0, 37, 0, 37), None, room, radius).astype(int).sum(axis=2)
    shown = grid.free & (room >= radius)
    by_room = np.argsort(room[shown], kind="stable")
    assert (np.diff(image[shown][by_room]) >= 0).all()  # the nearer the darker
    assert image[shown].min() < image[shown].max() == 3 * 255
    reach = near_reach(grid, Window(0, 37, 0, 37), radius)
    assert (image[shown & (room >= reach)] == 3 * 255).all()
    assert f"clearance below {reach:g} m" in words_of(plot_path(grid, path, radius=radius))


@pytest.mark.parametrize("shape", [(1, 3000), (3000, 1), (3, 400)])
def test_a_thin_map_is_stretched_until_the_path_can_be_seen(shape):
    grid = Grid(np.ones(shape))
    figure = plot_path(grid, find_path(grid, (0, 0), (shape[0] - 1, shape[1] - 1), trace=True))
    (axes,) = figure.axes
    assert near(pixels_of(figure), PATH).sum() > 1000
    assert min(axes.get_window_extent().size) >= 60
    assert "not to scale" in words_of(figure)
    for axis in (axes.xaxis, axes.yaxis):
        boxes = [label.get_window_extent() for label in axis.get_ticklabels() if label.get_text()]
        assert len(boxes) >= 2
        assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    plain = rooms(2, 2), find_path(rooms(2, 2), (1, 1), (2, 2))
    assert "not to scale" not in words_of(plot_path(*plain))


def test_who_is_there_already_sees_both_ends():
    grid = rooms(2, 2, seed=1)
    path = find_path(grid, (4, 4), (4, 4))
    figure = plot_path(grid, path)
    words = words_of(figure)
    assert "Already there" in words
    assert "path" not in words.lower()
    row, column = pixel_at(figure, *path.points[0])
    around = pixels_of(figure)[row - 20 : row + 21, column - 20 : column + 21]
    assert near(around, START).sum() > 60
    assert near(around, GOAL).sum() > 30


def test_a_long_reason_is_not_cut_off():
    grid = Grid([[1, 1, 0, 1, 1]] * 4)
    path = find_path(grid, (0, 0), (3, 4))
    short = plot_path(grid, path).get_figheight()
    path.reason = " ".join(f"word{n}" for n in range(30))
    figure = plot_path(grid, path, seconds=0.01)
    assert path.reason in words_of(figure)
    assert "10 ms" in words_of(figure)
    assert figure.get_figheight() > short
    for text in figure.texts:
        assert text.get_window_extent().x1 <= figure.bbox.x1
        assert text.get_window_extent().y0 >= figure.axes[0].get_window_extent().y1 - 1


def test_the_key_fits_below_whatever_it_explains():
    grid = Grid(np.ones((30, 12)), np.ones((30, 12)))
    plain = Grid(np.ones((30, 12)))
    for each in (grid, plain):
        path = find_path(each, (4, 4), (25, 7), radius=1.23456, trace=True)
        figure = plot_path(each, path, radius=1.23456)
        figure.canvas.draw()
        (legend,) = figure.legends
        box = legend.get_window_extent()
        assert box.x1 <= figure.bbox.x1
        assert box.y0 >= 0
        assert box.y1 < figure.axes[0].xaxis.label.get_window_extent().y0


@pytest.mark.parametrize("shape", [(1, 1), (1, 400), (400, 1), (2, 3)])
def test_any_shape_of_map_can_be_drawn(shape, tmp_path):
    grid = Grid(np.ones(shape))
    goal = shape[0] - 1, shape[1] - 1
    plot_path(grid, find_path(grid, (0, 0), goal, trace=True), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_equal_paths_give_equal_files(tmp_path):
    grid = rooms(2, 2, seed=1)
    for name in "ab":
        plot_path(grid, find_path(grid, (1, 1), (15, 15)), tmp_path / f"{name}.png")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_file_that_cannot_be_written_is_refused_first(tmp_path):
    grid = Grid([[1, 1]])
    path = find_path(grid, (0, 0), (0, 1))
    with pytest.raises(InputError, match="end the name"):
        plot_path(grid, path, tmp_path / "a.gif")
    with pytest.raises(FileError, match="does not exist"):
        plot_path(grid, path, tmp_path / "nowhere" / "a.png")


def test_the_window_holds_all_cells_of_interest():
    grid = Grid(np.ones((100, 500)))
    for cells in ([[0, 0], [5, 9]], [[99, 499]], [[50, 100], [60, 180]], [[3, 3], [90, 490]]):
        window = Window.around(grid, np.array(cells))
        assert 0 <= window.top <= min(c[0] for c in cells)
        assert max(c[0] for c in cells) < window.bottom <= 100
        assert 0 <= window.left <= min(c[1] for c in cells)
        assert max(c[1] for c in cells) < window.right <= 500
    assert Window.around(grid, np.empty((0, 2), np.int64)).shape == grid.shape


def test_shading_colours_can_be_told_apart():
    shades = [rgb(colour) for colour in (BLOCKED, SEARCHED, TIGHT, COSTLY, "white")]
    for i, one in enumerate(shades):
        assert all(np.abs(one - other).max() > 25 for other in shades[:i])
    assert (ramp("white", COSTLY)[255] == rgb(COSTLY)).all()
