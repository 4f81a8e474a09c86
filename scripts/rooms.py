"""The one table of rooms, from bottom to top: a room includes only rooms that stand above it here. tests/rooms_test.py
holds includes and READMEs to it, scripts/draw-architecture makes docs/architecture.svg and the table of
docs/architecture.md of it."""

from __future__ import annotations

from dataclasses import dataclass

# Layers of the drawing, from top to bottom.
LAYERS = ("the program", "fronts", "assembly", "loop", "services", "below them", "machines", "ground")


@dataclass(frozen=True)
class Room:
    """does: one line, the first of its README. more: what the page says beside it. doors: its headers that other rooms
    may include; a room without any is nobody's. sees: the doors of other rooms that it may include, "room" for all of
    them or "room/header". system: whether it may call the operating system. services: its classes that the engine
    makes. inner: its folders from bottom to top, where they are layers: a file includes only what is in its own one, in
    one below it, or in no folder of the room."""

    does: str
    layer: str
    doors: frozenset[str]
    sees: frozenset[str]
    more: str = ""
    system: bool = True
    services: tuple[str, ...] = ()
    inner: str = ""


@dataclass(frozen=True)
class Folder:
    """What holds none of the library's code. imports: the packages that its Python may import beside the standard
    library; None: whatever it likes. readme: it has one."""

    does: str
    more: str = ""
    imports: frozenset[str] | None = None
    readme: bool = False


def headers(names: str, room: str = "") -> frozenset[str]:
    return frozenset(f"{room}/{name}.h" if room else f"{name}.h" for name in names.split())


def rooms(names: str) -> frozenset[str]:
    return frozenset(names.split())


VALUES = headers("units fingerprint status chance folder_names range_map values settings", "runtime/base")
VALUES |= {"include/lbhm/access_pattern.h"}
PUBLIC = headers("lbhm omp_traits", "include/lbhm")
PLUGIN = headers("block_counts code_regions compiled_patterns instrumentation", "include/lbhm")
CONTRACT = headers("machine", "runtime/machine")
JSON = headers("json", "runtime/base")
INSIDE = headers("inside", "runtime/own_memory")
NO_FORK = headers("no_fork", "runtime/own_memory")
PATTERN = headers("access_pattern", "include/lbhm")

