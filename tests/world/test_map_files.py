"""Occupancy maps read as circuits."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PIL import Image
from scipy.spatial import cKDTree

from headway.errors import FileError, InputError
from headway.world.circuit_files import read_track, read_waypoints
from headway.world.map_files import read_map

RESOLUTION = 0.1
CENTRE = np.array([12.0, 9.0])  # m, of the ring, from the lower left corner of the map


def ring(inner: float = 5.0, outer: float = 7.0, size: tuple[int, int] = (180, 240)) -> np.ndarray:
    """Free space (rows from the bottom) between two circles whose radii are given in m."""
    y, x = np.mgrid[0 : size[0], 0 : size[1]] * RESOLUTION + RESOLUTION / 2
    radius = np.hypot(x - CENTRE[0], y - CENTRE[1])
    return (radius > inner) & (radius < outer)


def save_map(folder, free, mode="L", image="map.png", **fields):
    grey = np.where(free, 254, 0).astype(np.uint8)[::-1]
    picture = Image.fromarray(grey).convert("L")
    if mode == "I;16":
        picture = Image.fromarray(grey.astype(np.uint16) * 257)
    elif mode == "LA":
        picture = Image.merge("LA", (Image.new("L", picture.size, 255), picture))
    elif mode == "outlines":
        edge = free ^ np.roll(free, 1, 0) | free ^ np.roll(free, 1, 1)
        picture = Image.fromarray(np.where(edge, 0, 255).astype(np.uint8)[::-1])
    elif mode != "L":
        picture = picture.convert(mode)
    picture.save(folder / image)
    lines = {
        "image": image,
        "resolution": RESOLUTION,
        "origin": [0.0, 0.0, 0.0],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.196,
    } | fields
    path = folder / "map.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in lines.items() if value != ""))
    return path


def distance_to_line(points: np.ndarray, track) -> np.ndarray:
    return cKDTree(track.route.position(track.route.sample(0.01))).query(points)[0]


@pytest.mark.parametrize(
    ("mode", "image"),
    [(mode, "map.png") for mode in ("L", "RGB", "RGBA", "LA", "P", "1", "I;16", "outlines")]
    + [("L", "map.pgm"), ("L", "map.bmp")],
)
def test_a_ring_is_found_in_every_kind_of_image(tmp_path, mode, image):
    track = read_track(save_map(tmp_path, ring(), mode, image))
    radius = np.hypot(*(track.route.waypoints - CENTRE).T)
    assert np.abs(radius - 6).max() < RESOLUTION
    walls = RESOLUTION if mode == "outlines" else 0.0  # drawn one pixel thick on the road
    assert np.abs(track.route.widths.sum(axis=1) - 2 + walls).max() < 2 * RESOLUTION
    assert track.closed
    assert track.wall_distance == 0
    assert track.name == "map"


def test_direction_and_start(tmp_path):
    path = save_map(tmp_path, ring(), origin=[-19.0, -9.0, 0.0])
    there, back = read_map(path), read_map(path, clockwise=True)
    for track in (there, back):
        # The ring's centre lies at (-7, 0), so its point nearest to the origin is (-1, 0).
        assert np.hypot(*(track.route.position(0.0) - (-1, 0))) < 0.3
    assert there.route.yaw(0.0) == pytest.approx(np.pi / 2, abs=0.1)
    assert back.route.yaw(0.0) == pytest.approx(-np.pi / 2, abs=0.1)


def test_widths_belong_to_their_sides(tmp_path):
    # The line keeps to the middle, so the road is widened on a bay it cannot follow.
    free = ring()
    free[80:100, 190:200] = True
    track = read_map(save_map(tmp_path, free))
    at_bay = int(track.route.waypoints[:, 0].argmax())
    left, right = track.route.widths[at_bay]
    assert right > left
    clockwise = read_map(save_map(tmp_path, free), clockwise=True)
    left, right = clockwise.route.widths[int(clockwise.route.waypoints[:, 0].argmax())]
    assert left > right


def test_rows_count_from_the_bottom_and_the_origin_turns(tmp_path):
    free = ring()
    upright = read_map(save_map(tmp_path, free, origin=[2.0, -3.0, 0.0]))
    assert np.abs(upright.route.waypoints.mean(axis=0) - CENTRE - np.array([2, -3])).max() < 0.1
    turned = read_map(save_map(tmp_path, free, origin=[2.0, -3.0, np.pi / 2]))
    expected = np.array([2 - CENTRE[1], -3 + CENTRE[0]])
    assert np.abs(turned.route.waypoints.mean(axis=0) - expected).max() < 0.1


def test_specks_and_obstacles_do_not_matter(tmp_path):
    free = ring()
    free[88:91, 178:181] = False  # a barrel on the road
    free[5:9, 5:9] = True  # a hole in the outer wall
    free[np.random.default_rng(1).random(free.shape) < 0.002] ^= True
    track = read_map(save_map(tmp_path, free))
    radius = np.hypot(*(track.route.waypoints - CENTRE).T)
    assert np.abs(radius - 6).max() < 0.4


def test_negate_and_unknown(tmp_path):
    free = ring()
    assert read_map(save_map(tmp_path, ~free, negate=1)).closed
    path = save_map(tmp_path, free)
    grey = np.where(free, 255, 205).astype(np.uint8)[::-1]  # 205: unknown by ROS's convention
    Image.fromarray(grey).save(tmp_path / "map.png")
    assert read_map(path).length == pytest.approx(12 * np.pi, rel=0.02)


def test_yaml_as_people_write_it(tmp_path):
    path = save_map(tmp_path, ring(), resolution="1e-1", negate="false", free_thresh="")
    assert read_track(path).length == pytest.approx(12 * np.pi, rel=0.02)
    renamed = path.rename(tmp_path / "map.txt")
    assert read_waypoints(renamed).closed


def test_real_maps_agree_with_their_published_centre_lines(data_folder):
    for path in sorted((data_folder / "tracks" / "f1tenth").glob("*.yaml")):
        published = path.with_name(path.stem.removesuffix("_map") + "_centerline.csv")
        if not published.exists():
            continue
        columns = np.loadtxt(published, delimiter=",")
        start = time.process_time()
        track = read_track(path)
        assert time.process_time() - start < 6  # 0.4 s on the machine it was written on
        resolution = float(path.read_text().split("resolution:")[1].split()[0])
        apart = distance_to_line(columns[:, :2], track) / resolution
        assert apart.mean() < 2
        assert apart.max() < 8
        widths, expected = track.route.widths.sum(axis=1), columns[:, 2:].sum(axis=1)
        assert abs(widths.mean() / expected.mean() - 1) < 0.15
        assert widths.min() > 0.8 * expected.min()


FAULTS = {
    "no image": ({"image": ""}, "names no image"),
    "image gone": ({"image": "none.png"}, "no such file"),
    "image is a folder": ({"image": "."}, "is a folder"),
    "resolution 0": ({"resolution": 0}, "resolution of 0 m"),
    "resolution nan": ({"resolution": ".nan"}, "resolution must be a finite number"),
    "resolution true": ({"resolution": "true"}, "resolution must be a finite number"),
    "resolution missing": ({"resolution": ""}, "has no resolution"),
    "huge": ({"resolution": "9" * 400}, "resolution must be a finite number"),
    "longest": ({"resolution": "9" * 9000}, "is not valid yaml"),
    "origin short": ({"origin": [0, 0]}, "origin of three numbers"),
    "origin text": ({"origin": ["a", "b", "c"]}, "origin must be a finite number"),
    "origin far": ({"origin": [1e9, 0, 0]}, "beyond 1e7"),
    "negate": ({"negate": 2}, "negate other than 0 or 1"),
    "thresholds": ({"free_thresh": 0.9}, "0 < free <= occupied <= 1"),
    "mode": ({"mode": "raw"}, "mode other than"),
    "date": ({"resolution": "2001-99-99"}, "is not valid yaml"),
    "bomb": ({"mode": "[" * 5000}, "is nested too deeply"),
    "deep": ({"mode": "\n" + "- " * 5000}, "is not valid yaml"),
    "python": ({"mode": "!!python/object/apply:os.getcwd []"}, "is not valid yaml"),
    "long": ({"mode": "'" + "x" * 20000 + "'"}, "is larger than"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_yaml_is_named_in_one_sentence(tmp_path, fault):
    fields, words = FAULTS[fault]
    save_map(tmp_path, ring())
    path = tmp_path / "map.yaml"
    lines = {
        "image": "map.png",
        "resolution": 0.1,
        "origin": [0, 0, 0],
    } | fields
    path.write_text("".join(f"{key}: {value}\n" for key, value in lines.items() if value != ""))
    with pytest.raises(FileError) as caught:
        read_track(path)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def broken(free: np.ndarray) -> np.ndarray:
    free[:, 115:125] = False
    return free


def leaking(free: np.ndarray) -> np.ndarray:
    free[85:95, 180:] = True
    return free


def forked() -> np.ndarray:
    free = ring()
    small = np.hypot(*(np.mgrid[0:180, 0:240] - np.array([90, 208])[:, None, None]))
    return free | ((small > 20) & (small < 29))


@pytest.mark.parametrize(
    ("free", "words"),
    [
        (broken(ring()), "does not form a closed loop"),
        (leaking(ring()), "does not form a closed loop"),
        (np.ones((50, 50), bool), "does not form a closed loop"),
        (np.zeros((50, 50), bool), "does not form a closed loop"),
        (ring(0.3, 7.0), "does not form a closed loop"),
        (forked(), "forks around a second infield"),
        (np.pad(np.pad(np.zeros((3, 3), bool), 1, constant_values=True), 1), "too small"),
    ],
)
def test_free_space_that_is_no_loop(tmp_path, free, words):
    with pytest.raises(FileError, match=words):
        read_map(save_map(tmp_path, free))


def test_an_image_that_is_none(tmp_path):
    path = save_map(tmp_path, ring())
    whole = (tmp_path / "map.png").read_bytes()
    for content in (whole[: len(whole) // 2], b"GIF89a" + whole, whole[:20], b"\x89PNG" * 9):
        (tmp_path / "map.png").write_bytes(content)
        with pytest.raises(FileError, match="is not a readable PNG"):
            read_map(path)


@pytest.mark.parametrize("side", [9_000, 10_000, 1_000_000])
def test_a_huge_image_is_refused_before_it_is_decoded(tmp_path, side):
    path = save_map(tmp_path, ring(), image="map.pgm")
    (tmp_path / "map.pgm").write_bytes(f"P5 {side} {side} 255\n".encode() + bytes(100))
    start = time.process_time()
    with pytest.raises(FileError, match="more than 64,000,000 pixels"):
        read_map(path)
    assert time.process_time() - start < 1


def test_a_map_cannot_be_open(tmp_path):
    with pytest.raises(InputError, match="closed"):
        read_track(save_map(tmp_path, ring()), closed=False)
