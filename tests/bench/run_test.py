"""bench/run from the outside: what it refuses, and how it says so."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*arguments):
    return subprocess.run([ROOT / "bench" / "run", *map(str, arguments)], capture_output=True, text=True)


def configured(folder, bench):
    (folder / "build.ninja").write_text("")
    (folder / "CMakeCache.txt").write_text(f"LBHM_BENCH:BOOL={bench}\n")
    return folder


def test_unknown_name_lists_those_there_are():
    done = run("emulator-sped")
    assert done.returncode == 2
    assert "'emulator-sped'" in done.stderr
    for name in ("emulator-speed", "emulator-fidelity", "determinism", "ompt", "allocator"):
        assert name in done.stderr


def test_missing_build_names_the_remedy(tmp_path):
    done = run("ompt", "--build", tmp_path)
    assert done.returncode == 2
    assert str(tmp_path) in done.stderr
    assert "cmake --preset release" in done.stderr


def test_build_without_benchmarks_names_the_option(tmp_path):
    done = run("ompt", "--build", configured(tmp_path, "OFF"))
    assert done.returncode == 2
    assert "-DLBHM_BENCH=ON" in done.stderr


def test_targets_that_cannot_be_built_end_in_a_sentence(tmp_path):
    done = run("ompt", "--build", configured(tmp_path, "ON"))
    assert done.returncode == 2
    assert "bench-fork-join could not be built" in done.stderr


@pytest.mark.parametrize("arguments", [("--repetitions", "0"), ("--json", "/nowhere/at/all.json")])
def test_bad_options_are_named(arguments):
    done = run("ompt", *arguments)
    assert done.returncode == 2
    assert arguments[0] in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [("ompt", "--only", "host"), ("emulator-fidelity", "--only", "hosts")])
def test_options_belong_to_their_benchmark(arguments):
    done = run(*arguments)
    assert done.returncode == 2
    assert "--only" in done.stderr
    assert "Traceback" not in done.stderr
