"""The training programs: built in the build tree, or given in a folder."""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
from pathlib import Path

from lbhm.base.build_tree import INSTALLED, SOURCE, BuildTree
from lbhm.base.errors import Refusal

# By whether the machine is emulated: what is built, and what the programs' names begin with in the build tree.
TARGETS = {True: ("training-corpus", "corpus-"), False: ("training-corpus-host", "host-corpus-")}


def built_corpus(build: BuildTree, jobs: int, emulated: bool) -> list[Path]:
    """Brings the programs of training/corpus up to date. Raises Refusal when they cannot be built."""
    target, prefix = TARGETS[emulated]
    if not (build.root / "CMakeCache.txt").is_file():
        if INSTALLED:
            raise Refusal(
                "the training programs are not installed; build them from the source, and name --corpus FOLDER"
            )
        raise Refusal(f"{build.root}: this is no build tree of CMake; run ./quickstart, or name programs by --corpus")
    if shutil.which("cmake") is None:
        raise Refusal("cmake is not installed; install it, or name a folder of built programs by --corpus")
    command = ["cmake", "--build", str(build.root), "--parallel", str(jobs), "--target", target]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        said = (done.stdout + done.stderr).rstrip().splitlines()[-12:]
        raise Refusal(f"the training programs could not be built ({' '.join(command)}); its last words:", words=said)
    return programs_in(build.programs, prefix)


def programs_in(folder: Path, prefix: str = "") -> list[Path]:
    """The executable files of a folder. Raises Refusal when there is none."""
    if not folder.is_dir():
        raise Refusal(f"{folder}: there is no such folder; name one with training programs")
    found = sorted(
        path
        for path in folder.absolute().glob(f"{prefix}*")
        if path.is_file() and os.access(path, os.X_OK) and not path.suffix
    )
    if not found:
        raise Refusal(f"{folder}: there is no training program in it; programs are executable files without a suffix")
    return found


def name_of(program: Path) -> str:
    prefixes = (prefix for _, prefix in TARGETS.values() if program.name.startswith(prefix))
    return program.name.removeprefix(next(prefixes, ""))


def chosen(programs: list[Path], names: str | None) -> list[Path]:
    """Those that --programs names, all without it. Raises Refusal when one is unknown, or only one is named."""
    if names is None:
        return programs
    by_name = {name_of(path): path for path in programs}
    return [by_name[name] for name in check_names(names, list(by_name))]


def known_names() -> list[str]:
    """What the build tree can build; nothing where LB-HM is installed."""
    return sorted(path.stem for path in (SOURCE / "training" / "corpus").glob("*.cpp"))


def check_names(names: str | None, known: list[str]) -> list[str]:
    """What --programs names, each once. Raises Refusal when one is unknown, or only one is named."""
    wanted = [name.strip() for name in (names or "").split(",") if name.strip()]
    if names is not None and not wanted:
        raise Refusal("--programs: no program is named; leave the option out to take all of them")
    for name in wanted if known else []:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            meant = f"did you mean {near[0]}? " if near else ""
            raise Refusal(f"--programs: there is no training program '{name}'; {meant}there are: {', '.join(known)}")
    if len(set(wanted)) == 1:
        raise Refusal("--programs: one program is too few; f is judged on programs that it has not seen, so name two")
    return list(dict.fromkeys(wanted))
