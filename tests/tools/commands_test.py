"""Do run and compare say what is so, and leave nothing behind?"""

import json
import signal
from pathlib import Path

import patience
import pytest

from lbhm.execute.ending import Ending
from lbhm.files.report import validator
from lbhm.run.run import is_slow


def test_compare_writes_what_it_shows(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    done = lbhm("compare", "--json", str(target), "--policies", "merchandiser,slow-only,fast-only", "--", "./good")
    assert done.returncode == 0, done.stderr
    result = json.loads(target.read_text())
    validator("compare").validate(result)
    assert [run["policy"] for run in result["runs"]] == ["slow-only", "merchandiser", "fast-only"]
    assert result["fast_capacity_bytes"] == (1 << 20) // 4
    assert result["runs"][1]["fast_capacity_bytes"] == (1 << 20) // 4
    assert result["runs"][2]["fast_capacity_bytes"] > 1 << 20, "fast-only is not limited"
    row = next(line for line in done.stdout.splitlines() if "merchandiser" in line)
    for cell in ("2.00 ms", "2.00×", "0.250", "50.0 %", "8.00 KiB", "1.50 µs"):
        assert cell in row
    assert len(row) <= 80
    assert "all results are the same: checksum 0123456789abcdef" in done.stdout
    for fact in ("optane", "256 KiB (25.0 %)", "1.00 MiB", "12 threads", "analytic f", "virtual times"):
        assert fact in done.stdout
    assert max(map(len, done.stdout.splitlines()[:-3])) <= 80


@pytest.mark.parametrize(("machine", "capacity"), [("host", 65536), ("optane", (1 << 20) // 4)])
def test_the_users_own_limit_of_fast_memory_holds_on_real_machines(lbhm, tmp_path, machine, capacity):
    target = tmp_path / "run.json"
    done = lbhm("run", "--machine", machine, "--json", str(target), "--", "./good", LBHM_FAST_CAPACITY="65536")
    assert done.returncode == 0, done.stderr
    assert json.loads(target.read_text())["fast_capacity_bytes"] == capacity


def test_compare_twice_is_the_same_to_the_bit(lbhm, tmp_path):
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    for target in (first, second):
        assert lbhm("compare", "--json", str(target), "--policies", "merchandiser", "--", "./good").returncode == 0
    assert first.read_bytes() == second.read_bytes()


def test_reference_runs_but_is_not_shown_unless_asked(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    done = lbhm("compare", "--json", str(target), "--policies", "merchandiser", "--", "./good")
    result = json.loads(target.read_text())
    assert [run["policy"] for run in result["runs"]] == ["merchandiser"]
    assert result["reference"] == {"policy": "slow-only", "makespan_ns": 4e6}
    assert "2.00×" in done.stdout
    assert "slow-only" not in done.stdout


def test_results_that_differ_are_an_error_and_shown(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    done = lbhm("compare", "--json", str(target), "--policies", "merchandiser", "--", "./good", "differ")
    assert done.returncode == 1
    assert "THE RESULTS DIFFER between slow-only and merchandiser: checksum 1 is 'slow-only' under" in done.stderr
    assert "2.00×" in done.stdout
    found = json.loads(target.read_text())["result"]
    assert found["differences"] == [
        {
            "policy": "merchandiser",
            "part": 1,
            "line": 1,
            "expected": "slow-only",
            "found": "merchandiser",
            "repeated": True,
        }
    ]


def test_a_program_that_fails_under_every_policy_is_compared(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    done = lbhm("compare", "--json", str(target), "--policies", "slow-only,lbhm", "--", "./good", "fail")
    assert done.returncode == 3
    assert "the program ended with exit status 3 under policies slow-only, lbhm; see" in done.stderr
    assert done.stderr.endswith("its last words:\nprogram: matrix.mtx: no such file\n")
    assert "2.00×" in done.stdout
    result = json.loads(target.read_text())
    validator("compare").validate(result)
    assert [run["exit_status"] for run in result["runs"]] == [3, 3]


def test_a_policy_under_which_the_program_crashes_is_left_out(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    words = ("--", "./good", "crash-under", "lbhm")
    done = lbhm("compare", "--json", str(target), "--policies", "slow-only,lbhm,merchandiser", *words)
    assert done.returncode == 128 + 11
    assert "the program was ended by SIGSEGV under policy lbhm" in done.stderr
    assert "lbhm: the program was ended by SIGSEGV without a run report, so it is not shown" in done.stdout
    result = json.loads(target.read_text())
    assert [run["policy"] for run in result["runs"]] == ["slow-only", "merchandiser"]
    assert [(run["policy"], run["report"]) for run in result["failed"]] == [("lbhm", False)]


def test_a_comparison_of_which_nothing_is_left(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    done = lbhm("compare", "--json", str(target), "--policies", "lbhm", "--", "./good", "crash-under", "lbhm")
    assert done.returncode == 128 + 11
    assert "Traceback" not in done.stderr
    assert json.loads(target.read_text())["runs"] == []


def test_run_shows_the_report_of_a_program_that_fails(lbhm, tmp_path):
    target = tmp_path / "report.json"
    done = lbhm("run", "--json", str(target), "--", "./good", "fail")
    assert done.returncode == 3
    assert "./good: the program ended with exit status 3 under policy lbhm" in done.stderr
    assert "program: matrix.mtx: no such file" in done.stderr
    assert done.stdout.startswith("hello\n")
    assert "2.00 ms (virtual) under lbhm" in done.stdout
    assert json.loads(target.read_text())["policy"] == "lbhm"


@pytest.mark.parametrize("command", ["run", "compare"])
def test_program_that_crashes(lbhm, command):
    done = lbhm(command, "--", "./good", "crash")
    assert done.returncode == 128 + 11
    assert "./good: the program was ended by SIGSEGV under policy" in done.stderr


def test_run_passes_output_through_and_reports(lbhm, tmp_path):
    target = tmp_path / "report.json"
    done = lbhm("run", "--threads", "3", "--json", str(target), "--", "./good", "threads")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("hello\nthreads 3\nchecksum: 0123456789abcdef\n")
    assert done.stdout.count("hello") == 1, "the first run is not shown"
    assert "a first run under slow-only" in done.stderr
    assert "2.00 ms (virtual) under lbhm on optane, 3 threads" in done.stdout
    assert json.loads(target.read_text())["fast_capacity_bytes"] == (1 << 20) // 4


def test_run_with_bytes_needs_one_run_only(lbhm):
    done = lbhm("run", "--fast", "64K", "--", "./good")
    assert done.returncode == 0, done.stderr
    assert "footprint" not in done.stderr  # a first run measures it
    assert "fast memory 64.0 KiB" in done.stdout


def test_existing_preload_is_kept(lbhm, programs):
    script = programs / "show-preload"
    script.write_text("#!/bin/sh\necho preload $LD_PRELOAD\n")
    script.chmod(0o755)
    done = lbhm("run", "--fast", "64K", "--", "./show-preload", LD_PRELOAD="libm.so.6")
    assert done.stdout.splitlines()[0].endswith("/lib/liblbhm.so:libm.so.6")


def test_threads_are_the_environments_unless_they_are_named(lbhm):
    words = ("run", "--fast", "64K")
    assert "threads 3\n" in lbhm(*words, "--", "./good", "threads", OMP_NUM_THREADS="3,2").stdout
    assert "threads 5\n" in lbhm(*words, "--threads", "5", "--", "./good", "threads", OMP_NUM_THREADS="3").stdout
    wrong = lbhm(*words, "--", "./good", OMP_NUM_THREADS="many")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "OMP_NUM_THREADS: 'many' is no number of threads" in wrong.stderr


def test_input_is_read_by_every_run(lbhm, tmp_path):
    deck = tmp_path / "deck"
    deck.write_text("one\ntwo\n")
    assert "one\ntwo\n" in lbhm("run", "--input", str(deck), "--fast", "25%", "--", "./good", "copy").stdout
    assert lbhm("compare", "--input", str(deck), "--policies", "lbhm", "--", "./good", "copy").returncode == 0
    missing = lbhm("run", "--input", str(tmp_path), "--", "./good")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)
    assert f"--input {tmp_path}: it cannot be read (Is a directory)" in missing.stderr


def test_more_fast_memory_than_the_machine_has_is_refused_before_anything_runs(lbhm, build, tmp_path):
    machine = {"schema": "lbhm.machine/2", "name": "small", "tiers": [{"capacity_bytes": {"value": 1 << 20}}]}
    (tmp_path / "small.json").write_text(json.dumps(machine))
    done = lbhm("compare", "--machine", str(tmp_path / "small.json"), "--fast", "64K,2M", "--", "./good")
    assert done.returncode == 2
    assert "has 1.00 MiB of fast memory; name no more" in done.stderr
    assert "done" not in done.stderr


def test_on_the_host_runs_are_repeated_in_turn(lbhm, tmp_path):
    target = tmp_path / "compare.json"
    words = ("compare", "--machine", "host", "--policies", "first-touch,lbhm", "--json", str(target), "--repeat", "3")
    done = lbhm(*words, "--", "./good")
    assert done.returncode == 0, done.stderr
    order = [line.split()[1] for line in done.stderr.splitlines() if line.endswith("done")]
    assert order == ["slow-only", "first-touch", "lbhm"] * 3
    result = json.loads(target.read_text())
    validator("compare").validate(result)
    assert [run["times_ns"] for run in result["runs"]] == [[2e6] * 3] * 2
    assert "2.00 ms to 2.00 ms" in done.stdout
    emulated = lbhm("compare", "--repeat", "2", "--", "./good")
    assert "--repeat 2: times of emulated machines are the same in every run" in emulated.stderr


def is_gone(process: int) -> bool:
    """Within some seconds. It has ended, too, if whoever inherited it has not collected it yet: a zombie."""

    def has_ended() -> bool:
        try:
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except (FileNotFoundError, ProcessLookupError):
            return True

    return patience.until(has_ended, 10)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_ends_the_program_too(lbhm, tmp_path, number):
    note, target = tmp_path / "pid", tmp_path / "compare.json"
    process = lbhm.start("compare", "--json", str(target), "--", "./good", "sleep", str(note))
    child = wait_for_number(note)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=10)
    assert process.returncode == 128 + number
    assert stderr.endswith("lbhm: stopped; the program was ended, and nothing was written\n")
    assert is_gone(child)
    assert not target.exists()


def wait_for_number(note: Path) -> int:
    written = patience.until(lambda: note.exists() and note.read_text().endswith("\n"), 10)
    assert written, "the program did not start"
    return int(note.read_text())


def test_lists(lbhm):
    assert "merchandiser   Algorithm 1." in lbhm("policies").stdout
    assert "DRAM and Optane." in lbhm("machine", "list").stdout
    assert "lbhm.machine/2" in lbhm("machine", "show", "optane").stdout
    assert "| `LBHM_SEED` | `1` |  | Of everything random. |" in lbhm("settings", "--markdown").stdout


def test_cflags(lbhm, build):
    for options, name in ([], "liblbhm-patterns.so"), (["--emulate"], "liblbhm-plugin.so"):
        absent = lbhm("cflags", *options)
        assert absent.returncode == 2
        assert "the plugin is not built here" in absent.stderr
        plugin = build / "lib" / name
        plugin.touch()
        flags = lbhm("cflags", *options).stdout
        assert flags.startswith("-fopenmp -fno-omit-frame-pointer -I")
        assert flags.endswith(f" -fpass-plugin={plugin}\n")
        plugin.unlink()


def test_doctor_tells_what_is_missing(lbhm, tmp_path):
    target = tmp_path / "doctor.json"
    done = lbhm("doctor", "--json", str(target))
    findings = {finding["what"]: finding for finding in json.loads(target.read_text())["findings"]}
    assert done.returncode == 2
    assert findings["plugin"]["state"] == "broken"
    assert findings["plugin"]["remedy"] == "./quickstart"
    assert findings["runtime"]["state"] == "works"
    assert "merchandiser" in findings["runtime"]["found"]
    assert findings["presets"]["found"] == "optane"


@pytest.mark.parametrize(
    ("virtual", "seconds", "slow"), [(94, 0.2, False), (94, 5, True), (1e9, 5, False), (0, 5, False)]
)
def test_slow_is_what_somebody_waited_for(virtual, seconds, slow):
    assert is_slow(Ending("./good", "lbhm", 0, b"", b"", {"makespan_ns": virtual}, seconds)) == slow
