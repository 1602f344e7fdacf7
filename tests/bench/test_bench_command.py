"""``headway bench``: what it prints, as a table and as JSON, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from headway.bench import race as benching
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


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"fast": Part("Fast things", fast), "broken": Part("Broken things", broken)}
    monkeypatch.setattr(benching, "PARTS", made)


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
def test_without_a_name_it_lists_what_there_is(capsys) -> None:
    assert main(["bench"]) == 0
    assert capsys.readouterr().out.startswith("headway bench race  ")


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
    assert all(part in printed for part in PARTS)


def test_parts_are_measured_in_the_order_asked() -> None:
    assert list(measure([], True)) == []


def test_the_machine_is_described_without_naming_it() -> None:
    import platform

    told = " ".join(map(str, machine().values()))
    assert platform.node() not in told.split()
    assert "/" not in told.replace("/proc", "")
