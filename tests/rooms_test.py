"""Does every room keep to its doors? Scans #include lines and Python imports; the table is scripts/rooms.py."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

from rooms import COMMAND, FOLDERS, LAYERS, ROOMS, VALUES  # noqa: E402 (it stands there)

SYSTEM = re.compile(r"(sys/.*|linux/.*|unistd\.h|sched\.h|pthread\.h|numa(if)?\.h|hwloc.*|memkind.*|mimalloc.*|papi.*)")
README_LINES = 45
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCES = {".h", ".c", ".cpp", ".cc", ".hpp"}


def room_of(path: str) -> str | None:
    """The room that a path relative to the root is in; the longest name wins."""
    return max((room for room in ROOMS if path.startswith(f"{room}/")), key=len, default=None)


def fault_of_layers(name: str, path: str, target: str) -> str | None:
    """Why this file of a room may not include that one of it, or None."""
    inner = ROOMS[name].inner.split()
    folder, included = (file.removeprefix(f"{name}/").rpartition("/")[0] for file in (path, target))
    if not inner or included == folder or not included:
        return None
    if included not in inner or (folder and folder not in inner):
        return f"{included if included not in inner else folder} is no layer of {name}"
    if folder in inner[: inner.index(included)] or not folder:
        return f"{included} stands above {folder or 'what is in no folder'} in {name}"
    return None


def fault_of_include(root: Path, file: Path, included: str) -> str | None:
    """Why this file may not include that, or None."""
    name = room_of(file.relative_to(root).as_posix())
    if SYSTEM.fullmatch(included):
        return None if ROOMS[name].system else f"{name} calls no operating system: <{included}>"
    target = f"include/{included}" if included.startswith("lbhm/") else included
    if (file.parent / target).is_file():
        target = (file.parent / target).resolve().relative_to(root).as_posix()
    owner = room_of(target)
    if owner == name:
        return fault_of_layers(name, file.relative_to(root).as_posix(), target)
    if owner is None and not (root / target).is_file():
        return None
    if owner is None or target.removeprefix(f"{owner}/") not in ROOMS[owner].doors:
        return f"{included} is a private header of {owner or 'no room'}, not of {name}"
    if owner not in ROOMS[name].sees and target not in ROOMS[name].sees:
        return f"{name} may not include the door {included}"
    return None


def include_faults(root: Path) -> list[str]:
    faults = []
    for room in ROOMS:
        for file in sorted(path for path in (root / room).rglob("*") if path.suffix in SOURCES):
            if room_of(file.relative_to(root).as_posix()) != room:
                continue
            for _, included in INCLUDE.findall(file.read_text()):
                if fault := fault_of_include(root, file, included):
                    faults.append(f"{file.relative_to(root)}: {fault}")
    return faults


def imports_of(source: str) -> set[str]:
    """Top-level names of the packages that a Python file imports; relative imports stay in their room."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.partition(".")[0])
    return names


def import_faults(root: Path) -> list[str]:
    return [
        f"{file.relative_to(root)}: {room} may not import {name}"
        for room, allowed in ((name, folder.imports) for name, folder in FOLDERS.items())
        if allowed is not None
        for file in sorted((root / room).rglob("*.py"))
        for name in sorted(imports_of(file.read_text()) - sys.stdlib_module_names - allowed)
    ]


def parts_imported(source: str) -> set[str]:
    """Folders and modules right below lbhm that a Python file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[1] for name in names if name.startswith("lbhm.")} - {"__version__"}


def command_faults(root: Path) -> list[str]:
    """Parts of the command that import what is above them, or that are not in the list."""
    faults = []
    for file in sorted((root / "tools/lbhm").rglob("*.py")):
        path = file.relative_to(root / "tools/lbhm")
        part = path.parts[0].removesuffix(".py")
        if part in COMMAND:
            above = parts_imported(file.read_text()) - set(COMMAND[: COMMAND.index(part) + 1])
            faults += [f"{path}: {part} may not import {name}" for name in sorted(above)]
        elif len(path.parts) > 1:
            faults.append(f"{path}: {part} is not in the list")
    return faults


def test_no_room_reaches_past_a_door():
    assert include_faults(ROOT) == []


def faults_of_readmes(root: Path) -> list[str]:
    """Doors that include doors of other rooms without their room's README saying so: whoever opens one gets both."""
    faults = []
    for name, room in ROOMS.items():
        readme = (root / name / "README.md").read_text()
        for door in sorted(room.doors):
            for _, included in INCLUDE.findall((root / name / door).read_text()):
                owner = room_of(f"include/{included}" if included.startswith("lbhm/") else included)
                if owner not in (None, name) and included not in VALUES and owner not in readme:
                    faults.append(f"{name}/{door} includes {included}, and {name}/README.md does not name {owner}")
    return faults


def test_readmes_name_the_doors_behind_a_door():
    assert faults_of_readmes(ROOT) == []


def test_no_python_room_imports_another():
    assert import_faults(ROOT) == []


def test_no_part_of_the_command_imports_what_is_above_it():
    assert command_faults(ROOT) == []


def test_every_source_file_of_the_runtime_is_in_a_room():
    homeless = [path for path in (ROOT / "runtime").rglob("*.cpp") if not room_of(path.relative_to(ROOT).as_posix())]
    assert homeless == []


