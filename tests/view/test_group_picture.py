"""Pictures and animations of groups: what is on them, looked at as pixels."""

import numpy as np
import pytest
from PIL import Image

from headway.errors import InputError
from headway.sim.group_run import Scenario, Stage, run_group
from headway.view.figure import CAR_COLOURS, new_figure
from headway.view.group_animation import animate_group
from headway.view.group_drawing import (
    KEY_LINE,
    OBSTACLE,
    add_looks_key,
    frame_stage,
    key_lines,
    number_words,
)
from headway.view.group_picture import plot_group
from headway.world.agents import Agents


def made(count=6, seconds=2.0, states=True):
    """Agents in two teams that fly to the right; after one second those of team 0 say so."""
    position = np.column_stack((np.linspace(0.0, 3.0, count), np.linspace(0.5, 4.5, count)))
    agents = Agents.at(position, (2.0, 0.0), radius=0.1, team=np.arange(count) % 2, dt=0.05)

    def fly(agents, memory):
        return agents.where(position=agents.position + agents.dt * agents.velocity), memory + 1

    def state_of(memory):
        return np.where(agents.team == 0, int(memory > 20), -1)

    stage = Stage(
        np.array((-1.0, 0.0)),
        np.array((9.0, 5.0)),
        circles=np.array([(8.0, 2.5, 0.6)]),
        places={"home & $goal$": np.array((7.0, 4.0))},
    )
    chosen = {"states": ("rest", "fly"), "state_of": state_of} if states else {}
    return run_group(
        Scenario(
            "Flight", "Some fly.", agents, 0, fly, seconds, stage, teams=("bird", "kite"),
            numbers=lambda run: {"agents": count, "way, m": 4.0}, **chosen,
        )
    )  # fmt: skip


def share(image, colour, tolerance=12):
    rgb = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)])
    pixels = np.asarray(image.convert("RGB"), int)
    return float((np.abs(pixels - rgb).max(axis=2) <= tolerance).mean())


def test_picture_shows_teams_states_ways_and_obstacles(tmp_path):
    file = plot_group(made(), tmp_path / "flight.png")
    with Image.open(file) as page:
        image = page.crop((0, 0, page.width, page.height - 150))  # without the key
    assert share(image, CAR_COLOURS[1]) > 1e-4  # kites have no state
    assert share(image, CAR_COLOURS[2], 130) > 3e-4  # the faint ways of birds at rest, at first
    assert share(image, CAR_COLOURS[3]) > 1e-4  # who later fly
    assert share(image, CAR_COLOURS[0]) == 0.0  # no bird is without a state
    assert share(image, OBSTACLE) > 1e-3


@pytest.mark.parametrize("name", ["flight.svg", "flight.pdf"])
def test_equal_runs_give_equal_files(name, tmp_path):
    first = plot_group(made(), tmp_path / name).read_bytes()
    assert plot_group(made(), tmp_path / name).read_bytes() == first


def test_many_agents_are_drawn_with_the_last_of_their_ways_only(tmp_path):
    with Image.open(plot_group(made(60, states=False), tmp_path / "many.png")) as image:
        assert share(image, CAR_COLOURS[0]) > 1e-3


def test_animation_moves_and_lasts_as_long_as_the_run(tmp_path):
    file = animate_group(made(), tmp_path / "flight.gif")
    with Image.open(file) as animation:
        frames = animation.n_frames
        total = first = last = 0
        for number in range(frames):
            animation.seek(number)
            total += animation.info["duration"]
            if number == 0:
                first = np.asarray(animation.convert("RGB"), int)
            last = np.asarray(animation.convert("RGB"), int)
    assert frames == 41
    assert total - 1500 == pytest.approx(2000, abs=100)
    assert np.abs(last - first).max() > 100
    again = animate_group(made(), tmp_path / "again.gif")
    assert again.read_bytes() == file.read_bytes()


def standing(count, teams, stage, **kwargs):
    agents = Agents.at(
        np.full((count, 2), 0.5), radius=0.1, team=np.arange(count) % teams, **kwargs
    )
    names = tuple(f"team of the {k}" for k in range(teams))
    return run_group(
        Scenario("S", "They stand.", agents, 0, lambda a, m: (a, m), 0.1, stage, teams=names)
    )


@pytest.mark.parametrize("size", [(10, 8), (1000, 1), (1, 1000)])
@pytest.mark.parametrize(("count", "alive"), [(0, True), (4, False), (60, True)])
def test_no_agents_dead_ones_and_many_teams_are_drawn_on_any_stage(size, count, alive, tmp_path):
    run = standing(count, 30, Stage((0, 0), size, places={"end": size}), alive=alive)
    for file in (plot_group(run, tmp_path / "a.png"), animate_group(run, tmp_path / "a.gif")):
        with Image.open(file) as image:
            assert image.height > 200


def test_keys_and_labels_stay_on_the_page():
    corners = {"a": (0, 0), "b": (9, 0), "c": (9, 9), "d": (0, 9)}
    stage = Stage((0, 0), (9, 9), places=corners | {"a long name": (8.9, 4.0), "near": (8.8, 4.1)})
    run = standing(60, 30, stage)
    figure = new_figure(9.0, 9.0)
    axes = figure.add_axes((0.1, 0.4, 0.8, 0.5))
    frame_stage(axes, stage)
    add_looks_key(figure, run, 0.1, 0.02, 5.2)
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in axes.texts]
    around = axes.get_window_extent()
    for k, box in enumerate(boxes):
        assert around.x0 <= box.x0 <= box.x1 <= around.x1
        assert around.y0 <= box.y0 <= box.y1 <= around.y1
        assert not any(box.overlaps(other) for other in boxes[:k])
    key = figure.legends[0].get_window_extent()
    assert key.x1 < figure.bbox.x1
    assert key.y1 <= 0.02 * figure.bbox.height + KEY_LINE * 110 * (key_lines(run, 5.2) + 1)
    assert figure.legends[0].get_texts()[-1].get_text() == "11 more"


def test_an_animation_is_a_gif(tmp_path):
    with pytest.raises(InputError, match=r"end the name in \.gif"):
        animate_group(made(), tmp_path / "flight.mp4")


def test_numbers_as_people_read_them():
    assert [number_words(value) for value in (3, 0.12345, 12345.6, 0.0, -2.0, "no")] == [
        "3", "0.123", "12,346", "0", "-2", "no",
    ]  # fmt: skip
