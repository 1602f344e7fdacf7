"""The documents tell the truth: each of their code blocks is run, in order, in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import headway

ROOT = Path(__file__).parents[1]
SOURCE = str(Path(headway.__file__).parents[1])
DOCUMENTS = [
    path
    for path in (
        ROOT / "README.md",
        ROOT / "ARCHITECTURE.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").glob("**/*.md")),
    )
    if path.is_file()
]
BLOCK = re.compile(
    r"(?P<mark><!-- no-run: (?P<reason>[^\n]+?) -->\n+)?"
    r"^(?P<indent> *)```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
SHELLS = {"sh", "bash", "shell", "console"}
# what changes the machine, or runs these very tests, and so cannot run inside them
NOT_RUN = (
    "git clone ",
    "cd ",
    "python3 -m pip install ",
    "pip install ",
    "uv ",
    ".ci/run",
    "bash ",
)


class Block(NamedTuple):
    """One fenced block of a document."""

    language: str
    code: str
    line: int
    reason: str | None

    @property
    def commands(self) -> list[str]:
        lines = [line.strip() for line in self.code.splitlines()]
        if self.language == "console":  # the other lines are what the commands print
            return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        return [line for line in lines if line and not line.startswith("#")]


def blocks_of(text: str) -> list[Block]:
    return [
        Block(
            found["language"],
            re.sub(f"^{found['indent']}", "", found["code"], flags=re.MULTILINE),
            text[: found.start("code")].count("\n") + 1,
            found["reason"],
        )
        for found in BLOCK.finditer(text)
    ]


def run_command(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program, *arguments = shlex.split(command, comments=True)
    assert program == "headway", f"only headway itself is run here: mark '{command}' as no-run"
    return subprocess.run(
        [sys.executable, "-m", "headway", *arguments],
        env={**os.environ, "PYTHONPATH": SOURCE},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def run_document(text: str, name: str, folder: Path) -> None:
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks_of(text):
        if block.reason:
            continue
        if block.language == "python":
            code = "\n" * (block.line - 1) + block.code  # so that an error names the right line
            exec(compile(code, name, "exec"), namespace)  # noqa: S102
        elif block.language in SHELLS:
            for command in block.commands:
                done = run_command(command, folder)
                assert done.returncode == 0, f"{name}, {command}: {done.stderr}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_block_runs(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_document(document.read_text(encoding="utf-8"), document.name, tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_what_cannot_run_here_is_exempt(document: Path) -> None:
    for block in blocks_of(document.read_text(encoding="utf-8")):
        if block.reason:
            assert block.language in SHELLS, f"line {block.line} can run: {block.code}"
            for command in block.commands:
                assert command.startswith(NOT_RUN), f"line {block.line} can run: {command}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_within_the_project_leads_somewhere(document: Path) -> None:
    text = re.sub(BLOCK, "", document.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in target and not target.startswith("mailto:"):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_blocks_are_found_and_failures_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """# Title
```python
number = 1
```
<!-- no-run: for a fresh machine -->
```sh
pip install headway
```
- a list
  ```python
  number += 1
  assert number == 2
  ```
```console
$ headway --version
headway 0.0.0
```
"""
    monkeypatch.chdir(tmp_path)
    blocks = blocks_of(text)
    assert [block.language for block in blocks] == ["python", "sh", "python", "console"]
    assert [block.line for block in blocks] == [3, 7, 11, 15]
    assert [block.reason for block in blocks] == [None, "for a fresh machine", None, None]
    run_document(text, "good.md", tmp_path)
    with pytest.raises(AssertionError, match="nonsense"):
        run_document("```sh\nheadway nonsense\n```\n", "bad.md", tmp_path)
    with pytest.raises(AssertionError, match="mark 'pip list' as no-run"):
        run_document("```sh\npip list\n```\n", "bad.md", tmp_path)
    with pytest.raises(ZeroDivisionError):
        run_document("```python\n1 / 0\n```\n", "bad.md", tmp_path)
