"""lbhm regions -- BUILD COMMAND: runs somebody's build with our plugin in every compilation, and finds what it made."""

from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lbhm.base.build_tree import BuildTree, absent
from lbhm.base.errors import Refusal
from lbhm.files.json_reader import parse_json
from lbhm.output import output
from lbhm.output.streams import check_reader

_COMPILERS = Path(__file__).resolve().parent / "compilers"
_C = ("CC", "OMPI_CC", "MPICH_CC", "I_MPI_CC")
_CXX = ("CXX", "OMPI_CXX", "MPICH_CXX", "I_MPI_CXX")
_PASSED_OVER = {".git", ".svn", ".hg"}


@dataclass
class Notes:
    """What the compilers in compilers/ wrote down."""

    compiled: int = 0
    linked: set[Path] = field(default_factory=set)
    failed: list[str] = field(default_factory=list)
    dropped: set[str] = field(default_factory=set)


def build_regions(build: BuildTree, command: list[str], say: Callable[[str], None]) -> list[Path]:
    """Runs the build in the working directory. Returns the programs and libraries that it made or changed.

    Raises Refusal: with the build's own status when it fails; when nothing was compiled.
    """
    if not build.plugin.is_file():
        raise absent(f"{build.plugin}: the plugin")
    root = Path.cwd()
    before = dict(_elf_files(root))
    with output.scratch_file("notes") as notes_file:
        notes_file.touch()
        status = _run(command, _environment(build, root, notes_file))
        notes = _read(notes_file)
    if notes.dropped:
        say(f"dropped, because regions are marked before the link: {' '.join(sorted(notes.dropped))}")
    if status != 0:
        check_reader(128 - status if status < 0 else status)
        raise Refusal(_failure(command[0], status, notes), 128 - status if status < 0 else status)
    if notes.compiled == 0:
        raise Refusal(
            f"{command[0]}: the build compiled nothing with a compiler from PATH or CC and CXX; clean it first (make "
            "clean), and let a cmake --build configure anew, in a fresh folder, under lbhm regions, too"
        )
    after = dict(_elf_files(root))
    fresh = {path for path, mark in after.items() if before.get(path) != mark}
    return sorted(fresh | {path for path in notes.linked if path.is_file() and _is_linked(path)})


def _run(command: list[str], environment: dict[str, str]) -> int:
    try:
        return subprocess.call(command, env=environment, stdout=output.of_programs())
    except OSError as error:
        if Path(command[0]).is_file():
            raise Refusal(
                f"{command[0]}: this file is no program and no library, and no build command either; name one that "
                "was built by lbhm regions -- BUILD COMMAND"
            ) from None
        raise Refusal(f"{command[0]}: the build cannot be started ({error.strerror}); check the name") from None


def _environment(build: BuildTree, root: Path, notes: Path) -> dict[str, str]:
    environment = os.environ | {name: str(_COMPILERS / "cc") for name in _C}
    environment |= {name: str(_COMPILERS / "c++") for name in _CXX}
    return environment | {
        "PATH": f"{_COMPILERS}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
        "CCACHE_DISABLE": "1",  # it does not know of the plugin
        "LBHM_PLUGIN_REGIONS": "1",
        "LBHM_PLUGIN_REGIONS_ROOT": str(root),
        "LBHM_REGIONS_PLUGIN": str(build.plugin),
        "LBHM_REGIONS_NOTES": str(notes),
    }


def _read(file: Path) -> Notes:
    notes = Notes()
    for line in file.read_text(encoding="utf-8").splitlines():
        said = parse_json(line)
        notes.compiled += bool(said.get("compiled"))
        notes.failed += said.get("failed", [])
        notes.dropped.update(said.get("dropped", []))
        if said.get("linked"):
            notes.linked.add(Path(said["linked"]))
    return notes


def _failure(name: str, status: int, notes: Notes) -> str:
    how = f"was ended by signal {-status}" if status < 0 else f"ended with exit status {status}"
    if not notes.failed:
        return f"{name}: the build {how}; see whether it does so without lbhm regions"
    return (
        f"{name}: the build {how}; clang-19, which stands in for its compilers, refused {notes.failed[-1]}: see its "
        "message above, and make the source build with clang first"
    )


def _is_linked(path: Path) -> bool:
    """ET_EXEC or ET_DYN stands behind the 16 bytes by which ELF files are known; ours are little-endian."""
    with path.open("rb") as file:
        head = file.read(18)
    return head[:4] == b"\x7fELF" and head[16:18] in (b"\x02\x00", b"\x03\x00")


def _elf_files(root: Path) -> Iterator[tuple[Path, tuple[int, int, int]]]:
    """Every program and shared library below the folder, with what changes when it is written."""
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        for name in files:
            path = Path(folder) / name
            try:
                status = path.lstat()
                # Regular files alone: a pipe or a device that stands there would be waited for.
                if not stat.S_ISREG(status.st_mode) or not _is_linked(path):
                    continue
            except OSError:
                continue
            yield path, (status.st_mtime_ns, status.st_size, status.st_ino)
