"""Do results go where they are asked for, and does what stands there survive?"""

import ast
import json
import os
import select
import stat
import threading
from pathlib import Path

import pytest

from lbhm.base.errors import Refusal
from lbhm.output import output, result_file, streams, tables


@pytest.fixture(autouse=True)
def own_state(monkeypatch):
    monkeypatch.setattr(result_file, "_on_stdout", False)


def test_of_a_link_the_target_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there/file")
    output.write_json(tmp_path / "link", {"a": 1})
    assert (tmp_path / "link").is_symlink()
    assert json.loads((tmp_path / "there/file").read_text()) == {"a": 1}
    assert [path.name for path in (tmp_path / "there").iterdir()] == ["file"]


def test_a_device_stays_a_device(tmp_path):
    try:
        os.mknod(tmp_path / "null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("needs root, to make a device")
    output.write_json(tmp_path / "null", {})
    assert stat.S_ISCHR((tmp_path / "null").stat().st_mode)


def test_a_pipe_reaches_its_reader_and_waits_for_none(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(Refusal, match="nobody reads this pipe"):
        output.write_json(pipe, {})
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(end, True)
    value = {"text": "x" * 200_000}
    writer = threading.Thread(target=output.write_json, args=(pipe, value))
    writer.start()
    select.select([end], [], [], 10)  # before the writer has opened it, a pipe is at its end
    with os.fdopen(end) as file:
        assert json.load(file) == value
    writer.join()


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_on_the_standard_output_json_is_alone(lbhm, name):
    done = lbhm("run", "--json", name, "--", "./good")
    assert done.returncode == 0, done.stderr
    start = done.stdout.index("{")
    report, rest = json.JSONDecoder().raw_decode(done.stdout[start:])
    assert report["schema"] == "lbhm.report/1"
    assert done.stdout[start + rest :].strip() == ""
    assert "A.C.V." in done.stderr


def test_tables_in_pipes_are_as_wide_as_they_need(capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    table = tables.plain_table("object", "bytes")
    names = [end * 150 for end in ("a", "b")]
    for name in names:
        table.add_row(name, "1")
    output.console().print(table)
    words = capsys.readouterr().out.split()
    assert set(names) < set(words)


def test_every_sign_that_is_drawn_has_an_ascii_one():
    """Of what stands in the command's texts."""
    drawn = set()
    for file in Path(output.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                drawn |= {sign for sign in node.value if not sign.isascii() and sign.isprintable()}
    assert drawn
    assert {sign for sign in drawn if not sign.translate(streams._ASCII).isascii()} == set()


def test_a_narrow_terminal_cuts_no_numbers(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    table = tables.plain_table("region", *"abcdef", right=tuple("abcdef"))
    table.add_row(tables.CutName("n" * 100, 60), *["1234567.9"] * 6)
    output.console().print(table)
    out = capsys.readouterr().out
    assert out.count("1234567.9") == 6 and "nnn" in out


def test_a_narrow_terminal_cuts_no_units(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    table = tables.plain_table("region", *"abcdef", right=tuple("abcdef"))
    table.add_row("main", *["12.3 ms"] * 6)
    output.console().print(table)
    assert capsys.readouterr().out.count("12.3 ms") == 6


@pytest.mark.parametrize("columns", ["0", "00", ""])
def test_who_does_not_know_the_width_gets_the_whole_table(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    table = tables.plain_table("object", "bytes")
    table.add_row("mesh", "1")
    output.console().print(table)
    assert "mesh" in capsys.readouterr().out
