"""Does every room keep to its doors? Scans #include lines and Python imports; the table is docs/architecture.md's."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# Parts of the door of runtime/base that call no operating system, or one that everybody may call.
TEXTS = {"json.h", "printable.h", "environment.h"}
VALUES = {"units.h", "fingerprint.h", "status.h", "folder_names.h", "values.h", "settings.h", "access_pattern.h"}
EVERY_DOOR = {path.name for path in (ROOT / "include/lbhm").glob("*.h")}
SYSTEM = re.compile(r"(sys/.*|linux/.*|unistd\.h|sched\.h|pthread\.h|numa(if)?\.h|hwloc.*|memkind.*|mimalloc.*|papi.*)")


@dataclass(frozen=True)
class Room:
    """doors: headers of include/lbhm that it may include. system: whether it may call the operating system itself."""

    doors: set[str]
    system: bool = True


ROOMS = {
    "include": Room(EVERY_DOOR, system=False),
    "libomp-ext": Room(
        VALUES
        | {"engine.h", "lbhm.h", "omp_traits.h", "environment.h", "printable.h", "own_memory.h"}
        | {"inside.h", "watching.h"}
    ),
    "runtime/own_memory": Room({"own_memory.h", "inside.h"}),
    "model": Room(VALUES | {"model.h", "json.h"}, system=False),
    "runtime/base": Room({"files.h", "status.h", "units.h", "own_memory.h"} | TEXTS),
    "runtime/machine": Room(VALUES | {"machine.h", "host.h", "samplers.h", "files.h", "json.h", "watching.h"}),
    "runtime/objects": Room(VALUES | {"objects.h"}, system=False),
    "runtime/patterns": Room(VALUES | {"patterns.h", "compiled_patterns.h", "json.h"}, system=False),
    "runtime/sampling": Room(VALUES | {"sampling.h", "samplers.h", "machine.h", "watching.h"}),
    "runtime/placement": Room(VALUES | {"placement.h", "machine.h"}, system=False),
    "runtime/migration": Room(VALUES | {"migration.h", "machine.h"}, system=False),
    "runtime/engine": Room(EVERY_DOOR),
    "emulator": Room(
        VALUES | {"emulator.h", "machine.h", "instrumentation.h", "inside.h", "files.h", "json.h", "environment.h"}
    ),
    "compiler": Room(
        {"instrumentation.h", "compiled_patterns.h", "code_regions.h", "block_counts.h", "access_pattern.h"},
        system=False,
    ),
    "apps": Room({"lbhm.h", "omp_traits.h", "own_memory.h", "inside.h"}),
}
# Rooms of Python: the packages that each may import beside the standard library.
PYTHON_ROOMS = {
    "tools": {"lbhm", "typer", "rich", "elftools", "jsonschema", "numpy", "scipy", "lbhm_training"},
    "training": {"lbhm_training", "numpy", "scipy", "sklearn", "xgboost"},
    "scripts": set(),
}
README_LINES = 45
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCES = {".h", ".c", ".cpp", ".cc", ".hpp"}


def room_of(path: str) -> str | None:
    """The room that a path relative to the root is in; the longest name wins."""
    return max((room for room in ROOMS if path.startswith(f"{room}/")), key=len, default=None)


def fault_of_include(root: Path, file: Path, included: str) -> str | None:
    """Why this file may not include that, or None."""
    name = room_of(file.relative_to(root).as_posix())
    if included.startswith("lbhm/"):
        door = included.removeprefix("lbhm/")
        return None if door in ROOMS[name].doors else f"{name} may not include the door {included}"
    if SYSTEM.fullmatch(included):
        return None if ROOMS[name].system else f"{name} calls no operating system: <{included}>"
    target = next((path for path in (file.parent / included, root / included) if path.is_file()), None)
    if target is None:
        return None
    owner = room_of(target.resolve().relative_to(root).as_posix())
    return None if owner == name else f"{included} is a private header of {owner or 'no room'}, not of {name}"


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
        for room, allowed in PYTHON_ROOMS.items()
        for file in sorted((root / room).rglob("*.py"))
        for name in sorted(imports_of(file.read_text()) - sys.stdlib_module_names - allowed)
    ]


def test_no_room_reaches_past_a_door():
    assert include_faults(ROOT) == []


def test_no_python_room_imports_another():
    assert import_faults(ROOT) == []


def test_every_source_file_of_the_runtime_is_in_a_room():
    homeless = [path for path in (ROOT / "runtime").rglob("*.cpp") if not room_of(path.relative_to(ROOT).as_posix())]
    assert homeless == []


@pytest.mark.parametrize("room", [*ROOMS, "tools", "training", "bench"])
def test_room_has_a_short_readme(room):
    readme = ROOT / room / "README.md"
    assert readme.is_file(), f"{room} needs a README.md: what it is, what it may include, where to start reading"
    assert len(readme.read_text().splitlines()) <= README_LINES


BAD = [
    ("model/a.cpp", '#include "runtime/machine/machine.h"', "model may not include the door lbhm/machine.h"),
    ("model/a.cpp", "#include "runtime/engine/engine.h"", "model may not include the door lbhm/engine.h"),
    ("model/a.cpp", "#  include <sys/mman.h>", "model calls no operating system: <sys/mman.h>"),
    ("runtime/engine/a.cpp", '#include "emulator/parts/cache.h"', "emulator/parts/cache.h is a private header of emulator"),
    (
        "runtime/objects/a.cpp",
        '#include "../placement/p.h"',
        "../placement/p.h is a private header of runtime/placement",
    ),
    ("libomp-ext/ompt/a.cpp", '#include "runtime/objects/objects.h"', "libomp-ext may not include the door lbhm/objects.h"),
    ("apps/spgemm/a.cpp", '#include "runtime/engine/engine.h"', "apps may not include the door lbhm/engine.h"),
]
GOOD = [
    ("emulator/a.cpp", '#include "emulator/parts/cache.h"\n#include "cache.h"\n#include <sys/mman.h>\n#include <vector>'),
    ("model/a.cpp", '#include "runtime/base/values.h"\n#include "model/model.h"'),
    ("runtime/engine/a.cpp", '#include "runtime/objects/objects.h"'),
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
