"""Machine files, and files derived from them for one question."""

import copy
import json
from pathlib import Path

from harness.build import ROOT
from harness.errors import BenchError

PRESETS = ROOT / "emulator" / "presets"


def load(file: Path) -> dict:
    """A machine file (schema lbhm.machine/3) as it is. Raises BenchError if it cannot be read."""
    try:
        return json.loads(file.read_text())
    except (OSError, json.JSONDecodeError) as error:
        raise BenchError(f"{file}: {error}; `./lbhm machine list` shows the machine files that there are") from error


def presets() -> dict[str, dict]:
    """All presets, by name."""
    files = sorted(file for file in PRESETS.glob("*.json") if not file.name.endswith(".schema.json"))
    return {file.stem: load(file) for file in files}


def value(quantity: dict) -> float:
    """The number of an entry {"value", "source"}."""
    return quantity["value"]


def quantity(number: float) -> dict:
    return {"value": number, "source": "set by bench/run"}


def cache_bytes(machine: dict) -> int:
    """Bytes of all caches of all cores."""
    caches = machine["caches"]
    cores = value(machine["core"]["hardware_threads"])
    slices = 1 if caches["llc"]["sharing"] == "shared" else cores
    return cores * (value(caches["l1"]["bytes"]) + value(caches["l2"]["bytes"])) + slices * value(
        caches["llc"]["bytes"]
    )


def with_tier_first(machine: dict, index: int) -> dict:
    """The same machine with one of its tiers moved to the front, where the policy fast-only puts everything."""
    changed = copy.deepcopy(machine)
    changed["tiers"].insert(0, changed["tiers"].pop(index))
    return changed


def with_geometry(machine: dict, l1: tuple[int, int], llc: tuple[int, int]) -> dict:
    """Two levels of (bytes, ways), no prefetcher, free translation: a machine as cachegrind simulates one.

    The second level stays as one line, which is always that of the last L1 miss: it never hits.
    """
    changed = copy.deepcopy(machine)
    geometry = {"l1": l1, "l2": (64, 1), "llc": llc}
    for level, (size, ways) in geometry.items():
        changed["caches"][level] |= {"bytes": quantity(size), "ways": quantity(ways)}
    changed["caches"]["llc"]["sharing"] = "slice"
    changed["prefetcher"]["distance"] = quantity(0)
    changed["tlb"]["walk_cycles"] = quantity(0)
    return changed


def write(machine: dict, folder: Path, name: str) -> str:
    """Writes a machine file; returns what LBHM_MACHINE needs to find it."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps({key: entry for key, entry in machine.items() if key != "$schema"}))
    return str(file)
