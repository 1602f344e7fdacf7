"""Circuits are drawn where they are, to scale, and readable."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_race import open_track, ring_track
from matplotlib.colors import to_rgb

from headway.errors import FileError, InputError
from headway.view.figure import new_figure
from headway.view.track_drawing import (
    ASPHALT,
    GRASS,
    draw_scale_bar,
    draw_track,
    frame_map,
    round_length,
)
from headway.view.track_picture import describe, plot_track, plot_tracks
from headway.view.track_shape import CrossSection, TrackShape
from headway.world.circuit_files import read_track
from headway.world.circuits import CIRCUITS, circuit
from headway.world.track import Track


def colours_at(figure, axes, points):
    """Colours (K, 3), 0 to 1, of the drawn page at points (K, 2) of the axes."""
    figure.canvas.draw()
    page = np.asarray(figure.canvas.buffer_rgba())[:, :, :3] / 255.0
    column, row = np.floor(axes.transData.transform(points)).astype(int).T
    return page[page.shape[0] - 1 - row, column]


def bare_map(track):
    """A figure with only the asphalt, on a map of 8 by 8 inches."""
    figure = new_figure(8.0, 8.0)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    shape = TrackShape.of(track)
    return figure, axes, shape, frame_map(axes, shape.points)


def words(axes):
    return {text.get_text(): np.array(text.get_position()) for text in axes.texts}


@pytest.mark.parametrize("name", CIRCUITS)
def test_asphalt_is_where_the_track_is_and_nowhere_else(name):
    track = circuit(name)
    figure, axes, shape, unit = bare_map(track)
    draw_track(axes, Track(name, track.route, sectors=()), shape, unit)
    s = np.linspace(0.05, 0.95, 60) * track.length
    centre = track.route.position(s)[:, :2]
    assert colours_at(figure, axes, centre) == pytest.approx(
        np.tile(to_rgb(ASPHALT), (60, 1)), abs=0.01
    )
    rng = np.random.default_rng(1)
    low, high = np.array(axes.get_xlim()), np.array(axes.get_ylim())
    spots = np.column_stack((rng.uniform(*low, 400), rng.uniform(*high, 400)))
    _, offset = track.route.project(spots)
    clear = np.abs(offset) > shape.width + 50 * unit
    assert clear.sum() > 20
    grass = np.tile(to_rgb(GRASS), (clear.sum(), 1))
    assert colours_at(figure, axes, spots[clear]) == pytest.approx(grass, abs=0.01)


def test_the_map_has_equal_scales_and_room_around():
    for track in (ring_track(), open_track(), ring_track(5.0, 2.0)):
        _, axes, shape, unit = bare_map(track)
        pixels = axes.transData.transform([(0, 0), (unit * 72, 0), (0, unit * 72)])
        assert pixels[1] - pixels[0] == pytest.approx((110, 0), abs=1e-6)
        assert pixels[2] - pixels[0] == pytest.approx((0, 110), abs=1e-6)
        x, y = shape.points.T
        assert axes.get_xlim()[0] < x.min() < x.max() < axes.get_xlim()[1]
        assert axes.get_ylim()[0] < y.min() < y.max() < axes.get_ylim()[1]


def test_a_map_that_is_not_centred_leaves_its_room_below():
    figure = new_figure(8.0, 8.0)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    points = TrackShape.of(open_track()).points
    frame_map(axes, points, centred=False)
    above = axes.get_ylim()[1] - points[:, 1].max()
    below = points[:, 1].min() - axes.get_ylim()[0]
    assert below > 5 * above > 0


def test_the_scale_bar_is_as_long_as_it_says():
    for track in (ring_track(), ring_track(1000.0), ring_track(3.0, 1.0)):
        _, axes, _, unit = bare_map(track)
        draw_scale_bar(axes, unit)
        number, word = axes.texts[0].get_text().split()
        x = axes.lines[0].get_xdata()
        assert float(number) * {"m": 1.0, "km": 1000.0}[word] == pytest.approx(np.ptp(x))


@given(st.floats(1e-6, 1e9))
def test_a_round_length_is_the_longest_that_fits(limit):
    length = round_length(limit)
    leading = length / 10 ** math.floor(math.log10(length) + 1e-9)
    assert min(abs(leading - digit) for digit in (1, 2, 5)) < 1e-9
    assert length <= limit * (1 + 1e-9)
    assert limit < 2.5 * length * (1 + 1e-9)


def test_sectors_are_marked_across_the_track():
    track = ring_track(100.0, 10.0)
    _, axes, shape, unit = bare_map(track)
    draw_track(axes, track, shape, unit)
    ticks = [line.get_xydata() for line in axes.lines if len(line.get_xdata()) == 2]
    assert len(ticks) == 2
    for tick, angle in zip(ticks, (2 * math.pi / 3, 4 * math.pi / 3), strict=True):
        assert np.arctan2(*tick[:, ::-1].T) % (2 * math.pi) == pytest.approx(
            [angle, angle], abs=1e-3
        )
        assert sorted(np.hypot(*tick.T)) == pytest.approx([95 - 3 * unit, 105 + 3 * unit], abs=0.01)
    assert {"S2", "S3"} <= set(words(axes))


def test_the_arrow_points_the_way_cars_drive():
    for track in (ring_track(), ring_track().reversed(), open_track()):
        _, axes, shape, unit = bare_map(track)
        draw_track(axes, track, shape, unit)
        (arrow,) = [text for text in axes.texts if getattr(text, "arrow_patch", None)]
        along = np.subtract(arrow.xy, arrow.xyann)
        assert along @ track.route.direction(0.0)[:2] > 0.9 * math.hypot(*along)
        _, offset = track.route.project([arrow.xy, arrow.xyann])
        assert (np.abs(offset) > 0.5 * shape.width).all()


def test_an_open_track_has_a_start_and_a_finish():
    track = open_track()
    _, axes, shape, unit = bare_map(track)
    draw_track(axes, track, shape, unit)
    for word, s in (("start", 0.0), ("finish", track.length)):
        assert math.dist(words(axes)[word], track.route.position(s)[:2]) < 10 + 20 * unit
    assert not {"start", "finish"} & set(words(plot_track(ring_track()).axes[0]))


def test_corners_are_numbered_outside_in_racing_order():
    track = circuit("club")
    axes = plot_track(track).axes[0]
    found = track.corners()
    for number, corner in enumerate(found, start=1):
        s, offset = track.route.project(
            words(axes)[str(number)], (corner.s_start + corner.s_end) / 2
        )
        assert corner.s_start - 5 <= s <= corner.s_end + 5
        assert math.copysign(1.0, offset) == -math.copysign(1.0, corner.turn)
    assert str(len(found) + 1) not in words(axes)
    assert "1" not in words(plot_track(track, corners=False).axes[0])


@pytest.mark.parametrize("name", CIRCUITS)
def test_words_on_a_map_overlap_neither_each_other_nor_its_border(name):
    figure = plot_track(circuit(name))
    figure.canvas.draw()
    border = figure.axes[0].get_window_extent()
    boxes = [t.get_window_extent() for t in figure.axes[0].texts if t.get_text()]
    for i, box in enumerate(boxes):
        assert border.x0 <= box.x0 <= box.x1 <= border.x1
        assert border.y0 <= box.y0 <= box.y1 <= border.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_the_figure_of_eight_has_one_bridge_over_its_crossing():
    track = circuit("eight")
    shape = TrackShape.of(track)
    (deck,) = shape.bridges()
    over = shape.centre[deck]
    s = np.linspace(0, track.length, 4000, endpoint=False)
    low = track.route.position(s)
    low = low[low[:, 2] < shape.height[deck].min() - 2.0][:, :2]
    gaps = np.hypot(*(over[:, None] - low[None]).transpose(2, 0, 1))
    assert gaps.min() < 1.0


def test_a_cross_section_reaches_from_edge_to_edge():
    section = CrossSection.at(ring_track(100.0, 10.0), 0.0)
    assert section.left == pytest.approx((95.0, 0.0), abs=1e-6)
    assert section.right == pytest.approx((105.0, 0.0), abs=1e-6)
    assert section.along == pytest.approx((0.0, 1.0), abs=1e-6)


def test_a_gallery_has_one_map_each(tmp_path):
    tracks = [circuit(name) for name in CIRCUITS]
    figure = plot_tracks(tracks, tmp_path / "all.png")
    assert [axes.get_title(loc="left") for axes in figure.axes] == [track.name for track in tracks]
    assert (tmp_path / "all.png").stat().st_size > 10_000
    assert len(plot_tracks(tracks[:1]).axes) == 1


def test_a_description_names_the_kind_of_track():
    assert describe(open_track(name="A")).endswith("9 m wide  ·  open")
    assert describe(ring_track()).startswith("628 m")


def test_wrong_paths_are_refused_before_drawing(tmp_path):
    class Untouchable:
        def __getattr__(self, name):
            raise AssertionError(name)

    with pytest.raises(InputError, match="end the name in"):
        plot_track(Untouchable(), tmp_path / "a.bmp")
    with pytest.raises(FileError, match="does not exist"):
        plot_tracks([Untouchable()], tmp_path / "nowhere" / "a.png")
    with pytest.raises(InputError, match="at least one"):
        plot_tracks([])


def test_real_tracks_are_drawn(data_folder, tmp_path):
    files = sorted((data_folder / "tracks" / "tum").glob("*.csv"))
    if not files:
        pytest.skip("no tracks in the folder of real inputs")
    plot_tracks([read_track(path) for path in files], tmp_path / "real.png")
    assert (tmp_path / "real.png").stat().st_size > 10_000
