"""Is what others wrote one line that does nothing to a terminal?"""

import io
import os

import pytest

from lbhm.base.errors import Refusal
from lbhm.base.text import printable
from lbhm.output import output
from lbhm.output.tables import plain_table

CASES = [
    ("plain µs 😀 a\\nb", "plain µs 😀 a\\nb"),
    ("a\nb\r\tc", r"a\nb\r\tc"),
    ("\x1b[2J\x07\x7f\x9b\x00", r"\x1b[2J\x07\x7f\x9b\x00"),
    ("a\u2028b\u202ec\u2066", r"a\u2028b\u202ec\u2066"),
    (os.fsdecode(b"\xff/x"), r"\xff/x"),
]


@pytest.mark.parametrize(("text", "line"), CASES)
def test_escapes_are_those_of_the_runtime(text, line):
    assert printable(text) == line


def test_a_refusal_is_one_line_and_the_words_of_the_program_are_lines():
    refusal = Refusal("a\nlbhm: all is well\x1b[1A", words=["first\x1b[2J", "second"])
    assert refusal.lines() == ["lbhm: a\\nlbhm: all is well\\x1b[1A", "first\\x1b[2J", "second"]


def test_names_in_tables_and_sentences_stay_on_their_line(monkeypatch):
    monkeypatch.setattr("sys.stdout", stream := io.StringIO())
    table = plain_table("region")
    table.add_row("evil\n\x1b[2Jname")
    output.console().print(table)
    output.console().print(" remark: a\nb\x1b[1A", soft_wrap=True)
    assert "\x1b" not in stream.getvalue()
    assert r"evil\n\x1b[2Jname" in stream.getvalue()
    assert r" remark: a\nb\x1b[1A" in stream.getvalue().splitlines()


def test_say_takes_no_markup_and_no_line_breaks(capsys):
    output.say("[/] a\nb :smile:")
    assert capsys.readouterr().err == "lbhm: [/] a\\nb :smile:\n"


def test_paths_on_the_command_line(lbhm):
    done = lbhm("run", "--", "./no\nlbhm: done\x1b[2J")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "\x1b" not in done.stderr
