"""The machines to run on: this host, presets of the build tree, the user's own, machine files (lbhm.machine/3)."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import data_folder, find_build
from lbhm.base.errors import Refusal
from lbhm.files.file_kinds import but_is, schema_of
from lbhm.files.json_reader import read_json

HOST = "host"
_SCHEMAS = ("lbhm.machine/3", "lbhm.machine/2")  # those of 2 have no curves


@dataclass(frozen=True)
class MachineChoice:
    """--machine, checked. value: what LBHM_MACHINE is set to."""

    value: str
    emulated: bool


def user_folder() -> Path:
    """Where the user's own machine files are; the runtime looks there, too (emulator/description/user_machines.h)."""
    return data_folder() / "machines"


def host_figures() -> Path:
    """Where lbhm machine measure writes what this machine is like (lbhm.host/1)."""
    return data_folder() / "host.json"


def preset_files() -> list[Path]:
    """The machine files of the build tree; schemas beside them are not machines."""
    return _machine_files(find_build().presets)


def machine_files() -> list[Path]:
    """All that can be named: presets, then the user's own as far as no preset has their name."""
    presets = preset_files()
    names = {path.stem for path in presets} | {HOST}
    with contextlib.suppress(Refusal):  # a user without a home has none
        return presets + [path for path in _machine_files(user_folder()) if path.stem not in names]
    return presets


def _machine_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.json") if not path.name.endswith(".schema.json"))


def read_machine(path: Path) -> dict[str, Any]:
    """A machine file. Raises Refusal when it cannot be read or is not one; the runtime checks the rest of its keys."""
    try:
        machine = read_json(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise Refusal(f"{path}: the machine file cannot be read ({why}); docs/machine-files.md describes it") from None
    if schema_of(machine) not in _SCHEMAS:
        what = but_is(machine, _SCHEMAS[0])
        raise Refusal(f"{path}: it is no machine file{what}; docs/machine-files.md describes machine files")
    return machine


def choose_machine(name: str) -> MachineChoice:
    """Checks --machine. Raises Refusal, listing what there is, when it is unknown."""
    if name == HOST:
        return MachineChoice(HOST, emulated=False)
    if "/" in name or name.endswith(".json"):
        path = Path(name).absolute()
        read_machine(path)
        return MachineChoice(str(path), emulated=True)
    known = [path.stem for path in machine_files()]
    if name not in known:
        raise Refusal(f"machine '{name}' is unknown; choose from: {', '.join([HOST, *known])}, or give a machine file")
    return MachineChoice(name, emulated=True)


def file_of(name: str) -> Path:
    """The machine file behind a name. Raises Refusal when there is none."""
    choice = choose_machine(name)
    if not choice.emulated:
        raise Refusal("machine 'host' is this machine, as it is, and has no machine file; see lbhm doctor")
    if "/" in choice.value:
        return Path(name)
    return next(path for path in machine_files() if path.stem == name)


def fingerprint(file: Path) -> str:
    """What figures are of: another machine file has other ones."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def entries(machine: dict[str, Any], prefix: str = "") -> list[tuple[str, str, str]]:
    """(key, value, source) of everything in a machine file; numbers come as {"value", "source"} or plainly."""
    rows: list[tuple[str, str, str]] = []
    for key, value in machine.items():
        path = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict) and "value" in value:
            rows.append((path, str(value["value"]), str(value.get("source", ""))))
        elif isinstance(value, dict):
            rows += entries(value, path)
        elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
            for number, item in enumerate(value):
                rows += entries(item, f"{path}[{number}]")
        else:
            rows.append((path, str(value), ""))
    return rows
