"""Text files by line: any line ending, gzip or not, and never more than the limit."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest

from headway.errors import FileError
from headway.world.text_lines import LINE_LIMIT, Lines, read_lines, shown


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("last", [True, False])
def test_any_line_ending(end, last):
    lines = Lines("a", b"\xef\xbb\xbfone" + end + end + b"  two\t" + (end if last else b""))
    assert [lines.take() for _ in range(3)] == [b"one", b"", b"two"]
    assert lines.ended
    assert lines.number == 3
    with pytest.raises(FileError, match="line 4: the file ends here; expected 'x'"):
        lines.expect("x")


def test_plain_and_packed_are_the_same(tmp_path):
    text = b"one\ntwo\n"
    for name, content in (("plain", text), ("packed", gzip.compress(text)), ("two", None)):
        halves = gzip.compress(text[:4], mtime=0) + gzip.compress(text[4:], mtime=0)
        (tmp_path / name).write_bytes(halves if content is None else content)
        assert read_lines(tmp_path / name, 100).data == text


def test_a_bomb_is_not_unpacked(tmp_path):
    path = tmp_path / "bomb.map.gz"
    path.write_bytes(gzip.compress(bytes(50_000_000)))
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=r"unpacks to more than the 1 MB"):
            read_lines(path, 1_000_000)
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_what_is_no_gzip_says_so(tmp_path):
    whole = gzip.compress(b"type octile\n" * 50, mtime=0)
    damaged = {
        "cut": whole[:-9],
        "head": whole[:5],
        "crc": whole[:-8] + bytes(8),
        "behind": whole + b"more",
        "body": whole[:12] + b"\xff" * 8 + whole[20:],
    }
    for name, content in damaged.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(FileError, match="cannot be unpacked by gzip"):
            read_lines(tmp_path / name, 10_000)


@pytest.mark.parametrize(
    "content",
    [b"", b" \n", gzip.compress(b"", mtime=0), gzip.compress(b"\n \n", mtime=0)],
    ids=["nothing", "blank", "nothing compressed", "blank compressed"],
)
def test_an_empty_file(tmp_path, content):
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(FileError, match="is empty"):
        read_lines(tmp_path / "a", 100)


def test_a_long_line_is_refused():
    with pytest.raises(FileError, match="longer than 10,000"):
        Lines("a", b"x" * (LINE_LIMIT + 1)).take()
    assert len(Lines("a", b"x" * LINE_LIMIT).take()) == LINE_LIMIT


@pytest.mark.parametrize(
    "field", [b"", b"-1", b"+1", b"1.0", b"1_0", b"0x1", b"\xd9\xa3", b"nan", b"9" * 400, b"13"]
)
def test_what_is_no_whole_number(field):
    with pytest.raises(FileError, match=r"width is .*; expected a whole number from 0 to 12"):
        Lines("a", b"").whole("width", field, 0, 12)


def test_what_is_shown_stays_on_one_line():
    assert "\n" not in shown(b"a\nb\x85\xff\0")
    assert len(shown(bytes(10_000))) < 150
