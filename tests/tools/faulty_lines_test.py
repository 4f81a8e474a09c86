"""Sixty and more command lines with a fault in each: a sentence that names it and the remedy, a status of its own kind,
and nothing written. In this process, as most of them end before anything runs."""

import os
import runpy
import shlex
import sys
from pathlib import Path

import pytest

from lbhm.output import output, result_file

FILES = {
    "text": "no JSON\n",
    "empty.json": "",
    "list.json": "[]\n",
    "other.json": '{"schema": "lbhm.other/1"}\n',
    "report.json": '{"schema": "lbhm.report/1"}\n',
    "profile.json": '{"schema": "lbhm.profile/2"}\n',
    "machine.json": '{"schema": "lbhm.machine/3", "name": "mine"}\n',
    "placement.json": '{"schema": "lbhm.placement/2"}\n',
    "compare.json": '{"schema": "lbhm.compare/1"}\n',
    "old.json": '{"schema": "lbhm.profile/1"}\n',
    "deep.json": "[" * 100_000,
    "run.sh": "#!/bin/sh\nexec ./good\n",
}
USAGE, WRITE, NO_COMPILER = 2, 74, 127
# By line: what its sentence says, the remedy among it.
LINES = {
    # the command itself
    "nosuch": ("'nosuch'", "lbhm --help"),
    "rnu -- ./good": ("'rnu'", "did you mean", "'run'"),
    "--fats": ("--fats", "lbhm --help"),
    "machine": ("lbhm machine does nothing by itself", "lbhm machine --help"),
    "machine nosuch": ("'nosuch'", "lbhm machine --help"),
    "version --json": ("--json: there is no such option of lbhm version", "--help"),
    # no value where one belongs
    "run --json -- ./good": ("--json: its value is missing", "write --json FILE"),
    "run --json --seed 1 -- ./good": ("--json: its value is missing",),
    "run --json= -- ./good": ("--json: its value is missing",),
    "run --json '' -- ./good": ("--json: its value is missing",),
    "run --json": ("--json: its value is missing",),
    "run --machine -- ./good": ("--machine: its value is missing",),
    "compare --html -- ./good": ("--html: its value is missing",),
    "compare --policies --oracle -- ./good": ("--policies: its value is missing",),
    "profile --output -- ./good": ("--output: its value is missing",),
    "objects --json --lanes -- ./good": ("--json: its value is missing",),
    "regions --json -- make": ("--json: its value is missing",),
    "report report.json --html --trace x": ("--html: its value is missing",),
    "machine show optane --json": ("--json: its value is missing",),
    "optimize profile.json --fast --no-curve": ("--fast: its value is missing",),
    "train --output --json x": ("--output: its value is missing",),
    "run --heap=yes -- ./good": ("--heap", "does not take a value", "--help"),
    # results in the place of something else
    "compare --json x --html x -- ./good": ("--html x", "--json writes to the same", "name another file"),
    "compare --json x --html ./sub/../x -- ./good": ("--json writes to the same",),
    "compare --json - --html /dev/stdout -- ./good": ("--json writes to the same",),
    "run --json ./good -- ./good": ("--json good: this command", "overwritten", "name another one"),
    "run --json link -- ./run.sh": ("--json link", "overwritten"),
    "run --json text -- ./good text": ("--json text", "overwritten"),
    "run --json text --input text -- ./good": ("--json text: --input reads that file",),
    "run --json machine.json --machine ./machine.json -- ./good": ("--machine reads that file",),
    "run --profile profile.json --json profile.json -- ./good": ("--profile reads that file",),
    "profile --output good -- ./good": ("--output good", "overwritten"),
    "objects --json report.json report.json": ("--json report.json", "overwritten"),
    "report report.json --html report.json": ("--html report.json", "overwritten"),
    "report report.json --trace x --html x": ("--trace x", "name another file"),
    "optimize profile.json --output profile.json": ("--output profile.json", "overwritten"),
    "patterns good --json good": ("--json good", "overwritten"),
    "regions --json ./good ./good": ("--json good", "overwritten"),
    "machine show ./machine.json --json machine.json": ("--json machine.json", "overwritten"),
    "machine measure --json x --output x": ("writes to the same",),
    "machine measure --emulate --figures text --output text": ("--figures reads that file",),
    "train --output x.json --json x.json": ("writes to the same",),
    # results that have no place
    "run --json nowhere/x -- ./good": ("--json nowhere/x", "mkdir -p nowhere"),
    "run --json 'no where/x' -- ./good": ("--json no where/x", "mkdir -p 'no where'"),
    "compare --html nowhere/x -- ./good": ("--html nowhere/x", "mkdir -p nowhere"),
    "profile --output sub -- ./good": ("--output sub: it cannot be written", "name a file"),
    "run --json circle -- ./good": ("--json circle", "cannot be written"),
    f"run --json {'n' * 300} -- ./good": ("cannot be written (File name too long)", "name a file"),
    "doctor --json nowhere/x": ("--json nowhere/x", "mkdir"),
    "machine list --json nowhere/x": ("--json nowhere/x", "mkdir"),
    "machine list --json /dev/full": (WRITE, "/dev/full", "No space left on device", "make room"),
    "doctor --json /dev/full": (WRITE, "/dev/full", "No space left on device"),
    "run --json /dev/full --machine host -- ./good": (WRITE, "/dev/full", "make room"),
    "compare --html /dev/full --policies slow-only -- ./good": (WRITE, "/dev/full", "make room"),
    # numbers
    "run --seed -1 -- ./good": ("--seed: '-1'", "from 0 to"),
    "compare --seed 1.5 -- ./good": ("--seed: '1.5'", "from 0 to"),
    f"profile --seed {'9' * 5000} -- ./good": ("--seed: '999", "from 0 to"),
    "run --threads 99999999 -- ./good": ("--threads: '99999999'", "up to 4096"),
    "objects --threads many -- ./good": ("--threads: 'many'", "give 1 or more"),
    "run --threads 4,x -- ./good": ("--threads: '4,x'", "give 1 or more"),
    "compare --repeat 0 -- ./good": ("--repeat: '0'", "from 1"),
    "run --fast nan -- ./good": ("--fast nan", "suffixes K, M and G"),
    "run --fast -5M -- ./good": ("--fast -5M", "suffixes K, M and G"),
    "run --fast 1e400 -- ./good": ("--fast 1e400", "--fast 25%"),
    "compare --fast 10%,,25% -- ./good": ("--fast 10%,,25%: ", "without blanks: --fast 10%,25%"),
    "optimize profile.json --horizon 0": ("--horizon: '0'", "from 1"),
    "regions --measure --placements 0 -- ./good": ("--placements: '0'", "from 1"),
    "regions --measure --executions -3 -- ./good": ("--executions: '-3'", "from 1"),
    "machine measure --classes none": ("--classes: 'none'", "from 1"),
    "machine measure --emulate --slow nan": ("--slow nan", "1 to 1000"),
    "train --jobs 0": ("--jobs: '0'", "from 1"),
    "train --work text/x": ("--work text/x", "name a folder"),
    "train --threads 0": ("--threads 0", "--threads 1,12"),
    # names that nobody knows
    "run --policy magic -- ./good": ("policy 'magic'", "choose from"),
    "compare --policies lbhm,magic -- ./good": ("policy 'magic'", "choose from"),
    "compare --policies lbhm, -- ./good": ("--policies lbhm,: ", "without blanks: --policies lbhm"),
    "compare --policies lbhm, slow-only -- ./good": ("--policies lbhm,: ", "blanks: --policies lbhm,slow-only"),
    "compare --policies , -- ./good": ("--policies ','", "names nothing"),
    "compare --fast 10%,25%, -- ./good": ("--fast 10%,25%,: ", "without blanks: --fast 10%,25%"),
    "compare --fast 10%, 25% -- ./good": ("--fast 10%,: ", "without blanks: --fast 10%,25%"),
    "compare --fast=10%, 25% -- ./good": ("--fast 10%,: ", "without blanks: --fast 10%,25%"),
    "run --fast 25 % -- ./good": ("--fast 25 %", "without blanks: --fast 25%"),
    "compare --fast 10% 25% -- ./good": ("--fast 10% 25%", "without blanks: --fast 10%,25%"),
    "run --fast 10%,25% -- ./good": ("--fast 10%,25%: one amount", "lbhm compare takes several"),
    "train --threads 1, 12": ("--threads 1,: ", "without blanks: --threads 1,12"),
    "train --programs cg, bfs": ("--programs cg,: ", "without blanks: --programs cg,bfs"),
    "compare --result ( -- ./good": ("--result", "regular expression"),
    "run --machine cray -- ./good": ("machine 'cray'", "choose from"),
    "machine show cray": ("machine 'cray'", "choose from"),
    "train --machine auto": ("machine 'auto'", "choose from"),
    "train --machine ./machine.json": ("core.hardware_threads", "lbhm machine check"),
    "train --programs nosuch": ("--programs", "'nosuch'", "there are"),
    "train --programs adi": ("--programs: one program is too few", "so name two"),
    "optimize profile.json --method magic": ("--method magic", "choose from"),
    # files that are not what they should be
    "report": ("'FILE...'", "lbhm report --help"),
    "report nosuch.json": ("nosuch.json", "No such file", "lbhm run --json"),
    "report text": ("text", "not JSON", "lbhm run --json"),
    "report empty.json": ("empty.json", "not JSON"),
    "report list.json": ("list.json", "no run report"),
    "report deep.json": ("nested too deep",),
    "report report.json": ("report.json", "malformed"),
    "objects": ("nothing is named", "lbhm objects -- ./app"),
    "objects nosuch.json": ("nosuch.json", "no such file"),
    "objects other.json": ("other.json",),
    "objects report.json other.json": ("report.json other.json: one file is shown at a time", "leave other.json out"),
    "profile text": ("text: there is no such program in PATH; check the name",),
    "regions text": ("text: this file is no program and no library", "lbhm regions -- BUILD COMMAND"),
    "run --policy lbhm,memtis -- ./good": ("policy 'lbhm,memtis' is unknown", "lbhm compare --policies A,B"),
    "compare --policies 'lbhm slow-only' -- ./good": ("policy 'lbhm slow-only' is unknown", "without blanks"),
    "objects --threads 4 other.json": ("--threads: is for programs that are run now; leave it out",),
    "objects --policy soar other.json": (
        "--policy: is for programs that are run now",
        "other.json is of a run that was",
    ),
    "objects report": ("report: there is neither such a file here nor such a program in PATH",),
    "objects list.json": ("list.json: it is no run report (it has no schema", "lbhm run --json FILE"),
    "objects empty.json": ("empty.json: the run report cannot be read (it is not JSON", "lbhm run --json FILE"),
    "objects report.json": ("report.json: the run report is malformed", "lbhm run --json FILE"),
    "objects placement.json": (
        "placement.json: it is no run report, but a placement, which lbhm run --placement takes",
    ),
    "objects machine.json": ("machine.json: it is no run report, but a machine file, which --machine FILE takes",),
    "objects compare.json": ("compare.json: it is no run report, but a comparison, which lbhm report shows",),
    "report placement.json": ("no comparison, but a placement, which lbhm run --placement takes",),
    "report profile.json": ("no comparison, but a profile, which lbhm optimize",),
    "optimize placement.json --output x": ("it is no profile, but a placement, which lbhm run --placement takes",),
    "optimize old.json --output x": (
        "it is no profile, but of another version of LB-HM (lbhm.profile/1",
        "lbhm profile",
    ),
    "run --placement profile.json -- ./good": ("it is no placement, but a profile, which lbhm optimize", "make it"),
    "run --profile placement.json -- ./good": ("it is no profile, but a placement, which lbhm run --placement takes",),
    "run --machine ./placement.json -- ./good": ("it is no machine file, but a placement",),
    "machine check report.json": ("it is no machine file, but a run report, which lbhm report",),
    "machine show ./profile.json": ("it is no machine file, but a profile",),
    "objects report.json --lanes": ("report.json: ", "lbhm objects --lanes report.json"),
    "optimize": ("'PROFILE'", "lbhm optimize --help"),
    "optimize text": ("text", "lbhm profile"),
    "run --placement other.json -- ./good": ("other.json", "lbhm optimize"),
    "run --profile text -- ./good": ("text", "lbhm profile"),
    "run --input nosuch -- ./good": ("--input nosuch", "name a file"),
    "machine check text": ("text", "docs/machine-files.md"),
    "run --machine ./other.json -- ./good": ("other.json", "lbhm.machine/3"),
    "patterns nosuch": ("nosuch", "check the name"),
    "patterns": ("'program'", "lbhm patterns --help"),
    "train --corpus nowhere": ("nowhere", "no such folder"),
    # programs
    "run": ("no program is named", "-- ./app"),
    "run --": ("no program is named", "-- ./app"),
    "compare -- ./nosuch": ("./nosuch", "check the name"),
    "run -- good": ("good", "did you mean ./good?"),
    "run -- sub": ("sub: this is a directory", "name the program"),
    "run -- ''": ("the program's name is empty", "-- ./app"),
    "patterns /dev/null": ("/dev/null: this is a device", "name a file"),
    "profile": ("no program is named", "-- ./app"),
    "regions": ("nothing is named", "lbhm regions -- make"),
    "regions --measure --machine host -- ./good": ("--machine host", "lbhm machine list"),
    "cc app.c": (NO_COMPILER, "lbhm cc", "apt-get install clang-19"),
    "fc --emulate app.f90": (NO_COMPILER, "lbhm fc", "LBHM_FC"),
}


