"""A race picture shows what happened, for races of every kind, and can be read."""

from __future__ import annotations

import numpy as np
import pytest
from made_race import made_race, open_track, ring_track
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba

from headway.errors import FileError, InputError
from headway.sim.race import Race
from headway.sim.run import run
from headway.view.lap_traces import KMH, best_lap
from headway.view.race_picture import plot_race
from headway.world.circuits import circuit


def without_trace(race):
    race.trace.state, race.trace.distance = race.trace.state[:0], race.trace.distance[:0]
    return race


RACES = {
    "three laps": lambda: made_race(ring_track(), [30, 34, 32, 28, 31, 29, 33, 27], laps=3),
    "one lap": lambda: made_race(ring_track(), [30, 31], laps=1),
    "one car": lambda: made_race(ring_track(), [30]),
    "open": lambda: made_race(open_track(), [30, 33, 31], laps=1),
    "nobody finished": lambda: made_race(ring_track(), [30, 31, 29], stops={0: 200, 1: 80, 2: 90}),
    "some finished": lambda: made_race(ring_track(), [30, 31, 29], stops={1: 700.0}),
    "nobody moved": lambda: made_race(ring_track(), [30, 31], stops={0: 0.0, 1: -4.0}),
    "twenty cars": lambda: made_race(ring_track(300.0), np.linspace(30, 40, 20), laps=5),
    "two hundred cars": lambda: made_race(ring_track(900.0), np.linspace(40, 30, 200), laps=2),
    "forty laps": lambda: made_race(ring_track(50.0), [20.0, 20.1], laps=40),
    "tiny": lambda: made_race(ring_track(9.5, 2.0), [3.0, 3.1], laps=4),
    "long": lambda: made_race(ring_track(1115.0, 14.0), [60.0, 61.0, 59.0], laps=2),
    "no trace": lambda: without_trace(made_race(ring_track(), [30, 31])),
}


def charts(figure):
    """The axes of the figure: map, positions, speeds and, with laps, the key to the colours."""
    by_title = {axes.get_title(loc="left"): axes for axes in figure.axes}
    return figure.axes[0], by_title["Positions"], by_title["Speed on the best lap"]


def driven(axes):
    """The lines of cars in the chart of speeds."""
    return [line for line in axes.lines if not line.get_label().startswith("_")]


def shown_ticks(axes):
    """The words at ticks that lie within their axes."""
    both = (
        (axes.get_xlim(), axes.get_xticklabels(), 0),
        (axes.get_ylim(), axes.get_yticklabels(), 1),
    )
    return [
        text
        for limits, texts, side in both
        for text in texts
        if text.get_text() and min(limits) <= text.get_position()[side] <= max(limits)
    ]


@pytest.mark.parametrize("kind", RACES)
def test_every_kind_of_race_is_drawn(kind, tmp_path):
    figure = plot_race(RACES[kind](), tmp_path / "race.png")
    assert (tmp_path / "race.png").read_bytes().startswith(b"\x89PNG")
    _, positions, speeds = charts(figure)
    for axes in (positions, speeds):
        assert axes.get_xlabel()
        assert axes.get_ylabel()


@pytest.mark.parametrize("kind", RACES)
def test_no_word_leaves_the_page_or_covers_another(kind):
    figure = plot_race(RACES[kind]())
    figure.canvas.draw()
    page = figure.bbox
    for axes in [figure, *figure.axes]:
        boxes = [text.get_window_extent() for text in axes.texts if text.get_text()]
        if axes is not figure:
            boxes += [text.get_window_extent() for text in shown_ticks(axes)]
            boxes += [axes.get_legend().get_window_extent()] if axes.get_legend() else []
        for i, box in enumerate(boxes):
            assert page.x0 <= box.x0 <= box.x1 <= page.x1
            assert page.y0 <= box.y0 <= box.y1 <= page.y1
            shrunk = box.shrunk(0.9, 0.7)
            assert not any(shrunk.overlaps(other.shrunk(0.9, 0.7)) for other in boxes[:i])


def test_positions_are_those_of_the_race():
    race = RACES["some finished"]()
    _, positions, _ = charts(plot_race(race))
    (lines,) = [c for c in positions.collections if isinstance(c, LineCollection)]
    drawn = [np.asarray(line) for line in lines.get_segments()]
    for row, line in zip(race.standings, drawn, strict=True):
        reached = race.positions_by_lap[:, row.car - 1]
        assert line[:, 0].tolist() == np.flatnonzero(reached).tolist()
        assert line[:, 1].tolist() == reached[reached > 0].tolist()
    top, bottom = positions.get_ylim()[1], positions.get_ylim()[0]
    assert top < 1 < len(drawn) < bottom
    names = {text.get_text(): text.xy for text in positions.texts}
    assert names["car 1"][0] == 2
    assert names["car 2"][0] == 1


def test_a_car_has_one_colour():
    race = made_race(ring_track(500.0), [50, 54, 52, 48, 51, 49, 53, 47], laps=2)
    big, positions, speeds = charts(plot_race(race))
    (lines,) = [c for c in positions.collections if isinstance(c, LineCollection)]
    first_three = [to_rgba(colour) for colour in lines.get_colors()[:3]]
    assert [to_rgba(line.get_color()) for line in driven(speeds)] == first_three
    (close_up,) = big.child_axes
    inset = [c.get_colors()[0] for c in reversed(close_up.collections)]
    assert [to_rgba(colour) for colour in inset] == first_three
    assert len({to_rgba(colour) for colour in lines.get_colors()}) == 8


