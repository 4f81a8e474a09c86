"""Does a program that cannot load LB-HM run without it, after one sentence? Of another root, another libc."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

sys.path.insert(0, str(Path(__file__).parent))
from outcome import LIBRARY, PROGRAMS, ROOT

WAYS = ["execve", "execv", "execvp", "execvpe", "execl", "execlp", "execle", "fexecve", "execveat", "execveat-empty"]
WAYS += ["posix_spawn", "posix_spawnp", "vfork"]
NEWEST = (2, 35)  # of glibc: what older ones refuse (cmake/refused_elsewhere.py) must work with this one
SENTENCE = "is of another root, libc or word size"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """other: a program of another loader. script: run by it. starts: starts programs in all ways."""
    folder = tmp_path_factory.mktemp("other")
    (folder / "main.c").write_text("void _start(void) {}\n")
    loader = ["gcc", "-O1", "-nostdlib", "-static-pie", "-fPIE", "-fno-stack-protector"]
    subprocess.run([*loader, PROGRAMS / "other_loader.c", "-o", "loader"], cwd=folder, check=True)
    named = f"-Wl,--dynamic-linker={folder / 'loader'}"
    subprocess.run(["gcc", "-nostdlib", "-pie", "-fPIE", named, "main.c", "-o", "other"], cwd=folder, check=True)
    subprocess.run(["gcc", "-O1", PROGRAMS / "starts.c", "-o", "starts"], cwd=folder, check=True)
    (folder / "script").write_text(f"#!{folder / 'other'}\n")
    (folder / "script").chmod(0o755)
    return folder


def run(folder: Path, *words: str | Path, preload: str = "") -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LBHM_", "OMP_", "LD_"))}
    environment |= {"PATH": f"{folder}:{environment['PATH']}", "LBHM_BUILD": str(LIBRARY.parents[1])}
    # env is the first that has it preloaded.
    words = ["env", f"LD_PRELOAD={preload}", *words] if preload else words
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["other", "script"])
def test_what_another_loader_starts_has_nothing_of_ours_to_preload(folder, way, name):
    """What else is preloaded stays."""
    heap = LIBRARY.with_name("liblbhm-heap.so")
    path = name if way in ("execvp", "execvpe", "execlp", "posix_spawnp") else f"./{name}"
    done = run(folder, folder / "starts", way, path, preload=f"{LIBRARY} libm.so.6:{heap}")
    assert (done.returncode, done.stdout) == (7, "LD_PRELOAD=libm.so.6\nelsewhere\n"), done.stderr
    assert done.stderr.count("\n") == 1 and done.stderr.startswith("lbhm: ") and SENTENCE in done.stderr


@pytest.mark.parametrize("preload", [str(LIBRARY), str(LIBRARY.parent / "host" / LIBRARY.name)], ids=["all", "host"])
def test_words_that_are_no_memory_are_answered_by_the_kernel(folder, preload):
    subprocess.run(["gcc", "-O1", PROGRAMS / "wrong_words.c", "-o", "wrong_words"], cwd=folder, check=True)
    alone = run(folder, "./wrong_words")
    assert alone.returncode == 0 and alone.stdout.count("Bad address") > 15
    ours = run(folder, "./wrong_words", preload=f"{preload}:{LIBRARY.with_name('liblbhm-heap.so')}")
    assert (ours.returncode, ours.stdout, ours.stderr) == (0, alone.stdout, "")


def test_our_own_loader_gets_all(folder):
    done = run(folder, folder / "starts", "execvp", "env", preload=str(LIBRARY))
    assert f"\nLD_PRELOAD={LIBRARY}\n" in done.stdout and done.stderr == ""


def test_a_script_goes_on_and_nothing_is_empty(folder):
    done = run(folder, "sh", "-c", "./other; echo $?; ./starts execv ./other | tail -1", preload=str(LIBRARY))
    assert done.stdout == "\nelsewhere\n7\nelsewhere\n", "no variable LD_PRELOAD is left where it had ours alone"
    assert done.stderr.count("\n") == done.stderr.count(SENTENCE) == 2


def test_where_our_files_are_not_seen_they_are_left_out(folder):
    shutil.copy(LIBRARY, folder / "liblbhm.so")
    done = run(folder, "sh", "-c", "cd /; exec env true", preload="./liblbhm.so")
    assert done.returncode == 0
    assert done.stderr == (
        "lbhm: /usr/bin/env runs without LB-HM: ./liblbhm.so is not to be seen from its root or folder; use a "
        "name that holds there, too\n"
    )


@pytest.mark.parametrize("way", ["system", "popen"])
def test_libcs_own_shell_is_looked_at_too(folder, way):
    shutil.copy(LIBRARY, folder / "liblbhm.so")
    command = "test -z $LD_PRELOAD && env true; exit $((7 + $?))"
    done = run(folder, "./starts", way, command, preload="./liblbhm.so")
    assert (done.returncode, done.stderr.count("\n")) == (7, 1), done.stderr
    assert done.stderr.startswith("lbhm: /bin/sh runs without LB-HM: ./liblbhm.so is not to be seen")


def test_another_root(folder):
    root = folder / "root"
    listing = subprocess.run(["ldd", "/bin/true"], capture_output=True, text=True, check=True).stdout
    for file in ["/bin/true", *re.findall(r"/\S+", listing)]:
        (root / file[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, root / file[1:])
    words = ["chroot", str(root), "/bin/true"]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        words = ["unshare", "-r", *words]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("nobody may change the root here")
    for command, options in (([ROOT / "lbhm", "run", "--machine", "host", "--"], ""), ([], str(LIBRARY))):
        done = run(folder, *command, *words, preload=options)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count(SENTENCE) == 1 and "ERROR" not in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["other", "script"])
def test_lbhm_run_says_it_and_preloads_nothing(folder, name):
    for options in ([], ["--machine", "host", "--heap"]):
        done = run(folder, ROOT / "lbhm", "run", *options, "--", f"./{name}")
        assert (done.returncode, done.stdout.strip()) == (7, "LD_PRELOAD=\nelsewhere"), done.stderr
        assert done.stderr.count("lbhm: ") == 2 and done.stderr.count(SENTENCE) == 1, done.stderr
    done = run(folder, ROOT / "lbhm", "compare", "--", f"./{name}")
    assert done.returncode == 2 and SENTENCE in done.stderr and done.stdout == ""


@pytest.mark.parametrize("name", ["liblbhm.so", "liblbhm-heap.so", "host/liblbhm.so"])
def test_older_loaders_refuse_what_is_preloaded(name):
    """And none that takes it finds a version of glibc missing."""
    with (LIBRARY.parent / name).open("rb") as file:
        elf = ELFFile(file)
        empty = [part for part in elf.iter_segments("PT_LOAD") if part["p_filesz"] == 0]
        assert [(part["p_align"], part["p_offset"] >> 63) for part in empty] == [(1, 1)]
        needs = [need.name for _, needs in elf.get_section_by_name(".gnu.version_r").iter_versions() for need in needs]
    versions = [tuple(map(int, name.split("_")[1].split("."))) for name in needs if name.startswith("GLIBC_2")]
    assert len(versions) > 2 and max(versions) <= NEWEST


def test_nothing_is_said_of_what_cannot_start(folder):
    broken = (folder / "other").read_bytes().replace(b"/loader", b"/nobody")
    (folder / "broken").write_bytes(broken)
    (folder / "broken").chmod(0o755)
    for name in ("./broken", "./absent"):
        alone, ours = (run(folder, "./starts", "execve", name, preload=preload) for preload in ("", str(LIBRARY)))
        assert (alone.returncode, alone.stderr) == (9, "execve: No such file or directory\n")
        assert (ours.returncode, ours.stderr) == (alone.returncode, alone.stderr)
