from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headway.errors import FileError, InputError
from headway.world.mesh_files import read_mesh
from headway.world.triangle_mesh import TriangleMesh

PLAIN = b"""# a roof
mtllib roof.mtl
o roof
v 0 0 0
v 1.0 0 0
v 1 1 5e-1
v 0 1 .5 1.0
vt 0 0
vn 0 0 1
usemtl tiles
s off
f 1/1/1 2//1 3/1 4
v -1 0 0
v -1 1 0.5
f -6 4 \\
  -1 -2
"""


def write(folder: Path, content: bytes) -> Path:
    path = folder / "mesh.obj"
    path.write_bytes(content)
    return path


def test_the_forms_that_files_come_in(tmp_path: Path) -> None:
    mesh = read_mesh(write(tmp_path, PLAIN))
    assert mesh.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 5], [0, 5, 4]]
    assert mesh.vertices[2].tolist() == [1.0, 1.0, 0.5]
    for other in (PLAIN.replace(b"\n", b"\r\n"), gzip.compress(PLAIN), b"\xef\xbb\xbf" + PLAIN):
        again = read_mesh(write(tmp_path, other))
        assert np.array_equal(again.triangles, mesh.triangles)
        assert np.array_equal(again.vertices, mesh.vertices)


def test_y_up_becomes_z_up_and_stays_right_handed(tmp_path: Path) -> None:
    path = write(tmp_path, b"v 0 7 0\nv 0 7 1\nv 1 7 0\nf 1 2 3\n")
    mesh = read_mesh(path, up="y")
    assert (mesh.vertices[:, 2] == 7.0).all()
    a, b, c = mesh.vertices
    assert np.cross(b - a, c - a).tolist() == [0.0, 0.0, 1.0]
    with pytest.raises(InputError, match="up is 'x'"):
        read_mesh(path, up="x")  # pyright: ignore[reportArgumentType]


@given(seed=st.integers(0, 2**32), count=st.integers(1, 40))
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read(tmp_path: Path, seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    mesh = TriangleMesh(rng.normal(size=(count, 3)) * 1e3, rng.integers(count, size=(count, 3)))
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    back = rng.random() < 0.5
    lines += ["f {} {} {}".format(*(t - count if back else t + 1)) for t in mesh.triangles]
    again = read_mesh(write(tmp_path, "\n".join(lines).encode()))
    assert np.array_equal(again.vertices, mesh.vertices)
    assert np.array_equal(again.triangles, mesh.triangles)


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"", None, "empty"),
        (b"v 0 0 0\n", 1, "without any face"),
        (b"v 0 0\n", 1, "has 2 numbers"),
        (b"v 0 0 x\n", 1, "'x' is no usable number"),
        (b"v 0 0 1_0\n", 1, "no usable number"),
        (b"v 0 0 nan\n", 1, "no usable number"),
        (b"v 0 0 1e300\n", 1, "no usable number"),
        (b"v 0 0 0\nf 1 1\n", 2, "has 2 corners"),
        (b"v 0 0 0\nf 1 1 0\n", 2, "'0' is no corner"),
        (b"v 0 0 0\nf 1 1 -2\n", 2, "'-2' is no corner"),
        (b"v 0 0 0\nf 1 1 1.0\n", 2, "is no corner"),
        (b"v 0 0 0\nf 1 1 1/x\n", 2, "is no corner"),
        (b"v 0 0 0\nf 1 1 /1\n", 2, "is no corner"),
        (b"v 0 0 0\nf 1 1 1\nf 1 1 2\n", 3, "names vertex 2, but there are only 1"),
        (b"v 0 0 0\nf 1 1 99999999999999999999\n", 2, "is no corner"),
        (b"<html>\n", 1, "expected a statement"),
        (b"v " + b"0" * 20_000, 1, "longer than"),
        (b"\x1f\x8bnothing", None, "gzip"),
    ],
)
def test_the_line_at_fault_is_named(
    tmp_path: Path, content: bytes, line: int | None, said: str
) -> None:
    with pytest.raises(FileError, match=said) as caught:
        read_mesh(write(tmp_path, content))
    assert caught.value.line == line


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError):
        read_mesh(tmp_path / "absent.obj")
    with pytest.raises(FileError):
        read_mesh(tmp_path)


@given(data=st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_refused_or_is_a_mesh(tmp_path: Path, data: st.DataObject) -> None:
    content = bytearray(PLAIN)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[at] = data.draw(st.sampled_from(list(b"\0\n\\ #/-0159.evfx\xff")))
        else:
            del content[at : at + data.draw(st.integers(1, 20))]
    try:
        mesh = read_mesh(write(tmp_path, bytes(content)))
    except FileError:
        return
    assert np.isfinite(mesh.vertices).all()
    assert mesh.triangles.max() < len(mesh.vertices)


@pytest.mark.parametrize("path", [None, 0, 1])
def test_what_is_no_name_of_a_file_is_refused(path: object) -> None:
    with pytest.raises(InputError, match=f"path is {path}"):
        read_mesh(path)  # type: ignore[arg-type]


def test_meshes_among_the_real_inputs_are_read(data_folder: Path) -> None:
    paths = sorted((data_folder / "meshes").glob("*.obj"))
    if not paths:
        pytest.skip("no meshes among the real inputs")
    for path in paths:
        mesh = read_mesh(path)
        lines = path.read_text().splitlines()
        faces = [line.split() for line in lines if line.startswith("f ")]
        assert len(mesh) == sum(len(face) - 3 for face in faces)
        vertices = [line.split()[1:4] for line in lines if line.startswith("v ")]
        assert np.array_equal(mesh.vertices, np.array(vertices, float))
