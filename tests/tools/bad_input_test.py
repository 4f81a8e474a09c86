"""Is bad input answered with a sentence that names it and the remedy, status 2, and nothing left behind?"""

import json

import pytest

CASES = [
    (["--fast", "0", "--", "./good"], "--fast 0: a fast memory of 0 bytes", "--fast 25%"),
    (["--fast", "lots", "--", "./good"], "--fast lots: this is neither", "suffixes K, M and G"),
    (["--fast", "150%", "--", "./good"], "--fast 150%: that is more than the program's peak footprint", "--fast 25%"),
    (["--fast", "100", "--", "./good"], "--fast 100: that is less than one page", "--fast 25%"),
    (["--threads", "0", "--", "./good"], "--threads: '0'", "give 1 or more"),
    (["--machine", "cray", "--", "./good"], "machine 'cray' is unknown", "host, optane"),
    (["--machine", "./none.json", "--", "./good"], "none.json", "docs/machine-files.md"),
    (
        ["--machine", "./no-program", "--", "./good"],
        "no-program: the machine file cannot be read",
        "docs/machine-files.md",
    ),
    (["--json", "nowhere/x.json", "--", "./good"], "--json nowhere/x.json", "mkdir -p nowhere"),
    (["--", "./absent"], "./absent: there is no such file", "check the name"),
    (["--", "good"], "good: there is no such program in PATH", "./good"),
    (["--", "./no-program"], "./no-program: the file is not executable", "chmod +x"),
    (["--", "."], ".: ", "name the program"),
    (["--", "./old"], "old: it was built with version 6 of LB-HM's plugin", "lbhm c++ --emulate"),
    (["--", "./mixed"], "mixed: parts of it were built with version 6 of LB-HM's plugin and parts", "all of its files"),
    (["--", "./part-old"], "libold.so: it was built with version 6 of LB-HM's plugin", "understands version 7 only"),
    (["--machine", "host", "--fast", "25%", "--", "./good"], "--fast 25%: is of emulated", "LBHM_FAST_CAPACITY"),
    ([], "no program is named", "-- ./app arguments"),
    (["--", "./no-interpreter"], "./no-interpreter: its interpreter '/none/sh' is not here", "first line"),
    (["--", "./no-env-interpreter"], "its interpreter 'none-sh' is not here", "first line"),
    (["--", "./dos"], "its interpreter '/bin/sh\\r' is not here", "carriage return"),
    (["--", "./no-shebang"], "./no-shebang: it is neither a program nor a script", "lbhm run -- sh ./no-shebang"),
    (["--", "./no-loader"], "./no-loader: its loader /none/ld.so is not here", "libc"),
]
# What LB-HM could do nothing for: compare refuses it, run says so and runs it.
BLIND = [
    ("./uninstrumented", "./uninstrumented: it was not built with LB-HM's plugin", "lbhm c++ --emulate"),
    ("./looked-at", "./looked-at: it was built with LB-HM's plugin, but without --emulate", "lbhm c++ --emulate"),
    ("./gnu", "./gnu: it runs on GNU's OpenMP runtime, which has no OMPT", "libomp.so.5"),
    ("./static", "./static: it is linked statically", "without -static"),
]


@pytest.mark.parametrize("command", ["run", "compare"])
@pytest.mark.parametrize(("words", "named", "remedy"), CASES)
def test_sentence_and_status(lbhm, command, words, named, remedy):
    done = lbhm(command, *words)
    assert done.returncode == 2
    assert done.stderr.count("Traceback") == 0
    sentence = next(line for line in done.stderr.splitlines() if named in line)
    assert sentence.startswith("lbhm: ")
    assert remedy in sentence


@pytest.mark.parametrize(
    "words", [("run",), ("objects", "--no-heap"), ("run", "--machine", "host"), ("compare",), ("profile",)]
)
def test_a_setting_that_the_runtime_refuses_is_said_once_and_nothing_runs(lbhm, words):
    done = lbhm(*words, "--", "./good", LBHM_PACE="maybe")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "lbhm: LBHM_PACE=maybe is not a number; correct it or unset it\n"


@pytest.mark.parametrize("words", [("run", "--json", "-"), ("objects", "--no-heap", "--json", "/dev/stdout")])
def test_a_result_has_the_standard_output_for_itself(lbhm, words):
    done = lbhm(*words, "--", "./good")
    assert done.returncode == 0
    assert json.loads(done.stdout)["schema"].startswith("lbhm.")
    assert "checksum: 0123456789abcdef\n" in done.stderr


