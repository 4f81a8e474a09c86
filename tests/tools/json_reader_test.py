"""Is a file that a person named read without waiting, filling memory or ending in a traceback?"""

import os

import pytest

from lbhm.files.json_reader import parse_json, read_json


def test_gives_what_the_file_says(tmp_path):
    (tmp_path / "a.json").write_text('{"a": [1]}')
    assert read_json(tmp_path / "a.json") == {"a": [1]}


@pytest.mark.parametrize("text", ["[" * 100_000, b"\xff\xfe\x00", "", '{"a": ' * 5000])
def test_what_is_no_json_is_one_kind_of_error(text):
    with pytest.raises(ValueError):
        parse_json(text)


def test_what_is_no_file_is_named_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path, kind in ((tmp_path / "pipe", "a pipe"), (tmp_path, "a folder"), ("/dev/zero", "a device")):
        with pytest.raises(OSError, match=f"it is {kind}, not a file"):
            read_json(tmp_path / path)


@pytest.mark.parametrize("command", ["run", "compare"])
def test_machine_files_that_are_none(lbhm, tmp_path, command):
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00\x01")
    for name, why in (("pipe", "it is a pipe"), ("deep", "nested too deep"), ("binary", "cannot be read")):
        done = lbhm(command, "--machine", str(tmp_path / f"{name}.json"), "--", "./good")
        assert done.returncode == 2
        assert why in done.stderr
        assert len(done.stderr.splitlines()) == 1
