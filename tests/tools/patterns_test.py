"""Does `lbhm patterns` show what a program's loops do, and notice what is stale or broken?"""

import hashlib
import json
import subprocess
from pathlib import Path

import pytest

from lbhm.regions.patterns import lines_of, modules_in, stale_sources

ACCESS = {"base": 0, "line": 4, "loop": 0, "kind": "stream", "stride": 8, "element": 8, "type": "double"}
NEST = {
    "function": "_Z4axpyi",
    "name": "axpy(int)",
    "file": "app.c",
    "line": 3,
    "parallel": True,
    "loops": [{"line": 3, "depth": 1, "trip": "n"}],
    "bases": [{"number": 0, "name": "y", "through": "argument", "frequency": 1}],
    "accesses": [ACCESS | {"write": False, "frequency": 30}, ACCESS | {"write": True, "frequency": 10}],
}


def module(folder, **changed):
    source = "int main(void) { return 0; }\n"
    (folder / "app.c").write_text(source)
    return {
        "schema": "lbhm.patterns.module/1",
        "id": "abc",
        "source": "app.c",
        "directory": str(folder),
        "source_hash": hashlib.sha256(source.encode()).hexdigest()[:16],
        "nests": [NEST],
    } | changed


def build(folder, *texts):
    """A program whose section holds these texts as the linker would leave them: padded with zeroes."""
    (folder / "texts").write_bytes(b"\0\0\0".join(text.encode() for text in texts) + b"\0")
    (folder / "empty.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-o", folder / "app", folder / "empty.c"], check=True)
    command = ["objcopy", "--add-section", f"lbhm_patterns={folder}/texts", folder / "app"]
    subprocess.run(command, check=True)
    return folder / "app"


def test_every_module_of_a_program_is_read(tmp_path):
    texts = [json.dumps(module(tmp_path, id=name)) for name in ("a", "b")]
    assert [found["id"] for found in modules_in(build(tmp_path, *texts))] == ["a", "b"]


def test_files_without_patterns_have_none(tmp_path):
    (tmp_path / "text").write_text("no program")
    assert modules_in(tmp_path / "text") == []
    assert modules_in(Path("/bin/sh").resolve()) == []


def test_shares_are_those_of_the_nest(tmp_path):
    lines = list(lines_of(module(tmp_path)))
    assert [(line.access, line.share) for line in lines] == [("read", 0.75), ("write", 0.25)]
    assert lines[0].region == "axpy app.c:3 (parallel)"


@pytest.mark.parametrize(("function", "object_"), [("_QQmain..omp_par", "blk"), ("ext_", "blk"), ("axpy", "blk_")])
def test_names_of_fortran_have_no_underscore(tmp_path, function, object_):
    base = NEST["bases"][0] | {"name": "blk_"}
    lines = list(lines_of(module(tmp_path, nests=[NEST | {"function": function, "bases": [base]}])))
    assert {line.object for line in lines} == {object_}


def test_kinds_are_told_in_words(tmp_path):
    stencil = ACCESS | {"kind": "stencil", "points": 5, "dimensions": 2, "input_dependent": True}
    turned = ACCESS | {"order": "transpose", "stride": None, "step": "8*n"}
    accesses = [stencil | {"write": False, "frequency": 2}, turned | {"write": False, "frequency": 1}]
    lines = list(lines_of(module(tmp_path, nests=[NEST | {"accesses": accesses}])))
    assert [line.pattern for line in lines] == ["stencil 2D 5, by input", "stream (transpose)"]
    assert lines[1].stride == "8*n"


def test_rare_accesses_are_left_out_of_the_table_and_counted(tmp_path, lbhm):
    accesses = [ACCESS | {"write": False, "frequency": 9999}, ACCESS | {"write": True, "line": 9, "frequency": 1}]
    program = build(tmp_path, json.dumps(module(tmp_path, nests=[NEST | {"accesses": accesses}])))
    result = lbhm("patterns", str(program))
    assert "write" not in result.stdout
    assert "1 lines below 0.1 %" in " ".join(result.stdout.split())


def test_a_program_without_debug_information_is_told_what_it_lacks(tmp_path, lbhm):
    accesses = [ACCESS | {"write": False, "line": None, "frequency": 1}]
    program = build(tmp_path, json.dumps(module(tmp_path, nests=[NEST | {"line": None, "accesses": accesses}])))
    assert "built without -g" in lbhm("patterns", str(program)).stdout


def test_a_changed_source_is_named(tmp_path):
    built = module(tmp_path)
    assert list(stale_sources([built])) == []
    (tmp_path / "app.c").write_text("int main(void) { return 1; }\n")
    assert list(stale_sources([built])) == [str(tmp_path / "app.c")]
    (tmp_path / "app.c").unlink()
    assert list(stale_sources([built])) == [], "what is not here cannot be checked"


def test_the_command_shows_and_writes_them(tmp_path, lbhm):
    program = build(tmp_path, json.dumps(module(tmp_path)))
    result = lbhm("patterns", str(program), "--json", str(tmp_path / "out.json"))
    assert result.returncode == 0, result.stderr
    assert "axpy app.c:3" in result.stdout and "stream" in result.stdout
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["schema"] == "lbhm.patterns/1"
    assert written["modules"] == [module(tmp_path)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "not JSON"),
        ('{"schema": "lbhm.patterns.module/9"}', "malformed"),
        (json.dumps(NEST), "malformed"),
    ],
)
def test_broken_patterns_are_one_sentence(tmp_path, lbhm, text, complaint):
    result = lbhm("patterns", str(build(tmp_path, text)))
    assert result.returncode == 2
    assert complaint in result.stderr and "build" in result.stderr


def test_a_program_without_patterns_is_told_how_to_get_them(tmp_path, lbhm):
    result = lbhm("patterns", "/bin/sh")
    assert result.returncode == 2
    assert "lbhm c++" in result.stderr