ROOMS = {
    "include": Room(
        does="what is installed",
        more="`lbhm.h`, `omp_traits.h`, and what programs built with the plugin and the library agree on",
        layer="ground",
        doors=frozenset(name.removeprefix("include/") for name in PUBLIC | PLUGIN | PATTERN),
        sees=frozenset(),
        system=False,
    ),
    "runtime/own_memory": Room(
        does="LB-HM's own heap",
        more="whether a thread is inside of LB-HM",
        layer="ground",
        doors=headers("own_memory inside no_fork own_stack"),
        sees=frozenset(),
    ),
    "runtime/base": Room(
        does="values, settings, and what users wrote and we write for them",
        more="units, status, the glossary; files and variables that users name",
        layer="ground",
        doors=headers(
            "units fingerprint status chance folder_names range_map values settings event_fields environment files json"
        )
        | headers("printable guarded scratch_file thread_end kept_by_thread own_folder"),
        sees=PATTERN | rooms("runtime/own_memory"),
    ),
    "runtime/interpose": Room(
        does="the functions that ours stand in front of",
        layer="ground",
        doors=headers("real_function loaded_object export slots"),
        sees=NO_FORK,
    ),
    "runtime/machine": Room(
        does="the machine contract",
        more="what is asked of a machine, and nothing else",
        layer="machines",
        doors=headers("machine"),
        sees=VALUES,
        system=False,
        services=("Machine",),
    ),
    "runtime/host": Room(
        does="the machine contract on a real computer",
        more="memory, counters, discovery; samples and watched pages ([sampling.md](sampling.md))",
        layer="machines",
        doors=headers("host sampling/samplers sampling/watching"),
        sees=VALUES
        | (CONTRACT | JSON | INSIDE | NO_FORK)
        | headers("files event_fields guarded own_folder thread_end", "runtime/base"),
        services=("Machine",),
    ),
    "emulator": Room(
        does="a machine with several memories in virtual time",
        more="in layers, a folder each",
        layer="machines",
        doors=headers("emulator"),
        sees=VALUES
        | (CONTRACT | JSON | INSIDE | NO_FORK)
        | headers("instrumentation", "include/lbhm")
        | headers("files environment event_fields own_folder thread_end", "runtime/base"),
        services=("Machine",),
        inner="base parts description memory schedule core machine",
    ),
    "model": Room(
        does="from what was measured to what is expected",
        more="Eq. 1, homogeneous times, the analytic f, Eq. 2",
        layer="below them",
        doors=headers("model worth"),
        sees=VALUES,
        system=False,
    ),
    "model/learned": Room(
        does="the learned f of Eq. 2",
        more="features, trees, model files ([training.md](training.md))",
        layer="below them",
        doors=headers("learned"),
        sees=VALUES | JSON | rooms("model"),
        system=False,
    ),
    "runtime/objects": Room(
        does="which address belongs to which managed object",
        more="where objects come from",
        layer="below them",
        doors=headers("objects globals kept_objects known_sites"),
        sees=VALUES | NO_FORK | headers("own_stack", "runtime/own_memory"),
        system=False,
        services=("ObjectRegistry",),
    ),
    "runtime/patterns": Room(
        does="with which pattern each object is accessed",
        layer="below them",
        doors=headers("patterns"),
        sees=VALUES | JSON | headers("compiled_patterns", "include/lbhm"),
        system=False,
        services=("PatternCatalog",),
    ),
    "runtime/pages": Room(
        does="where managed pages are",
        more="kept from question to question",
        layer="services",
        doors=headers("page_placement page_tracker"),
        sees=VALUES | CONTRACT | rooms("runtime/objects"),
        system=False,
        services=("PageTracker",),
    ),
    "runtime/sampling": Room(
        does="what each task accessed",
        more="from samples to accesses",
        layer="services",
        doors=headers("sampling sample_feed found_pages"),
        sees=VALUES | CONTRACT,
        system=False,
        services=("SampleFeed",),
    ),
    "runtime/phases": Room(
        does="intervals of the program that repeat, and what lanes did in them",
        more="regions, lanes, what is under way",
        layer="services",
        doors=headers("phases lanes region_instance region_record region_index work_at block_counts found_phases")
        | headers("lane_notes page_intervals"),
        sees=VALUES
        | CONTRACT
        | rooms("runtime/objects runtime/patterns runtime/sampling/sampling.h")
        | rooms("include/lbhm/block_counts.h")
        | headers("guarded event_fields", "runtime/base"),
        services=("Lanes", "PhaseTable"),
    ),
    "runtime/knowledge": Room(
        does="what was learnt of each phase, and what its next instance will do",
        layer="services",
        doors=headers("knowledge forecast phase_forecast prediction object_knowledge page_uses block_profile")
        | headers("compiled_modules model_choice input_files"),
        sees=VALUES
        | CONTRACT
        | rooms("runtime/base runtime/own_memory model model/learned runtime/objects runtime/patterns runtime/phases")
        | rooms("runtime/pages/page_placement.h runtime/sampling/sampling.h include/lbhm/compiled_patterns.h")
        | rooms("include/lbhm/block_counts.h"),
        services=("Knowledge",),
    ),
    "runtime/placement/choose": Room(
        does="which unit belongs in which tier",
        more="knapsack, lifetimes, next phases ([h2m.md](h2m.md)), thermos ([sicm.md](sicm.md))",
        layer="services",
        doors=headers("choose"),
        sees=VALUES | JSON | headers("worth", "model"),
        system=False,
    ),
    "runtime/placement": Room(
        does="who gets which memory, and which pages that means",
        more="the policies",
        layer="services",
        doors=headers("placement placement_file allocation_strategy"),
        sees=VALUES
        | (CONTRACT | JSON)
        | rooms("model runtime/objects runtime/pages runtime/placement/choose runtime/base/files.h")
        | headers("kept_by_thread", "runtime/base")
        | headers("phase_forecast", "runtime/knowledge"),
        system=False,
        services=("Policy",),
        inner="daemons scans heat budgets layouts sites whole_objects value strategies policies",
    ),
    "runtime/migration": Room(
        does="carries a plan out",
        more="now, at intervals, beside the program",
        layer="services",
        doors=headers("migration actor candidates mover"),
        sees=VALUES | CONTRACT | rooms("runtime/placement runtime/objects runtime/base/guarded.h"),
        system=False,
        services=("Actor",),
    ),
    "runtime/record": Room(
        does="what happens goes in, the run report comes out",
        more="what objects were used for, by phase, for `lbhm profile`",
        layer="services",
        doors=headers("recorder code_regions planned_bytes timeline use_profile"),
        sees=VALUES
        | CONTRACT
        | rooms("runtime/base runtime/own_memory runtime/objects runtime/sampling runtime/phases runtime/placement")
        | rooms("runtime/migration runtime/knowledge/prediction.h include/lbhm/code_regions.h"),
        system=False,
        services=("Recorder", "UseProfile"),
    ),
    "runtime/loop": Room(
        does="sample, learn, forecast, decide, move, report",
        layer="loop",
        doors=headers("phase_loop policy_thread managed_memory memory_traits configured_objects"),
        sees=VALUES
        | CONTRACT
        | rooms("runtime/base runtime/objects runtime/phases runtime/knowledge runtime/record runtime/migration")
        | rooms("runtime/placement runtime/pages runtime/sampling"),
        system=False,
        services=("PhaseLoop", "ManagedMemory"),
    ),
    "runtime/engine": Room(
        does="the services put together",
        more="which machines there are; the only room that fronts see",
        layer="assembly",
        doors=headers("engine"),
        sees=VALUES
        | rooms("runtime/base runtime/own_memory runtime/machine runtime/host emulator runtime/objects runtime/phases")
        | rooms("runtime/knowledge runtime/record runtime/loop runtime/placement runtime/migration runtime/pages")
        | rooms("runtime/sampling/sample_feed.h"),
        services=("Engine",),
    ),
    "libomp-ext/virtual": Room(
        does="OpenMP in virtual time",
        more="the front of emulated machines",
        layer="fronts",
        doors=headers("virtual_openmp"),
        sees=VALUES | INSIDE | rooms("runtime/engine runtime/interpose"),
    ),
    "libomp-ext": Room(
        does="OpenMP's side",
        more="the front of OpenMP programs: OMPT tool, allocators, C API",
        layer="fronts",
        doors=headers("allocators/heap_objects"),
        sees=VALUES
        | PUBLIC
        | rooms("runtime/engine libomp-ext/virtual runtime/interpose runtime/own_memory")
        | headers("sampling/watching", "runtime/host")
        | headers("environment printable", "runtime/base"),
    ),
    "libc-ext": Room(
        does="malloc's side",
        more="the front of programs that nobody changed: malloc's family, libraries that come and go",
        layer="fronts",
        doors=frozenset(),
        sees=rooms("runtime/interpose libomp-ext"),
    ),
    "compiler": Room(
        does="the clang plugin",
        more="access patterns, block counts, code regions, instrumentation",
        layer="the program",
        doors=frozenset(),
        sees=PLUGIN | PATTERN,
        system=False,
    ),
    "apps": Room(does="small programs to place", layer="the program", doors=frozenset(), sees=PUBLIC),
}

