"""``headway circuits`` lists what there is, for people and for programs."""

from __future__ import annotations

import io
import json
import sys

import pytest

from headway.cli import main
from headway.world.circuits import CIRCUITS, circuit


def test_the_table_names_every_circuit(capsys):
    assert main(["circuits"]) == 0
    output = capsys.readouterr().out
    for name in CIRCUITS:
        assert name in output
        assert f"{circuit(name).length / 1000:.2f} km" in output
    assert max(map(len, output.splitlines())) <= 80
    assert sum(0x2800 < ord(letter) < 0x2900 for letter in output) > 20 * len(CIRCUITS)


def test_without_unicode_the_plots_are_plain(monkeypatch):
    page = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors="strict")
    monkeypatch.setattr(sys, "stdout", page)
    assert main(["circuits"]) == 0
    page.flush()
    output = page.buffer.getvalue().decode("ascii")
    assert output.count("***") > len(CIRCUITS)
    assert "?" not in output


def test_json_agrees_with_the_tracks(capsys):
    assert main(["circuits", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["written"] == []
    assert [row["circuit"] for row in listed["circuits"]] == list(CIRCUITS)
    for row in listed["circuits"]:
        track = circuit(row["circuit"])
        assert row["length_m"] == pytest.approx(track.length, abs=0.001)
        assert row["closed"] == track.closed
        assert row["corners"] == len(track.corners())
        assert row["description"] == CIRCUITS[row["circuit"]]
        low, high = row["width_m"]
        assert low <= track.route.width(0.0).sum() <= high
        heights = track.route.waypoints[:, 2] if track.route.waypoints.shape[1] == 3 else [0.0]
        assert row["climb_m"] >= max(heights) - min(heights) - 0.1


def test_all_are_drawn_to_a_file(tmp_path, capsys):
    path = tmp_path / "circuits.png"
    assert main(["circuits", "--plot", str(path)]) == 0
    assert path.read_bytes().startswith(b"\x89PNG")
    assert f"wrote {path}" in capsys.readouterr().out


@pytest.mark.parametrize(("name", "code"), [("circuits.gif", 2), ("nowhere/circuits.png", 1)])
def test_a_wrong_path_is_one_sentence(tmp_path, capsys, name, code):
    assert main(["circuits", "--plot", str(tmp_path / name)]) == code
    output = capsys.readouterr()
    assert output.out == ""
    assert len(output.err.strip().splitlines()) == 1
