"""``headway flock`` as it is typed."""

from __future__ import annotations

import json
import os

import pytest
from PIL import Image

from headway.cli import main
from headway.sim.flocks import SCENARIOS


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(capsys, *arguments):
    assert main(["flock", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


def test_a_scenario_gives_numbers_picture_and_animation(capsys, elsewhere):
    assert main(["flock", "seek", "--seconds", "3"]) == 0
    out = capsys.readouterr().out
    assert "Overshoot of seek" in out
    assert "wrote flock.png" in out
    assert "wrote flock.gif" in out
    assert set(os.listdir(elsewhere)) == {"flock.png", "flock.gif"}
    with Image.open("flock.gif") as animation:
        assert animation.n_frames > 50


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_runs_and_the_same_seed_gives_the_same(name, capsys):
    runs = [asked(capsys, name, "--seconds", "1", "--seed", seed, "--no-files") for seed in "112"]
    for run in runs:
        run.pop("took_seconds")
    assert runs[0] == runs[1]
    assert runs[0]["scenario"] == name
    assert runs[0]["ticks"] == pytest.approx(1.0 / (runs[0]["seconds"] / runs[0]["ticks"]), abs=1)
    assert runs[0]["numbers"]


def test_help_names_every_scenario(capsys):
    assert main(["flock", "--help"]) == 0
    said = capsys.readouterr().out
    assert [name for name in SCENARIOS if name not in said] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["swarm"], "no scenario 'swarm'"),
        (["seek", "--seconds", "0"], "--seconds is 0"),
        (["seek", "--seconds", "nan"], "--seconds is nan"),
        (["seek", "--seconds", "1e9"], "at most 20,000 s"),
        (["seek", "--plot", "a.gif"], "end the name in .png, .svg or .pdf"),
        (["seek", "--animate", "a.png"], "end the name in .gif"),
        (["seek", "--plot", "a.png", "--no-files"], "--plot has no meaning with --no-files"),
        (["seek", "--seed", "1.5"], "whole number"),
        (["boids", "--seed", "99999999999999999999"], "seed is 99999999999999999999"),
    ],
)
def test_misuse_is_named_before_anything_is_run(arguments, message, capsys, elsewhere):
    assert main(["flock", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert os.listdir(elsewhere) == []


def test_a_folder_that_is_not_there_is_named(capsys):
    assert main(["flock", "seek", "--animate", "nowhere/a.gif"]) == 1
    assert "the folder 'nowhere' does not exist" in capsys.readouterr().err