@pytest.mark.parametrize(("program", "named", "remedy"), BLIND)
def test_blind_spots(lbhm, program, named, remedy):
    done = lbhm("compare", "--machine", "optane", "--", program)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"lbhm: {named}") and remedy in done.stderr
    done = lbhm("run", "--fast", "64K", "--", program)
    assert done.returncode == 0
    assert done.stdout.startswith("hello\nchecksum: 0123456789abcdef\n")
    assert done.stderr.startswith(f"lbhm: {named}") and remedy in done.stderr


def test_a_program_without_openmp_is_not_compared(lbhm):
    done = lbhm("compare", "--", "./serial")
    assert done.returncode == 2
    assert "./serial: neither it nor its libraries use an OpenMP runtime" in done.stderr
    assert "-fopenmp" in done.stderr


def test_more_fast_memory_than_the_program_needs(lbhm):
    done = lbhm("compare", "--fast", "2M", "--", "./good")
    assert done.returncode == 2
    assert "--fast 2M: all of the program fits into that" in done.stderr
    done = lbhm("run", "--fast", "2M", "--", "./good")
    assert done.returncode == 0
    assert "--fast 2M limits nothing: that is more than its peak footprint of 1.00 MiB" in done.stderr
    assert "2.00 ms (virtual)" in done.stdout


def test_unknown_policy(lbhm):
    for words in (["run", "--policy", "magic"], ["compare", "--policies", "slow-only,magic"]):
        done = lbhm(*words, "--", "./good")
        assert done.returncode == 2
        assert (
            done.stderr
            == "lbhm: policy 'magic' is unknown; choose from: slow-only, fast-only, first-touch, merchandiser, lbhm\n"
        )
        assert done.stdout == ""


@pytest.mark.parametrize(("policies", "why"), [("slow-only,slow-only", "named twice"), (",", "it names nothing")])
def test_policies_that_make_no_list(lbhm, policies, why):
    done = lbhm("compare", "--policies", policies, "--", "./good")
    assert done.returncode == 2
    assert why in done.stderr


def test_unknown_option_is_status_2(lbhm):
    assert lbhm("compare", "--fats", "25%", "--", "./good").returncode == 2


def test_gnu_program_runs_on_llvms_runtime(lbhm):
    """The remedy that the sentence names works."""
    done = lbhm("run", "--fast", "64K", "--", "./gnu", LD_PRELOAD="/usr/lib/llvm-19/lib/libomp.so.5")
    assert done.returncode == 0, done.stderr


def test_runtime_not_built(lbhm, tmp_path):
    done = lbhm("run", "--", "./good", LBHM_BUILD=str(tmp_path))
    assert done.returncode == 2
    assert "liblbhm.so: the runtime is not built here; run ./quickstart" in done.stderr


def test_front_of_malloc_not_built(lbhm):
    for command in ("run", "compare"):
        done = lbhm(command, "--heap", "--", "./good")
        assert done.returncode == 2
        assert "--heap" in done.stderr and "liblbhm-heap.so" in done.stderr and "./quickstart" in done.stderr


def test_an_old_program_still_runs_on_the_host(lbhm):
    """Nobody listens there, whatever the version."""
    done = lbhm("run", "--machine", "host", "--", "./old")
    assert done.returncode == 0, done.stderr


def test_report_missing_or_malformed(lbhm):
    missing = lbhm("run", "--fast", "64K", "--", "./good", FAKE_REPORT="none")
    assert (missing.returncode, missing.stdout) == (0, "hello\nchecksum: 0123456789abcdef\n")
    assert "./good: there is no run report" in missing.stderr
    wanted = lbhm("run", "--fast", "64K", "--json", "report.json", "--", "./good", FAKE_REPORT="none")
    assert wanted.returncode == 2
    assert "--json report.json: it was not written, for the program left no run report" in wanted.stderr
    broken = lbhm("run", "--fast", "64K", "--", "./good", FAKE_REPORT="broken")
    assert broken.returncode == 2
    assert "run report is malformed at $ ('virtual_time' is a required property)" in broken.stderr
    compared = lbhm("compare", "--", "./good", FAKE_REPORT="none")
    assert compared.returncode == 2
    assert "./good: it ended without LB-HM's run report" in compared.stderr


def test_runtime_that_could_not_start_is_quoted(lbhm):
    done = lbhm("compare", "--", "./good", FAKE_REPORT="refuse")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "lbhm: ./good: optane.json: no tiers; name two"


def test_script_whose_program_cannot_be_seen(lbhm):
    done = lbhm("compare", "--", "./script", FAKE_REPORT="blind")
    assert done.returncode == 2
    assert "./script: the emulated machine saw no access" in done.stderr