TRAINING = frozenset({"lbhm_training", "numpy", "scipy"})
FOLDERS = {
    "training": Folder(
        does="the correlation function f, learned per machine",
        imports=TRAINING | {"sklearn", "xgboost"},
        readme=True,
    ),
    "tools": Folder(
        does="the `lbhm` command",
        more="in Python, in folders by task: `run/`, `compare/`, ...",
        imports=TRAINING | {"lbhm", "typer", "rich", "elftools", "jsonschema", "jsonschema_rs"},
        readme=True,
    ),
    "scripts": Folder(
        does="what `check` and builds call, and this table (`rooms.py`)", imports=frozenset({"junitparser", "mkdocs"})
    ),
    "packaging": Folder(
        does="what an installed tree has beside the products ([install.md](install.md))", more="recipes for packages"
    ),
    "bench": Folder(does="what things cost", readme=True),
    "tests": Folder(does="what must hold", more="they mirror the rooms"),
    "docs": Folder(does="pages for users and readers"),
}

# The parts of the command: folders of tools/lbhm, and what they share of its root, from bottom to top. Each may import
# those in front of it. What else is at the root is the command line: it may import all, and nobody imports it.
COMMAND = ["base", "output", "options", "files", "program", "system", "machine", "library", "execute", "measure"]
COMMAND += ["profile", "optimize", "run", "objects", "report", "regions", "oracle", "compare", "train", "doctor"]