def test_layers_of_a_room_are_its_folders():
    """Those that hold sources and are no rooms of their own."""
    for name, room in ((name, room) for name, room in ROOMS.items() if room.inner):
        files = [file.relative_to(ROOT).as_posix() for file in (ROOT / name).rglob("*") if file.suffix in SOURCES]
        folders = {file.removeprefix(f"{name}/").rpartition("/")[0] for file in files if room_of(file) == name}
        assert folders - {""} == set(room.inner.split()), name


def test_rooms_see_only_what_is_below_them():
    """So no room sees itself by way of another one."""
    below, faults = set(), []
    for name, room in ROOMS.items():
        below.add(name)
        faults += [
            f"{name} sees {door}"
            for door in sorted(room.sees)
            if (door if door in ROOMS else room_of(door)) not in below
        ]
    assert faults == []


def test_every_room_is_in_the_drawing():
    assert {room.layer for room in ROOMS.values()} == set(LAYERS)


def test_page_and_drawing_are_those_of_the_table():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "draw-architecture", "--check"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


WITH_README = ROOMS | {name: folder for name, folder in FOLDERS.items() if folder.readme}


@pytest.mark.parametrize("room", WITH_README)
def test_room_has_a_short_readme(room):
    readme = ROOT / room / "README.md"
    assert readme.is_file(), f"{room} needs a README.md: what it is, what it may include, where to start reading"
    lines = readme.read_text().splitlines()
    assert lines[0] == f"# {room}: {WITH_README[room].does}"
    assert len(lines) <= README_LINES


BAD = [
    ("model/a.cpp", '#include "runtime/machine/machine.h"', "model may not include the door runtime/machine/machine.h"),
    ("model/a.cpp", "#include <runtime/engine/engine.h>", "model may not include the door runtime/engine/engine.h"),
    ("model/a.cpp", "#  include <sys/mman.h>", "model calls no operating system: <sys/mman.h>"),
    ("runtime/engine/a.cpp", '#include "emulator/parts/cache.h"', "emulator/parts/cache.h is a private header of emul"),
    (
        "runtime/objects/a.cpp",
        '#include "../placement/p.h"',
        "../placement/p.h is a private header of runtime/placement",
    ),
    ("libomp-ext/ompt/a.cpp", '#include "runtime/objects/objects.h"', "libomp-ext may not include the door"),
    (
        "apps/spgemm/a.cpp",
        '#include "runtime/engine/engine.h"',
        "apps may not include the door runtime/engine/engine.h",
    ),
    ("emulator/parts/a.cpp", '#include "emulator/memory/b.h"', "memory stands above parts in emulator"),
    ("emulator/a.cpp", '#include "emulator/base/b.h"', "base stands above what is in no folder in emulator"),
    ("emulator/core/a.cpp", '#include "emulator/cores/b.h"', "cores is no layer of emulator"),
]
GOOD = [
    (
        "emulator/parts/a.cpp",
        '#include "emulator/parts/cache.h"\n#include "cache.h"\n#include <sys/mman.h>\n#include <a>',
    ),
    ("model/a.cpp", '#include "runtime/base/values.h"\n#include "model/model.h"'),
    ("runtime/engine/a.cpp", '#include "runtime/objects/objects.h"'),
    ("emulator/memory/a.cpp", '#include "emulator/parts/b.h"\n#include "emulator/emulator.h"'),
]


@pytest.fixture
def tree(tmp_path):
    """A tree with two private headers to reach for."""
    for header in ("emulator/parts/cache.h", "runtime/placement/p.h"):
        (tmp_path / header).parent.mkdir(parents=True)
        (tmp_path / header).touch()
    return tmp_path


def put(tree: Path, name: str, text: str) -> None:
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text(text)


@pytest.mark.parametrize(("name", "text", "fault"), BAD)
def test_the_checker_sees_a_fault(tree, name, text, fault):
    put(tree, name, text)
    faults = include_faults(tree)
    assert len(faults) == 1
    assert faults[0].startswith(f"{name}: {fault}")


@pytest.mark.parametrize(("name", "text"), GOOD)
def test_the_checker_lets_good_files_be(tree, name, text):
    put(tree, name, text)
    assert include_faults(tree) == []


def test_the_checker_sees_a_foreign_import(tree):
    put(tree, "tools/lbhm/a.py", "import json\nfrom training.export import model\nfrom . import units\n")
    assert import_faults(tree) == ["tools/lbhm/a.py: tools may not import training"]


def test_the_checker_sees_an_import_of_a_part_above(tree):
    put(tree, "tools/lbhm/files/a.py", "from lbhm import __version__, machine\n\n\ndef f():\n    import lbhm.run.run\n")
    put(tree, "tools/lbhm/run/a.py", "from lbhm.files import a\nfrom lbhm.cli import main\n")
    put(tree, "tools/lbhm/new/a.py", "")
    put(tree, "tools/lbhm/cli.py", "from lbhm.run import a\n")
    found = ["files/a.py: files may not import machine", "files/a.py: files may not import run"]
    assert command_faults(tree) == [*found, "new/a.py: new is not in the list", "run/a.py: run may not import cli"]
