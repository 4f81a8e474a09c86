"""Does every room keep to its doors? Scans #include lines and Python imports; the table is docs/architecture.md's."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SYSTEM = re.compile(r"(sys/.*|linux/.*|unistd\.h|sched\.h|pthread\.h|numa(if)?\.h|hwloc.*|memkind.*|mimalloc.*|papi.*)")


@dataclass(frozen=True)
class Room:
    """doors: its headers that other rooms may include; a room without any is nobody's. sees: the doors of other rooms
    that it may include, "room" for all of them or "room/header". system: whether it may call the operating system."""

    doors: set[str]
    sees: set[str]
    system: bool = True


VALUES = {f"runtime/base/{name}.h" for name in ("units", "fingerprint", "status", "chance", "folder_names", "values")}
VALUES |= {"runtime/base/range_map.h", "runtime/base/settings.h"}
VALUES |= {"include/lbhm/access_pattern.h"}
JSON = "runtime/base/json.h"
INSIDE = "runtime/own_memory/inside.h"
NO_FORK = "runtime/own_memory/no_fork.h"
CONTRACT = "runtime/machine/machine.h"
PLUGIN = {f"include/lbhm/{name}.h" for name in ("block_counts", "code_regions", "compiled_patterns", "instrumentation")}
PUBLIC = {"include/lbhm/lbhm.h", "include/lbhm/omp_traits.h"}


def doors(room: str, names: str) -> set[str]:
    return {f"{room}/{name}.h" for name in names.split()}


# From bottom to top.
ROOMS = {
    "include": Room(
        {f"lbhm/{name.split('/')[-1]}" for name in PUBLIC | PLUGIN} | {"lbhm/access_pattern.h"}, set(), system=False
    ),
    "runtime/own_memory": Room({"own_memory.h", "inside.h", "no_fork.h", "own_stack.h"}, set()),
    "runtime/base": Room(
        {"units.h", "fingerprint.h", "status.h", "chance.h", "folder_names.h", "range_map.h", "values.h", "settings.h"}
        | {"event_fields.h", "environment.h", "files.h", "json.h", "printable.h", "guarded.h", "scratch_file.h"}
        | {"thread_end.h", "own_folder.h"},
        VALUES | {"runtime/own_memory"},
    ),
    "runtime/interpose": Room({"real_function.h", "loaded_object.h", "export.h", "slots.h"}, {NO_FORK}),
    "model": Room({"model.h", "worth.h"}, VALUES, system=False),
    "model/learned": Room({"learned.h"}, VALUES | {"model", JSON}, system=False),
    "runtime/objects": Room(
        {"objects.h", "globals.h", "kept_objects.h", "known_sites.h"},
        VALUES | {NO_FORK, "runtime/own_memory/own_stack.h"},
        system=False,
    ),
    "runtime/patterns": Room({"patterns.h"}, VALUES | {JSON, "include/lbhm/compiled_patterns.h"}, system=False),
    "runtime/machine": Room({"machine.h"}, VALUES, system=False),
    "runtime/sampling": Room({"sampling.h", "sample_feed.h", "found_pages.h"}, VALUES | {CONTRACT}, system=False),
    "runtime/host": Room(
        {"host.h", "sampling/samplers.h", "sampling/watching.h"},
        VALUES
        | {CONTRACT, JSON, INSIDE, NO_FORK}
        | doors("runtime/base", "files environment event_fields guarded own_folder"),
    ),
    "runtime/phases": Room(
        {"phases.h", "lanes.h", "region_instance.h", "region_record.h", "region_index.h", "work_at.h"}
        | {"block_counts.h", "found_phases.h", "lane_notes.h", "page_intervals.h"},
        VALUES
        | {CONTRACT, "runtime/objects", "runtime/patterns", "runtime/sampling/sampling.h", "runtime/own_memory"}
        | {"include/lbhm/block_counts.h"}
        | doors("runtime/base", "guarded event_fields"),
    ),
    "runtime/knowledge": Room(
        {
            "knowledge.h",
            "forecast.h",
            "phase_forecast.h",
            "prediction.h",
            "object_knowledge.h",
            "page_uses.h",
            "block_profile.h",
        }
        | {"compiled_modules.h", "model_choice.h", "input_files.h"},
        VALUES
        | {CONTRACT, "runtime/base", "runtime/own_memory", "model", "model/learned", "runtime/objects"}
        | {"runtime/patterns"}
        | {
            "runtime/sampling/sampling.h",
            "runtime/phases",
            "include/lbhm/compiled_patterns.h",
            "include/lbhm/block_counts.h",
        },
    ),
    "runtime/placement": Room(
        {"placement.h", "placement_file.h", "page_tracker.h", "allocation_strategy.h"},
        VALUES
        | {CONTRACT, "model", "runtime/objects", "runtime/placement/choose", JSON, "runtime/base/files.h"}
        | {"runtime/knowledge/phase_forecast.h"},
        system=False,
    ),
    "runtime/placement/choose": Room({"choose.h"}, VALUES | {JSON, "model/worth.h"}, system=False),
    "runtime/migration": Room(
        {"migration.h", "actor.h", "candidates.h", "mover.h"},
        VALUES | {CONTRACT, "runtime/placement", "runtime/objects", "runtime/base/guarded.h"},
        system=False,
    ),
    "runtime/record": Room(
        {"recorder.h", "code_regions.h", "planned_bytes.h", "timeline.h", "use_profile.h"},
        VALUES
        | {CONTRACT, "runtime/base", "runtime/own_memory", "runtime/phases", "runtime/knowledge/prediction.h"}
        | {
            "runtime/objects",
            "runtime/migration",
            "runtime/placement",
            "runtime/sampling",
            "include/lbhm/code_regions.h",
        },
        system=False,
    ),
    "runtime/loop": Room(
        {"phase_loop.h", "policy_thread.h", "managed_memory.h", "memory_traits.h", "configured_objects.h"},
        VALUES
        | {CONTRACT, "runtime/base", "runtime/objects", "runtime/phases", "runtime/knowledge", "runtime/record"}
        | {"runtime/migration", "runtime/placement"}
        | doors("runtime/sampling", "sampling sample_feed found_pages"),
        system=False,
    ),
    "emulator": Room(
        {"emulator.h"},
        VALUES
        | {CONTRACT, JSON, INSIDE, "runtime/own_memory/no_fork.h", "include/lbhm/instrumentation.h"}
        | doors("runtime/base", "files environment event_fields own_folder"),
    ),
    "runtime/engine": Room(
        {"engine.h"},
        VALUES
        | {
            "runtime/base",
            "runtime/own_memory",
            "runtime/machine",
            "runtime/host",
            "runtime/objects",
        }
        | {"runtime/phases", "runtime/knowledge", "runtime/record", "runtime/loop", "runtime/placement"}
        | {"runtime/migration", "runtime/sampling/sample_feed.h", "emulator"},
    ),
    "libomp-ext/virtual": Room(
        {"virtual_openmp.h"},
        VALUES | {"runtime/engine", "runtime/interpose", INSIDE},
    ),
    "libomp-ext": Room(
        {"allocators/heap_objects.h"},
        VALUES
        | PUBLIC
        | {"runtime/engine", "libomp-ext/virtual", "runtime/interpose", "runtime/own_memory"}
        | {"runtime/host/sampling/watching.h"}
        | doors("runtime/base", "environment printable"),
    ),
    "libc-ext": Room(set(), {"runtime/interpose", "libomp-ext"}),
    "compiler": Room(set(), PLUGIN | {"include/lbhm/access_pattern.h"}, system=False),
    "apps": Room(set(), PUBLIC),
}
# Rooms of Python: the packages that each may import beside the standard library.
PYTHON_ROOMS = {
    "tools": {"lbhm", "typer", "rich", "elftools", "jsonschema", "jsonschema_rs", "numpy", "scipy", "lbhm_training"},
    "training": {"lbhm_training", "numpy", "scipy", "sklearn", "xgboost"},
    "scripts": {"junitparser", "mkdocs"},
}
# The parts of the command: folders of tools/lbhm, and what they share of its root, from bottom to top. Each may import
# those in front of it. What else is at the root is the command line: it may import all, and nobody imports it.
COMMAND = ["base", "output", "options", "files", "program", "system", "machine", "library", "execute", "measure"]
COMMAND += ["profile", "optimize", "run", "objects", "report", "regions", "oracle", "compare", "train", "doctor"]
README_LINES = 45
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCES = {".h", ".c", ".cpp", ".cc", ".hpp"}


def room_of(path: str) -> str | None:
    """The room that a path relative to the root is in; the longest name wins."""
    return max((room for room in ROOMS if path.startswith(f"{room}/")), key=len, default=None)


def fault_of_include(root: Path, file: Path, included: str) -> str | None:
    """Why this file may not include that, or None."""
    name = room_of(file.relative_to(root).as_posix())
    if SYSTEM.fullmatch(included):
        return None if ROOMS[name].system else f"{name} calls no operating system: <{included}>"
    target = f"include/{included}" if included.startswith("lbhm/") else included
    if (file.parent / target).is_file():
        target = (file.parent / target).resolve().relative_to(root).as_posix()
    owner = room_of(target)
    if owner == name or (owner is None and not (root / target).is_file()):
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
        for room, allowed in PYTHON_ROOMS.items()
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


@pytest.mark.parametrize("room", [*ROOMS, "tools", "training", "bench"])
def test_room_has_a_short_readme(room):
    readme = ROOT / room / "README.md"
    assert readme.is_file(), f"{room} needs a README.md: what it is, what it may include, where to start reading"
    assert len(readme.read_text().splitlines()) <= README_LINES


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
]
GOOD = [
    (
        "emulator/parts/a.cpp",
        '#include "emulator/parts/cache.h"\n#include "cache.h"\n#include <sys/mman.h>\n#include <a>',
    ),
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


def test_the_checker_sees_an_import_of_a_part_above(tree):
    put(tree, "tools/lbhm/files/a.py", "from lbhm import __version__, machine\n\n\ndef f():\n    import lbhm.run.run\n")
    put(tree, "tools/lbhm/run/a.py", "from lbhm.files import a\nfrom lbhm.cli import main\n")
    put(tree, "tools/lbhm/new/a.py", "")
    put(tree, "tools/lbhm/cli.py", "from lbhm.run import a\n")
    found = ["files/a.py: files may not import machine", "files/a.py: files may not import run"]
    assert command_faults(tree) == [*found, "new/a.py: new is not in the list", "run/a.py: run may not import cli"]