@pytest.fixture
def command(build, programs, tmp_path, monkeypatch, capsys):
    """command(line): (status, standard error) of lbhm in a folder with FILES, in which nothing may change."""
    folder, temporary = tmp_path / "here", tmp_path / "temporary"
    (folder / "sub").mkdir(parents=True)
    temporary.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "run.sh").chmod(0o755)
    for name, target in (("good", programs / "good"), ("link", "run.sh"), ("circle", "circle")):
        (folder / name).symlink_to(target)
    for name in [name for name in os.environ if name.startswith(("LBHM_", "OMP_"))]:
        monkeypatch.delenv(name)
    given = {"LBHM_BUILD": build, "TMPDIR": temporary, "XDG_DATA_HOME": tmp_path / "data"}
    given |= dict.fromkeys(("LBHM_CC", "LBHM_FC"), "no-such-compiler")
    for name, value in given.items():
        monkeypatch.setenv(name, str(value))
    for plugin in ("liblbhm-patterns.so", "liblbhm-plugin.so"):
        (build / "lib" / plugin).touch()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(result_file, "_on_stdout", False)
    monkeypatch.setattr(output, "_waiting", [])

    def run(line: str) -> tuple[int, str]:
        before = contents(folder)
        monkeypatch.setattr(sys, "argv", ["lbhm", *shlex.split(line)])
        with pytest.raises(SystemExit) as end:
            runpy.run_module("lbhm", run_name="__main__")
        assert contents(folder) == before
        assert list(temporary.iterdir()) == []
        return end.value.code, capsys.readouterr().err

    yield run
    for plugin in ("liblbhm-patterns.so", "liblbhm-plugin.so"):
        (build / "lib" / plugin).unlink()


def contents(folder: Path) -> dict[str, object]:
    return {
        str(path): path.readlink() if path.is_symlink() else path.is_file() and path.read_bytes()
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[:60])
def test_one_sentence_names_the_fault_and_the_remedy(command, line):
    wanted = LINES[line]
    status, said = (wanted[0], wanted[1:]) if isinstance(wanted[0], int) else (USAGE, wanted)
    code, stderr = command(line)
    assert code == status, stderr
    assert "Traceback" not in stderr
    lines = stderr.splitlines()
    assert 1 <= len(lines) <= 4 and all(line.startswith("lbhm: ") for line in lines), stderr
    for part in said:
        assert part in lines[-1]
