"""Does `lbhm run` run anything as it would run without, and say what it saw? With the real runtime."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from outcome import BUILD, ROOT, build

NUMBERS = "".join(f"{number * 7919 % 10007}\n" for number in range(10007))
MAKEFILE = "all: first second\nfirst:\n\t@echo first\n\t@./app\nsecond:\n\t@echo second >&2; exit 2\n"
ANYTHING = {
    "shell": ["bash", "-c", "echo a; for i in 1 2; do (echo $i | cat); done; echo e >&2; exit 3"],
    "pipe and status": ["bash", "-o", "pipefail", "-c", "seq 100000 | sort -rn | head -2; exit $((PIPESTATUS[0] > 0))"],
    "python": ["python3", "-c", "import sys, zlib; print(zlib.crc32(sys.stdin.buffer.read())); sys.exit(7)"],
    "children of python": ["python3", "-c", "import subprocess as s; print(s.run(['echo', 'x']).returncode)"],
    "git": ["git", "-C", str(ROOT), "rev-parse", "--is-inside-work-tree"],
    "sort": ["sort", "-n", "--parallel=4"],
    "gcc": ["bash", "-c", "echo 'int main(){return 4;}' | gcc -x c - -o four && ./four"],
    "make": ["make", "second"],
    "nothing": ["true"],
    "a signal": ["bash", "-c", "kill -TERM $$"],
}
WAYS = {
    "optane": ["--machine", "optane"],
    "optane and heap": ["--machine", "optane", "--heap"],
    "host": ["--machine", "host"],
    "host and heap": ["--machine", "host", "--heap"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("anything")
    plugin = f"-fpass-plugin={BUILD / 'lib' / 'liblbhm-plugin.so'}"
    build("openmp.cpp", folder / "app", "-fopenmp", plugin)
    (folder / "Makefile").write_text(MAKEFILE)
    (folder / "four.c").write_text("int main(void) { return 4; }\n")
    subprocess.run(["gcc", "-static", "four.c", "-o", "static"], cwd=folder, check=True)
    return folder


def run(folder: Path, words: list, text: str = NUMBERS) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LBHM_", "OMP_"))}
    environment["LBHM_BUILD"] = str(BUILD)
    return subprocess.run(
        words, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=120, check=False
    )


def lbhm(folder: Path, *words: str) -> subprocess.CompletedProcess:
    done = run(folder, [ROOT / "lbhm", "run", *words])
    own = "".join(line for line in done.stderr.splitlines(keepends=True) if line.startswith("lbhm: "))
    done.own, done.stderr = own, done.stderr.replace(own, "")
    return done


def ending(done: subprocess.CompletedProcess) -> tuple[str, str, int]:
    status = 128 - done.returncode if done.returncode < 0 else done.returncode  # as shells tell it
    return done.stdout, done.stderr, status


@pytest.mark.parametrize("what", ANYTHING)
def test_anything_runs_as_without(folder, what):
    """Ways one after the other, so that what one leaves behind would show in the next."""
    expected = ending(run(folder, ANYTHING[what]))
    for way, options in WAYS.items():
        done = lbhm(folder, *options, "--", *ANYTHING[what])
        assert ending(done) == expected, way
        assert done.own.count("\n") == 1, way
        assert "there is no run report" in done.own or "see whether it does so without lbhm" in done.own, way


def test_a_share_of_fast_memory_is_kept_where_parts_of_the_policy_are_left_out(folder):
    words = [ROOT / "lbhm", "run", "--policy", "merchandiser", "--fast", "50%", "--", "./app"]
    done = run(folder, ["env", "LBHM_WITHOUT=goals", *words])
    assert done.returncode == 0 and "so fast memory is" in done.stderr, done.stderr


@pytest.mark.parametrize("options", WAYS.values(), ids=WAYS)
def test_the_report_of_a_child_says_whose_it_is(folder, options, tmp_path):
    target = tmp_path / "report.json"
    done = lbhm(folder, *options, "--json", str(target), "--", "make")
    assert done.returncode == 2
    assert "first\n" in done.stdout and "second\n" in done.stderr
    assert done.stdout.count("first\n") == 1, "make runs once, for a second time it would find its work done"
    assert "the report is of ./app, the last program with OpenMP that make started" in done.own
    assert json.loads(target.read_text())["program"] == "./app"


def test_a_static_program_runs_and_is_named(folder):
    done = lbhm(folder, "--", "./static")
    assert done.returncode == 4
    assert "lbhm: ./static: it is linked statically, so LB-HM cannot be loaded into it; link it without" in done.own


def test_libraries_beside_a_program_are_found_through_links_to_it(folder):
    """As alternatives and environments of conda and Spack link to programs."""
    for name in ("tool/bin", "tool/lib", "links"):
        (folder / name).mkdir(parents=True)
    for command in (
        ["gcc", "-shared", "-fPIC", "four.c", "-Dmain=four", "-o", "tool/lib/libfour.so"],
        ["gcc", "-x", "c", "-", "-o", "tool/bin/four", "-Ltool/lib", "-lfour", "-Wl,-rpath,$ORIGIN/../lib"],
    ):
        subprocess.run(command, cwd=folder, input=b"int four(void); int main(void) { return four(); }", check=True)
    (folder / "links" / "second").symlink_to(folder / "tool" / "bin" / "four")
    (folder / "links" / "first").symlink_to("second")
    done = lbhm(folder, "--machine", "host", "--", "links/first")
    assert done.returncode == 4 and "is not found" not in done.own, done.own


def test_a_privileged_program_runs_and_is_named(folder):
    """Somebody else's set-uid program, and our own, which gives no privileges."""
    if os.geteuid() != 0 or os.statvfs(folder).f_flag & os.ST_NOSUID:
        pytest.skip("needs root, to make programs with privileges, where they have an effect")
    shutil.copy("/bin/true", folder / "set-uid")
    for user, said in ((65534, True), (0, False)):
        os.chown(folder / "set-uid", user, user)
        (folder / "set-uid").chmod(0o4755)
        done = lbhm(folder, "--", "./set-uid")
        assert done.returncode == 0
        assert ("./set-uid: it has privileges of its own (set-uid" in done.own) == said
