"""Does the corpus build with its regions marked, and do its programs keep to their contract?"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
CORPUS = ROOT / "training" / "corpus"
SOURCES = sorted(CORPUS.glob("*.cpp"))
PLAIN = {key: value for key, value in os.environ.items() if not key.startswith(("LBHM_", "OMP_"))}
BUILT = ["nas_ep", "dense_eigen"]  # one whose lanes have data of their own, one whose lanes share


def run(program: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, *words], env=PLAIN | variables, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.fixture(scope="module", params=BUILT)
def program(request, tmp_path_factory) -> Path:
    """Built as the target training-corpus does it."""
    output = tmp_path_factory.mktemp("corpus") / request.param
    flags = ["-std=c++23", "-O2", "-fopenmp", "-gline-tables-only", f"-fpass-plugin={BUILD}/lib/liblbhm-plugin.so"]
    marks = {"LBHM_PLUGIN_REGIONS": "1", "LBHM_PLUGIN_REGIONS_ROOT": str(ROOT), "CCACHE_DISABLE": "1"}
    command = ["clang++-19", *flags, f"-I{ROOT}", CORPUS / f"{request.param}.cpp", "-o", output]
    done = subprocess.run(command, env=PLAIN | marks, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return output


@pytest.mark.parametrize(
    ("target", "prefix", "plugin"),
    [
        ("training-corpus", "corpus", "liblbhm-plugin.so"),
        ("training-corpus-host", "host-corpus", "liblbhm-patterns.so"),
    ],
)
def test_the_target_builds_every_program(target, prefix, plugin):
    """Instrumented for emulated machines; for the host with regions marked alone."""
    database = json.loads((BUILD / "compile_commands.json").read_text())
    commands = {
        Path(entry["file"]).name: entry["command"]
        for entry in database
        if Path(entry["file"]).parent == CORPUS and f"/{prefix}-{Path(entry['file']).stem}.dir/" in entry["command"]
    }
    assert sorted(commands) == [source.name for source in SOURCES]
    for name, command in commands.items():
        assert plugin in command, name
        assert "-gline-tables-only" in command, name
    rules = (BUILD / "build.ninja").read_text()
    umbrella = re.search(rf"^build training/corpus/{target}: .*$", rules, re.MULTILINE)
    assert umbrella, f"the target {target} is not there"
    assert all(f"bin/{prefix}-{source.stem}" in umbrella[0].split() for source in SOURCES)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_every_program_says_what_it_is(source):
    text = source.read_text()
    assert text.startswith("// "), "the head of the file names the algorithm and its source"
    assert "corpus::run(argc, argv" in text, "main is corpus::run, which knows the arguments"
    assert re.search(rf"^\| `{source.stem}` \|", (CORPUS / "programs.md").read_text(), re.MULTILINE), (
        "add it to programs.md"
    )


@pytest.mark.parametrize("words", [(), ("small",), ("train", "seed"), ("",)])
def test_other_arguments_are_refused(program, words):
    done = run(program, *words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "it takes one argument, the input: seed or train" in done.stderr


def test_the_two_inputs_differ_and_threads_do_not_matter(program):
    sums = {}
    for words in ("seed", "train"):
        for threads in ("1", "3"):
            done = run(program, words, OMP_NUM_THREADS=threads)
            assert done.returncode == 0, done.stdout + done.stderr
            sums[words, threads] = float(re.fullmatch(r"checksum (\S+)\n", done.stdout)[1])
    assert sums["train", "1"] != sums["seed", "1"]
    for words in ("seed", "train"):
        assert sums[words, "1"] == pytest.approx(sums[words, "3"], rel=1e-6)


def test_its_regions_are_measured(program, tmp_path):
    """At least five regions of the source are worth learning from: 0.1 ms of their own, 1,000 accesses to memory."""
    report = tmp_path / "report.json"
    done = run(
        program,
        "train",
        LD_PRELOAD=f"{BUILD}/lib/liblbhm.so",
        OMP_NUM_THREADS="12",
        LBHM_MACHINE="optane",
        LBHM_POLICY="slow-only",
        LBHM_REPORT=str(report),
    )
    assert done.returncode == 0, done.stderr
    useful = 0
    for region in json.loads(report.read_text())["code_regions"]:
        if region["file"] != f"training/corpus/{program.name}.cpp":
            continue
        own = [lane["self"] for lane in region["lanes"]]
        accesses = sum(count or 0 for lane in own for count in lane["accesses"])
        useful += sum(lane["time_ns"] or 0 for lane in own) >= 1e5 and accesses >= 1000
    assert useful >= 5
