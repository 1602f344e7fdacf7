"""Every public thing is explained, arrays with their shape, and every example does what it says."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import headway

PACKAGE = Path(headway.__file__).parent
MODULES = {
    ".".join(("headway", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECTION = re.compile(r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^(?P<names>\*{0,2}\w[\w, *]*?)(?: ?: ?(?P<type>[^\n]*))?$", re.MULTILINE)
ARRAY = re.compile(r"ndarray|NDArray|ArrayLike|\barrays?\b")
# "(N, 7)", "(N,)", "(..., D)", "(M, 2|3)", "(...)"; sizes may be words only in the line of the type
SIZE = r"(?:[A-Z0-9][\w*+|/ -]*|\.\.\.)"
SHAPE = re.compile(rf"\({SIZE}(?:,\s*{SIZE}?)+\)|\(\.\.\.\)")
SHAPE_OF_TYPE = re.compile(r"\([\w*+|/ -]+(?:,\s*(?:[\w*+|/ -]+)?)+\)")

Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def documented(tree: ast.Module) -> Iterator[tuple[str, Documented]]:
    """The module, its classes and functions and their methods, private ones too."""
    yield "module", tree
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    yield f"{node.name}.{method.name}", method


def is_public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


def is_overload(node: Documented) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(decorator, ast.Name) and decorator.id == "overload"
        for decorator in node.decorator_list
    )


def arrays_without_shape(function: ast.FunctionDef) -> list[str]:
    """Array parameters of a function that its Parameters section leaves out or gives no shape."""
    section = SECTION.search(ast.get_docstring(function) or "")
    if not section:
        return []
    entries = list(ENTRY.finditer(section[1]))
    ends = [entry.start() for entry in entries[1:]] + [len(section[1])]
    kind, text = {}, {}
    for entry, end in zip(entries, ends, strict=True):
        for name in entry["names"].replace("*", "").split(","):
            kind[name.strip()] = entry["type"] or ""
            text[name.strip()] = section[1][entry.end("names") : end]
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    arrays = {
        parameter.arg
        for parameter in parameters
        if parameter.annotation and ARRAY.search(ast.unparse(parameter.annotation))
    } | {name for name in kind if ARRAY.search(kind[name])}
    return sorted(
        name
        for name in arrays
        if not SHAPE_OF_TYPE.search(kind.get(name, "")) and not SHAPE.search(text.get(name, ""))
    )


@pytest.mark.parametrize("module", MODULES)
def test_everything_public_is_explained(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    silent = [
        name
        for name, node in documented(tree)
        if is_public(name) and not is_overload(node) and not ast.get_docstring(node)
    ]
    assert silent == []


@pytest.mark.parametrize("module", MODULES)
def test_every_array_has_its_shape(module: str) -> None:
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    missing = {
        name: arrays
        for name, node in documented(tree)
        if isinstance(node, ast.FunctionDef) and is_public(name)
        if (arrays := arrays_without_shape(node))
    }
    assert missing == {}


@pytest.mark.parametrize(
    "module", [name for name, path in MODULES.items() if ">>>" in path.read_text(encoding="utf-8")]
)
def test_every_example_does_what_it_says(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Docstrings are taken from the source: doctest itself does not look into compiled kernels.
    monkeypatch.chdir(tmp_path)
    path = MODULES[module]
    names = vars(importlib.import_module(module))
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for name, node in documented(ast.parse(path.read_text(encoding="utf-8"))):
        text = ast.get_docstring(node)
        line = getattr(node, "lineno", 0)
        if text and ">>>" in text:
            example = doctest.DocTestParser().get_doctest(text, {**names}, name, str(path), line)
            runner.run(example)
    assert runner.summarize(verbose=False).failed == 0, capsys.readouterr().out


def test_a_missing_shape_is_noticed() -> None:
    source = '''
def f(a: np.ndarray, b, c: float, d: ArrayLike, e):
    """Do.

    Parameters
    ----------
    a : ndarray of float
        Positions in metres.
    b : (N, 7) array
        States (m, rad, m/s).
    c : float
        A number.
    d, e : array of shape (..., 2)
        Points.

    Returns
    -------
    array
        Something.
    """
'''
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    assert arrays_without_shape(function) == ["a"]
