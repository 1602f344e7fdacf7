"""Grids from every kind of file: which cells are free, and where they lie."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from PIL import Image

from headway.errors import FileError, InputError
from headway.world.grid import Grid
from headway.world.grid_files import files_of_grid, read_grid, write_grid

FREE = np.array([[1, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]], bool)
GREY = np.where(FREE, 254, 0).astype(np.uint8)


def save_map(folder, grey=GREY, image="map.png", **fields):
    """A ROS map; rows of ``grey`` are those of the picture, from the top."""
    Image.fromarray(grey).save(folder / image)
    lines = {"image": image, "resolution": 0.05, "origin": [-1.0, 2.0, 0.0], "negate": 0} | fields
    path = folder / "map.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in lines.items()))
    return path


@pytest.mark.parametrize("name", ["a.map", "a.map.gz", "a.npy", "a.png", "a.yaml", "A.YML"])
@given(
    free=arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 12))),
    cell_size=st.floats(1e-3, 999.0),
    origin=st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)),
)
def test_what_is_written_is_read_again(tmp_path_factory, name, free, cell_size, origin):
    path = tmp_path_factory.getbasetemp() / name
    write_grid(Grid(free, cell_size=cell_size, origin=origin), path)
    grid = read_grid(path)
    assert np.array_equal(grid.free, free)
    kept = name.lower().endswith((".yaml", ".yml"))
    assert grid.cell_size == (cell_size if kept else 1.0)
    assert grid.origin == (origin if kept else (0.0, 0.0))


@pytest.mark.parametrize("image", ["map.png", "map.pgm", "map.bmp"])
def test_a_ros_map_lies_where_its_yaml_says(tmp_path, image):
    path = save_map(tmp_path, image=image)
    grid = read_grid(path)
    assert np.array_equal(grid.free, FREE[::-1])
    assert grid.cell_size == 0.05
    # The picture's lower left pixel is the cell (0, 0), and y grows upwards.
    assert grid.centres([(0, 0), (2, 3)]) == pytest.approx(
        np.array([(-0.975, 2.025), (-0.825, 2.125)])
    )
    assert files_of_grid(path) == [path, tmp_path / image]


@pytest.mark.parametrize("mode", ["trinary", "scale"])
def test_what_a_ros_map_does_not_know_is_blocked(tmp_path, mode):
    grey = np.array([[255, 206, 205, 204, 128, 0]], np.uint8)
    free = read_grid(save_map(tmp_path, grey, mode=mode)).free
    assert free.tolist() == [[True, True, False, False, False, False]]
    assert read_grid(save_map(tmp_path, grey, free_thresh=0.6)).free.sum() == 5
    assert read_grid(save_map(tmp_path, grey, negate=1)).free.tolist() == [[False] * 5 + [True]]


@pytest.mark.parametrize("name", ["a.png", "a.pgm", "a.bmp", "A.PNG"])
def test_a_plain_image_begins_at_the_top(tmp_path, name):
    Image.fromarray(GREY).save(tmp_path / name)
    grid = read_grid(tmp_path / name)
    assert np.array_equal(grid.free, FREE)
    assert (grid.cell_size, grid.origin, grid.cost) == (1.0, (0.0, 0.0), None)
    assert files_of_grid(tmp_path / name) == [tmp_path / name]


def test_the_threshold_of_a_plain_image(tmp_path):
    path = tmp_path / "a.png"
    Image.fromarray(np.array([[0, 1, 127, 128, 255]], np.uint8)).save(path)
    assert read_grid(path).free.tolist() == [[False, False, False, True, True]]
    assert read_grid(path, 0.0).free.tolist() == [[False, True, True, True, True]]
    assert read_grid(path, threshold=0.6).free.tolist() == [[False] * 4 + [True]]


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "LA", "P", "1", "I;16"])
def test_every_kind_of_plain_image(tmp_path, mode):
    if mode == "I;16":
        picture = Image.fromarray(GREY.astype(np.uint16) * 257)
    elif mode == "LA":  # white everywhere, transparent where blocked
        alpha = Image.fromarray(GREY)
        picture = Image.merge("LA", (Image.new("L", alpha.size, 255), alpha))
    else:
        picture = Image.fromarray(GREY).convert(mode)
    picture.save(tmp_path / "a.png")
    assert np.array_equal(read_grid(tmp_path / "a.png").free, FREE)


@pytest.mark.parametrize("dtype", ["?", "u1", "i8", ">i2", "f4", "f8", "f2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays(tmp_path, dtype, order):
    np.save(tmp_path / "a.npy", np.array(3 * FREE, dtype, order=order))
    grid = read_grid(tmp_path / "a.npy")
    assert np.array_equal(grid.free, FREE)
    assert (grid.cell_size, grid.origin) == (1.0, (0.0, 0.0))


def npy(array, **header):
    """A .npy file whose header is changed afterwards."""
    stream = io.BytesIO()
    np.save(stream, array)
    content = stream.getvalue()
    for old, new in header.values():
        assert old in content
        content = content.replace(old, new.ljust(len(old)))
    return content


CELLS = np.ones((2, 3))
ARRAY_FAULTS = {
    "empty": (b"", "is empty"),
    "text": (b"1 0 1", "is not a readable .npy file"),
    "cut": (npy(CELLS)[:-1], "is cut short"),
    "header cut": (npy(CELLS)[:50], "is not a readable .npy file"),
    "behind": (npy(CELLS) + b"x", "has something behind its end"),
    "flat": (npy(np.ones(6)), "with 1 axes"),
    "deep": (npy(np.ones((1, 2, 3))), "with 3 axes"),
    "no cells": (npy(np.ones((0, 3))), "has 0 x 3 cells"),
    "complex": (npy(np.ones((2, 3), complex)), "holds complex128"),
    "words": (npy(np.array([["a"]])), "holds <U1"),
    "fields": (npy(np.zeros((1, 1), [("a", "f4")])), "holds [('a', '<f4')]"),
    "dates": (npy(np.zeros((1, 1), "M8[s]")), "holds datetime64"),
    "nan": (npy(np.full((2, 3), np.nan)), "holds NaN"),
    "inf": (npy(np.full((2, 3), np.inf)), "holds NaN or infinity"),
    "huge": (npy(CELLS, shape=(b"(2, 3), }         ", b"(99999, 99999), }")), "99999 x 99999"),
    "minus": (npy(CELLS, shape=(b"(2, 3), }  ", b"(-2, -3), }")), "has -2 x -3 cells"),
    "zip": (b"PK\3\4" + bytes(100), "is not a readable .npy file"),
    "version": (npy(CELLS)[:6] + b"\3" + npy(CELLS)[7:], "is not a readable .npy file"),
}


@pytest.mark.parametrize("fault", ARRAY_FAULTS)
def test_a_faulty_array_is_named_in_one_sentence(tmp_path, fault):
    content, words = ARRAY_FAULTS[fault]
    (tmp_path / "a.npy").write_bytes(content)
    assert_refused(tmp_path / "a.npy", words)


def assert_refused(path, words):
    with pytest.raises(FileError) as caught:
        read_grid(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_array_of_objects_is_never_unpickled(tmp_path):
    np.save(tmp_path / "a.npy", np.array([[print]], object), allow_pickle=True)
    assert_refused(tmp_path / "a.npy", "holds object")


def test_an_array_that_claims_much_is_refused_before_it_is_made(tmp_path):
    content = npy(CELLS, shape=(b"(2, 3), }         ", b"(8192, 8192), }"))
    (tmp_path / "a.npy").write_bytes(content)
    assert_refused(tmp_path / "a.npy", "is cut short")


@pytest.mark.parametrize("name", ["a.txt", "a", "a.npz", "a.tif", "a.gz", ".map/a"])
def test_an_unknown_ending(tmp_path, name):
    assert_refused(tmp_path / name, "expected one that ends in .map, .map.gz")
    for use in (files_of_grid, lambda path: write_grid(Grid([[1]]), path)):
        with pytest.raises(FileError, match="is no grid to judge by its name"):
            use(tmp_path / name)


@pytest.mark.parametrize("name", ["a.map", "a.npy", "a.png", "a.yaml"])
def test_a_file_that_is_not_there(tmp_path, name):
    assert_refused(tmp_path / name, "there is no such file")
    with pytest.raises(FileError, match="cannot be written"):
        write_grid(Grid([[1]]), tmp_path / "none" / name)


def test_images_that_are_not_written(tmp_path):
    with pytest.raises(FileError, match=r"not written as \.bmp; name it \.png"):
        write_grid(Grid([[1]]), tmp_path / "a.bmp")
    with pytest.raises(FileError, match="has a resolution of 5000 m"):
        write_grid(Grid([[1]], cell_size=5000.0), tmp_path / "a.yaml")
    assert list(tmp_path.iterdir()) == []


def test_a_map_that_is_turned(tmp_path):
    assert_refused(save_map(tmp_path, origin=[0, 0, 0.1]), "is turned by a yaw of 0.1 rad")
    assert read_grid(save_map(tmp_path, origin=[0, 0, 1e-9])).origin == (0.0, 0.0)


def test_faults_of_a_ros_map(tmp_path):
    assert_refused(save_map(tmp_path, mode="raw"), "mode other than 'trinary' or 'scale'")
    assert_refused(save_map(tmp_path, resolution=0), "resolution of 0 m")
    path = save_map(tmp_path)
    (tmp_path / "map.png").write_bytes(b"none")
    assert_refused(path, "is not a readable PNG, PGM or BMP image")
    assert_refused(tmp_path / "map.png", "is not a readable PNG, PGM or BMP image")


def test_a_threshold_that_cannot_be_used(tmp_path):
    Image.fromarray(GREY).save(tmp_path / "a.png")
    for threshold in (-0.1, 1.0, 128, float("nan")):
        with pytest.raises(InputError, match="give a brightness from 0 to below 1"):
            read_grid(tmp_path / "a.png", threshold)
    with pytest.raises(InputError, match=r"leave it out for a file in \.yaml"):
        read_grid(save_map(tmp_path), 0.5)


def test_real_ros_maps(data_folder):
    paths = sorted(data_folder.glob("tracks/*/*.yaml"))
    if not paths:
        pytest.skip("no ROS maps in the folder of real inputs")
    for path in paths:
        grid = read_grid(path)
        with Image.open(files_of_grid(path)[1]) as picture:
            assert grid.shape == (picture.height, picture.width)
            lowest = np.asarray(picture.convert("L"))[-1]
        assert (lowest[grid.free[0]] > 200).all()
        assert 0 < grid.free.mean() < 1


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
def test_both_versions_of_an_array(tmp_path, version):
    with open(tmp_path / "a.npy", "wb") as file:
        np.lib.format.write_array(file, FREE, version=version)
    assert np.array_equal(read_grid(tmp_path / "a.npy").free, FREE)


def test_a_map_that_is_turned_the_other_way(tmp_path):
    assert_refused(save_map(tmp_path, origin=[0, 0, -0.1]), "is turned by a yaw of -0.1 rad")
