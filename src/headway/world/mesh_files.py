"""Triangle meshes from files: Wavefront OBJ.

References
----------
Advanced Visualizer manual, appendix B1: object files (.obj). Alias|Wavefront, 1995.
"""

from __future__ import annotations

import math
from array import array
from itertools import pairwise
from os import PathLike
from typing import Literal

import numpy as np

from headway.errors import InputError
from headway.world.surface_contacts import LARGEST
from headway.world.text_lines import Lines, read_lines, shown
from headway.world.triangle_mesh import TriangleMesh

FILE_LIMIT = 300_000_000
"""Bytes."""
TRIANGLE_LIMIT = 5_000_000
UNUSED = frozenset(
    b"vt vn vp deg bmat step cstype p l curv curv2 surf parm trim hole scrv sp end con g s mg o "
    b"bevel c_interp d_interp lod shadow_obj trace_obj ctech stech usemtl mtllib usemap maplib "
    b"call csh".split()
)
"""Words of the format that say nothing about where the surface is."""


def read_mesh(path: str | PathLike[str], *, up: Literal["z", "y"] = "z") -> TriangleMesh:
    r"""Read the vertices and faces of a Wavefront OBJ file, which gzip may have compressed.

    Polygons become fans of triangles about their first corner, so they should be convex. Normals,
    textures, groups and materials are passed over, and so are lines, points and free-form curves.

    Parameters
    ----------
    path : str or path-like
        The file, of at most 300 MB and five million triangles.
    up : {"z", "y"}
        Which way is up in the file. From y up, (x, y, z) becomes (x, -z, y).

    Returns
    -------
    TriangleMesh
        In the file's unit of length, taken for m; z is up.

    Raises
    ------
    FileError
        If the file is no such mesh; names the line and the remedy.
    InputError
        If up is neither of the two, or the path is no name.

    Examples
    --------
    >>> import os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "square.obj")
    >>> with open(path, "w") as file:
    ...     _ = file.write("v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\nf 1 2 3 4\n")
    >>> read_mesh(path, up="y").ray([[0.5, -0.5, 3.0]], [[0.0, 0.0, -1.0]]).distance.tolist()
    [3.0]
    """
    if up not in ("z", "y"):
        raise InputError(f"up is {up!r}; give 'z' or 'y'.")
    if not isinstance(path, str | PathLike):
        raise InputError(f"path is {path!r}; give the name of a file.")
    lines = read_lines(path, FILE_LIMIT)
    places, corners, origins = array("d"), array("q"), array("q")
    while not lines.ended:
        words = _take_statement(lines)
        if not words:
            continue
        if words[0] == b"v":
            _add_vertex(lines, words, places)
        elif words[0] in (b"f", b"fo"):
            _add_face(lines, words, len(places) // 3, corners)
            origins.extend([lines.number] * (len(corners) // 3 - len(origins)))
        elif words[0] not in UNUSED:
            problem = f"expected a statement of an OBJ file but found {shown(words[0])}"
            raise lines.error(f"{problem}; remove the line if it is none of the mesh")
    return _mesh(lines, places, corners, origins, up)


def _take_statement(lines: Lines) -> list[bytes]:
    """The words of the next line, and of those that it says it goes on in, without a comment."""
    line = lines.take().partition(b"#")[0]
    words = line.removesuffix(b"\\").split()
    while line.endswith(b"\\") and not lines.ended:
        line = lines.take().partition(b"#")[0]
        words += line.removesuffix(b"\\").split()
    return words


def _add_vertex(lines: Lines, words: list[bytes], places: array[float]) -> None:
    """Note where a vertex is; a weight or colours may follow."""
    if not 4 <= len(words) <= 8:
        raise lines.error(f"has {len(words) - 1} numbers; expected a vertex like 'v 0.5 1 2'")
    for word in words[1:4]:
        try:
            value = float(word) if b"_" not in word else math.nan
        except ValueError:
            value = math.nan
        if not abs(value) <= LARGEST:
            raise lines.error(f"{shown(word)} is no usable number; write numbers like 12.5")
        places.append(value)


def _add_face(lines: Lines, words: list[bytes], count: int, corners: array[int]) -> None:
    """Note the triangles of a polygon, by vertices from 0, some of which may come later."""
    if len(words) < 4:
        raise lines.error(f"a face has {len(words) - 1} corners; expected at least 3")
    if len(corners) // 3 + len(words) - 3 > TRIANGLE_LIMIT:
        raise lines.error(f"has more than the {TRIANGLE_LIMIT:,} triangles that are read at most")
    polygon = [_vertex_of(lines, word, count) for word in words[1:]]
    for b, c in pairwise(polygon[1:]):
        corners.extend((polygon[0], b, c))


def _vertex_of(lines: Lines, word: bytes, count: int) -> int:
    """The vertex of a corner like 7, 7/1, 7//3 or 7/1/3; negative ones are counted backwards."""
    fields = word.split(b"/")
    valid = len(fields) <= 3 and fields[0] != b""
    for field in fields:
        digits = field.removeprefix(b"-")
        valid = valid and (field == b"" or (digits.isdigit() and len(digits) < 10))
    number = int(fields[0]) if valid else 0
    if number == 0 or number < -count:
        problem = f"{shown(word)} is no corner of a face; write the number of a vertex, from 1"
        raise lines.error(f"{problem} on, or back from -1, of {count} so far")
    return number - 1 if number > 0 else count + number


def _mesh(
    lines: Lines, places: array[float], corners: array[int], origins: array[int], up: str
) -> TriangleMesh:
    vertices = np.array(places, np.float64).reshape(-1, 3)
    triangles = np.array(corners, np.int64).reshape(-1, 3)
    if not len(triangles):
        raise lines.error("the file ends without any face; expected lines like 'f 1 2 3'")
    missing = (triangles >= len(vertices)).any(axis=1)
    if missing.any():
        row = int(np.argmax(missing))
        lines.number = origins[row]
        problem = f"names vertex {int(triangles[row].max()) + 1}"
        raise lines.error(f"{problem}, but there are only {len(vertices)}; complete the file")
    if up == "y":
        vertices = np.stack((vertices[:, 0], 0.0 - vertices[:, 2], vertices[:, 1]), axis=1)
    return TriangleMesh(vertices, triangles)
