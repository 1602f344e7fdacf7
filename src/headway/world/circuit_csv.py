"""Circuits as comma-separated text: TUM racetracks, F1TENTH lines, plain waypoints."""

from __future__ import annotations

from os import PathLike

import numpy as np

from headway.errors import FileError
from headway.world.number_table import NumberTable, read_table
from headway.world.outline import Outline

ROLES = {
    "x": "x",
    "y": "y",
    "z": "z",
    "w_tr_right": "right",
    "w_right": "right",
    "width_right": "right",
    "w_tr_left": "left",
    "w_left": "left",
    "width_left": "left",
}

UNNAMED = {
    2: ("x", "y"),
    3: ("x", "y", "z"),
    4: ("x", "y", "right", "left"),
    7: ("s", "x", "y", "psi", "kappa", "vx", "ax"),
}
"""The columns of files without a heading, by their number."""

ANSWERS = {"yes": True, "true": True, "no": False, "false": False}


def parse_csv(path: str | PathLike[str], content: bytes) -> Outline:
    r"""Read the outline of a circuit from text.

    A heading that names the columns decides what they are. Without one, two columns are
    ``x, y``, three ``x, y, z``, four ``x, y, right width, left width`` (TUM's order: right before
    left) and seven a raceline ``s, x, y, psi, kappa, vx, ax``. Comments of the form
    ``# closed: no``, ``# name: ...``, ``# joined: straight``, ``# wall_distance: 0.5`` and
    ``# sectors: 0.3 0.7`` before the numbers say what columns cannot.

    Parameters
    ----------
    path : str or path-like
        Names the file in errors; it is not opened.
    content : bytes
        The file's content.

    Returns
    -------
    Outline
        In m, world frame; not yet checked.

    Raises
    ------
    FileError
        If the content is not a table or its columns cannot be told apart.

    Examples
    --------
    >>> parse_csv("a.csv", b"# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,4,5\n9,0,4,5\n").widths
    array([[5., 4.],
           [5., 4.]])
    """
    table = read_table(path, content)
    column = _columns(path, table)
    planar = [column["x"], column["y"]]
    points = table.values[:, [*planar, column["z"]] if "z" in column else planar]
    widths = table.values[:, [column["left"], column["right"]]] if "left" in column else None
    return Outline(
        np.ascontiguousarray(points),
        None if widths is None else np.ascontiguousarray(widths),
        closed=_answer(path, table.remarks, "closed", ANSWERS),
        smooth=_answer(path, table.remarks, "joined", {"smoothly": True, "straight": False})
        is not False,
        name=table.remarks.get("name") or None,
        wall_distance=(_numbers(path, table.remarks, "wall_distance") or (np.inf,))[0],
        sectors=_numbers(path, table.remarks, "sectors"),
        line_of=table.line_of,
    )


def format_csv(outline: Outline) -> bytes:
    """Write an outline as text, in TUM's order of columns and with every digit.

    Parameters
    ----------
    outline : Outline
        In m, world frame.

    Returns
    -------
    bytes
        The content of the file; `parse_csv` gives back the same outline.
    """
    remarks = [f"closed: {'yes' if outline.closed else 'no'}"]
    if outline.name:
        remarks.insert(0, f"name: {' '.join(outline.name.split())}")
    if not outline.smooth:
        remarks.append("joined: straight")
    if np.isfinite(outline.wall_distance):
        remarks.append(f"wall_distance: {float(outline.wall_distance)!r}")
    if outline.sectors is not None:
        remarks.append(f"sectors: {' '.join(repr(float(end)) for end in outline.sectors)}")
    names = ["x_m", "y_m", "z_m"][: outline.points.shape[1]]
    columns = [outline.points]
    if outline.widths is not None:
        names += ["w_tr_right_m", "w_tr_left_m"]
        columns.append(outline.widths[:, ::-1])
    head = [f"# {line}" for line in [*remarks, ",".join(names)]]
    rows = [",".join(map(repr, row)) for row in np.hstack(columns).tolist()]
    return "\n".join([*head, *rows, ""]).encode()


def _columns(path: str | PathLike[str], table: NumberTable) -> dict[str, int]:
    """Which column holds what."""
    count = table.values.shape[1]
    if table.names is None:
        if count not in UNNAMED:
            problem = f"has {count} columns and no heading to tell what they are"
            remedy = "add one such as '# x_m,y_m,w_tr_right_m,w_tr_left_m'"
            raise FileError(path, f"{problem}; {remedy}", table.start + 1)
        return {role: index for index, role in enumerate(UNNAMED[count])}
    if len(table.names) != count:
        problem = f"has {count} columns where the heading names {len(table.names)}"
        raise FileError(path, f"{problem}; make the two agree", table.start + 1)
    roles = [ROLES.get(name.removesuffix("_m"), name) for name in table.names]
    twice = next((role for role in roles if role in ROLES.values() and roles.count(role) > 1), None)
    if twice:
        raise FileError(path, f"the heading names {twice!r} twice; keep one of the columns")
    if ("left" in roles) != ("right" in roles):
        there, missing = ("left", "right") if "left" in roles else ("right", "left")
        problem = f"the heading names a {there} width but no {missing} width"
        raise FileError(path, f"{problem}; give both or none")
    return {role: index for index, role in enumerate(roles)}


def _answer(
    path: str | PathLike[str], remarks: dict[str, str], key: str, answers: dict[str, bool]
) -> bool | None:
    if key not in remarks:
        return None
    answer = answers.get(remarks[key].lower())
    if answer is None:
        choices = " or ".join(f"'{choice}'" for choice in answers)
        raise FileError(path, f"the comment '{key}' says {remarks[key][:24]!r}; write {choices}")
    return answer


def _numbers(
    path: str | PathLike[str], remarks: dict[str, str], key: str
) -> tuple[float, ...] | None:
    if key not in remarks:
        return None
    try:
        return tuple(float(word) for word in remarks[key].replace(",", " ").split())
    except ValueError as error:
        problem = f"the comment '{key}' says {remarks[key][:24]!r}; write numbers"
        raise FileError(path, problem) from error
