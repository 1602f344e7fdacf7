"""``headway bench``: what it prints, as a table and as JSON, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from headway.bench import path as path_bench
from headway.bench import race as race_bench
from headway.bench import steer as steer_bench
from headway.bench.headline import Figure, at_least, noted
from headway.bench.machine import machine
from headway.bench.race import PARTS, Part, measure
from headway.cli import USAGE, main
from headway.errors import InputError


def fast(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    say("something")
    yield at_least("a figure", 3.0 if quick else 7.0, 5.0, " M/s")
    yield noted("another", 2.0)


def broken(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    yield noted("before", 1.0)
    raise InputError("the track is too short.")


def quiet(quick: bool, say: Callable[[str], None]) -> Iterator[Figure]:
    yield noted("a third", 4.0)


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"fast": Part("Fast things", fast), "broken": Part("Broken things", broken)}
    monkeypatch.setattr(race_bench, "PARTS", made)
    monkeypatch.setattr(path_bench, "PARTS", {"quiet": Part("Quiet things", quiet)})
    monkeypatch.setattr(steer_bench, "PARTS", {"calm": Part("Calm things", quiet)})


@pytest.mark.usefixtures("parts")
def test_the_table_has_every_figure_and_counts_targets(capsys) -> None:
    assert main(["bench", "race"]) == 0
    printed = capsys.readouterr().out
    for text in ("Fast things", "a figure", "7 M/s", "≥ 5 M/s", "yes", "another", "before"):
        assert text in printed
    assert "1 of 2 targets met" in printed
    assert "the track is too short." in printed


@pytest.mark.usefixtures("parts")
def test_json_holds_the_same(capsys) -> None:
    assert main(["bench", "race", "--quick", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["bench"] == "race"
    assert report["quick"] is True
    assert report["machine"].keys() == machine().keys()
    first, second, third, fourth = report["figures"]
    assert first == {
        "part": "fast",
        "figure": "a figure",
        "measured": "3 M/s",
        "target": "≥ 5 M/s",
        "met": False,
        "values": {"value": 3.0, "unit": "M/s", "bound": 5.0},
    }
    assert second["target"] is None
    assert third["figure"] == "before"
    assert fourth["met"] is False


@pytest.mark.usefixtures("parts")
def test_only_some_parts_in_their_usual_order(capsys) -> None:
    assert main(["bench", "race", "--only", "broken, fast", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)["figures"]
    assert [figure["part"] for figure in figures] == ["fast", "fast", "broken", "broken"]
    assert main(["bench", "race", "--only", "fast"]) == 0
    assert "Broken" not in capsys.readouterr().out


@pytest.mark.usefixtures("parts")
def test_without_a_name_it_lists_what_there_is_and_measures_it(capsys) -> None:
    assert main(["bench"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("headway bench race  ")
    for text in ("headway bench path  ", "Fast things", "Quiet things", "a third"):
        assert text in printed


@pytest.mark.usefixtures("parts")
def test_all_benchmarks_as_json(capsys) -> None:
    assert main(["bench", "--json"]) == 0
    race, path, steer = json.loads(capsys.readouterr().out)["benches"]
    assert [each["bench"] for each in (race, path, steer)] == ["race", "path", "steer"]
    assert [figure["part"] for figure in path["figures"]] == ["quiet"]


@pytest.mark.usefixtures("parts")
def test_a_part_of_one_benchmark_without_its_name(capsys) -> None:
    assert main(["bench", "--only", "quiet", "--json"]) == 0
    (path,) = json.loads(capsys.readouterr().out)["benches"]
    assert path["bench"] == "path"
    assert main(["bench", "path", "--only", "fast"]) == USAGE
    assert "--only names 'fast': choose among quiet." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nonsense"], "no benchmark 'nonsense'"),
        (["race", "--only", "steps,nonsense"], "--only names 'nonsense'"),
        (["race", "--only", ""], "--only names ''"),
    ],
)
def test_what_there_is_not_is_refused(arguments: list[str], complaint: str, capsys) -> None:
    assert main(["bench", *arguments]) == USAGE
    assert complaint in capsys.readouterr().err


def test_the_help_names_every_part(capsys) -> None:
    assert main(["bench", "--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert all(part in printed for part in (*PARTS, *path_bench.PARTS, *steer_bench.PARTS))


def test_no_two_benchmarks_have_a_part_of_the_same_name() -> None:
    names = [*PARTS, *path_bench.PARTS, *steer_bench.PARTS]
    assert len(set(names)) == len(names)


def test_parts_are_measured_in_the_order_asked() -> None:
    assert list(measure([], True)) == []


def test_the_machine_is_described_without_naming_it() -> None:
    import platform

    told = " ".join(map(str, machine().values()))
    assert platform.node() not in told.split()
    assert "/" not in told.replace("/proc", "")