def test_speeds_are_in_kilometres_per_hour_over_the_lap():
    race = made_race(ring_track(200.0), [50.0, 40.0], laps=2)
    _, _, speeds = charts(plot_race(race))
    fast, slow = driven(speeds)
    assert np.asarray(fast.get_ydata()) == pytest.approx(180.0)
    assert np.asarray(slow.get_ydata())[:-1] == pytest.approx(144.0)
    assert fast.get_xdata()[0] < 0.01
    assert fast.get_xdata()[-1] == pytest.approx(race.track.length / 1000, abs=0.01)
    labels = [text.get_text() for text in speeds.get_legend().get_texts()]
    assert labels == [
        f"car 1  0:{race.track.length / 50:.3f}",
        f"car 2  0:{race.track.length / 40:.3f}",
    ]


def test_traces_lie_where_cars_drove_and_take_their_colour_from_speed():
    race = made_race(ring_track(100.0), [30.0, 20.0])
    big, _, _ = charts(plot_race(race))
    traces = [c for c in big.collections if isinstance(c, LineCollection)]
    assert len(traces) == 2
    for trace in traces:
        assert np.hypot(*np.concatenate(trace.get_segments()).T) == pytest.approx(100.0, abs=0.1)
    means = sorted(float(np.median(np.asarray(trace.get_array()))) for trace in traces)
    assert means == pytest.approx([20 * KMH, 30 * KMH])


def test_the_best_lap_is_cut_from_line_to_line():
    race = made_race(ring_track(), [30.0, 31.0], laps=3)
    race.lap_times[0] = [25.0, 20.0, 22.0]
    lap = best_lap(race, next(row for row in race.standings if row.car == 1))
    assert lap.time_s == 20.0
    assert 0.0 <= lap.distance[0] < 3.0 + 1e-9
    assert race.track.length <= lap.distance[-1] < race.track.length + 3.0 + 1e-9
    _, offset = race.track.route.project(lap.position)
    assert offset == pytest.approx(0.0, abs=1e-6)


def test_a_lap_that_was_not_completed_is_shown_as_such():
    race = RACES["nobody finished"]()
    figure = plot_race(race)
    labels = [t.get_text() for t in charts(figure)[2].get_legend().get_texts()]
    assert labels == ["car 1  unfinished", "car 3  unfinished", "car 2  unfinished"]
    assert any("nobody finished" in text.get_text() for text in figure.texts)


def test_the_jump_of_a_respawn_is_not_drawn():
    race = made_race(ring_track(), [30.0], laps=1)
    race.trace.state[100:, 0, :2] *= -1.0
    big, _, _ = charts(plot_race(race))
    (trace,) = [c for c in big.collections if isinstance(c, LineCollection)]
    lengths = [np.hypot(*np.diff(segment, axis=0)[0]) for segment in trace.get_segments()]
    assert max(lengths) < 4.0
    assert len(lengths) > 150


def test_rows_that_are_not_finite_are_left_out():
    race = made_race(ring_track(), [30.0, 31.0])
    race.trace.state[40:60, 1] = np.nan
    race.trace.distance[80:90, 0] = np.nan
    _, _, speeds = charts(plot_race(race))
    for line in driven(speeds):
        assert np.isfinite(line.get_xydata()).all()


def test_long_traces_are_thinned():
    race = made_race(ring_track(1000.0), [5.0], laps=1)
    lap = best_lap(race, race.standings[0])
    assert len(race.trace.time) > 10_000
    assert len(lap.speed) <= 1000
    assert lap.distance[-1] == pytest.approx(race.track.length, abs=1.0)


def test_titles_say_who_won():
    race = RACES["three laps"]()
    words = " ".join(text.get_text() for text in plot_race(race).texts)
    for fact in ("Ring", "628 m", "3 laps", "8 cars", "seed 7", "car 2 (gt) wins in"):
        assert fact in words


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_drawings_can_be_vectors(kind, tmp_path):
    plot_race(RACES["one lap"](), tmp_path / f"race.{kind}")
    assert (tmp_path / f"race.{kind}").stat().st_size > 10_000


def test_wrong_paths_are_refused_before_drawing(tmp_path):
    with pytest.raises(InputError, match="end the name in"):
        plot_race(object(), tmp_path / "race.jpeg")
    with pytest.raises(FileError, match="does not exist"):
        plot_race(object(), tmp_path / "nowhere" / "race.png")


@pytest.mark.parametrize(
    ("name", "cars"), [("oval", [0, 1, 2]), ("hillclimb", [0, 1]), ("oval", [6, 3])]
)
def test_a_real_race_is_drawn(name, cars):
    race = run(Race(circuit(name), cars=cars, laps=1))
    figure = plot_race(race)
    labels = [text.get_text() for text in charts(figure)[2].get_legend().get_texts()]
    assert [int(label.split()[1]) for label in labels] == [row.car for row in race.standings]


def test_a_lap_of_an_open_track_begins_and_ends_where_the_race_says():
    race = made_race(open_track(), [30.0, 31.0], laps=1)
    race.start_s, race.lap_length = 200.0, 1000.0
    big, _, speeds = charts(plot_race(race))
    places = {text.get_text(): text.get_position() for text in big.texts}
    for word, s in (("start", 200.0), ("finish", 1200.0)):
        gap = np.subtract(places[word], race.track.route.position(s)[:2])
        assert np.hypot(*gap) < 80.0
    assert speeds.get_xlim() == (0.0, 1.0)
