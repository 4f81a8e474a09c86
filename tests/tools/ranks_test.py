"""Does lbhm run do the right thing behind mpirun: each rank once, with a file of its own, and one report of all?"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lbhm.execute.ranks import file_of_rank, rank_here

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("LBHM_BUILD", ROOT / "build" / "release"))
FAKE = ROOT / "tests/docs/user/bin/mpirun"
# Of Debian's packages, by the names that do not depend on which of them is the default.
REAL = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"], "mpich": ["mpirun.mpich"]}
NAMES = ("OMPI_", "PMI_", "PMIX_", "SLURM_", "LBHM_", "OMP_")
OPTIONS = ["--threads", "2", "--fast", "64K", "--json", "run.json"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With `app`, which notes each of its runs."""
    folder = tmp_path_factory.mktemp("ranks")
    text = (ROOT / "tests/docs/user/smooth.c").read_text()
    text = text.replace("  printf(", '  fputs("run\\n", fopen("runs", "a"));\n  printf(')
    (folder / "app.c").write_text(text)
    lbhm(folder, "cc", "--emulate", "-O2", "app.c", "-o", "app")
    return folder


def lbhm(folder: Path, *words: str, before: tuple[str, ...] = (), status: int = 0, **more: str):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(NAMES)}
    done = subprocess.run(
        [*before, str(ROOT / "lbhm"), *words],
        cwd=folder,
        env=kept | {"LBHM_BUILD": str(BUILD)} | more,
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == status, f"{done.stdout}{done.stderr}"
    return done


def check_two_ranks(folder: Path, before: tuple[str, ...], **more: str) -> str:
    (folder / "runs").unlink(missing_ok=True)
    for file in folder.glob("*.json"):
        file.unlink()
    done = lbhm(folder, "run", *OPTIONS, "--", "./app", before=before, **more)
    assert (folder / "runs").read_text() == 2 * "run\n"
    assert done.stdout.count("checksum: ") == 2
    assert done.stdout.count("in fast memory") == 1  # one table, of rank 0
    assert [json.loads((folder / f"run.{rank}.json").read_text())["rank"] for rank in (0, 1)] == [0, 1]
    assert not (folder / "run.json").exists()
    return done.stderr


@pytest.mark.parametrize("kind", ["openmpi", "mpich", "pmix", "slurm"])
def test_each_rank_runs_once(folder, kind):
    assert "this is rank 0" in check_two_ranks(folder, (str(FAKE), "-n", "2"), FAKE_MPI=kind)


@pytest.mark.parametrize("kind", REAL)
def test_under_a_real_mpi(folder, kind):
    if not shutil.which(REAL[kind][0]):
        pytest.skip(f"{kind} is not installed")
    check_two_ranks(folder, (*REAL[kind], "-n", "2"))


def test_one_report_of_all_ranks(folder):
    check_two_ranks(folder, (str(FAKE), "-n", "2"))
    shown = lbhm(folder, "report", "run.1.json", "run.0.json").stdout
    assert "app: 2 ranks, the longest is rank " in shown
    assert [line.split()[0] for line in shown.splitlines() if line[1:2].isdigit()][:2] == ["0", "1"]
    lbhm(folder, "report", "run.0.json", "run.1.json", "--html", "page.html")
    assert '"policy":"rank 1"' in (folder / "page.html").read_text()
    assert "rank 0 is there twice" in lbhm(folder, "report", "run.0.json", "run.0.json", status=2).stderr


def test_what_takes_several_runs_is_refused(folder):
    for words in (["run", "--fast", "25%"], ["compare", "--threads", "2"]):
        said = lbhm(folder, *words, "--", "./app", status=2, PMI_RANK="1", PMI_SIZE="2").stderr
        assert "a rank of MPI" in said and "bytes" in said


@pytest.mark.parametrize(
    ("variables", "rank"),
    [
        ({}, None),
        ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}, None),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, None),  # a batch script
        ({"SLURM_PROCID": "3", "SLURM_STEP_NUM_TASKS": "4"}, 3),
        ({"PMI_RANK": "-1", "PMI_SIZE": "x"}, None),
        ({"PMIX_RANK": "2"}, 2),
    ],
)
def test_ranks_by_variables(monkeypatch, variables, rank):
    for name in [name for name in os.environ if name.startswith(NAMES)]:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert rank_here() == rank
    expected = "out/run.json" if rank is None else f"out/run.{rank}.json"
    assert file_of_rank(Path("out/run.json")) == Path(expected)
    assert file_of_rank(Path("-")) == Path("-")


def test_files_that_lbhm_was_started_with_are_the_programs(folder):
    """MPICH talks to its ranks by one (PMI_FD), make -j by two."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    words = [str(ROOT / "lbhm"), "run", "--", "bash", "-c", f"echo mine >&{writing}"]
    subprocess.run(words, env=os.environ | {"LBHM_BUILD": str(BUILD)}, close_fds=False, check=True, capture_output=True)
    os.close(writing)
    with os.fdopen(reading) as file:
        assert file.read() == "mine\n"
