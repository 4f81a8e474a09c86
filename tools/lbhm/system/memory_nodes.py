"""The memory nodes of a machine, as Linux describes them."""

from __future__ import annotations

from dataclasses import dataclass

from lbhm.base.units import format_bytes
from lbhm.system.system import System, numbers_of

_FOLDER = "/sys/devices/system/node"
_TIERS = "/sys/devices/virtual/memory_tiering"


@dataclass(frozen=True)
class Node:
    """capacity_bytes: MemTotal of the node, 0 if Linux does not say. processors: of it, none on CPU-less nodes.
    latency_ns, gb_per_s: of reading, as the firmware tells (HMAT). tier: the kernel's memory tier."""

    number: int
    capacity_bytes: int
    processors: tuple[int, ...]
    latency_ns: int | None = None
    gb_per_s: float | None = None
    tier: int | None = None

    def __str__(self) -> str:
        parts = [
            format_bytes(self.capacity_bytes) if self.capacity_bytes else "of unknown size",
            "" if self.processors else "no processors",
            f"{self.latency_ns} ns" if self.latency_ns else "",
            f"{self.gb_per_s:.4g} GB/s" if self.gb_per_s else "",
            f"tier {self.tier} of the kernel" if self.tier is not None else "",
        ]
        return f"node{self.number} {', '.join(filter(None, parts))}"


def memory_nodes(system: System) -> list[Node]:
    """All nodes with memory, by number; none on a kernel without NUMA."""
    tiers = _tiers(system)
    nodes = [_node(system, int(name[4:]), tiers) for name in system.names(_FOLDER, "node[0-9]*")]
    with_memory = set(_numbers(system.text(f"{_FOLDER}/has_memory")))
    return [node for node in nodes if node.capacity_bytes or node.number in with_memory]


def memory_bytes(system: System) -> int:
    """Of the machine. Nodes may tell less than there is, where memory was added to a virtual machine."""
    nodes = sum(node.capacity_bytes for node in memory_nodes(system))
    return max(nodes, meminfo_bytes(system, "/proc/meminfo", "MemTotal") or 0)


def allowed_nodes(system: System) -> set[int] | None:
    """The nodes that this process may use (cpuset); None if Linux does not say."""
    for line in (system.text("/proc/self/status") or "").splitlines():
        if line.startswith("Mems_allowed_list:"):
            return set(_numbers(line.partition(":")[2].strip()))
    return None


def _node(system: System, number: int, tiers: dict[int, int]) -> Node:
    folder = f"{_FOLDER}/node{number}"
    # access0: as the nearest initiator of any kind sees it; access1: the nearest processor. The kernel counts MiB.
    initiators = f"{folder}/access0/initiators"
    bandwidth = system.number(f"{initiators}/read_bandwidth")
    return Node(
        number,
        meminfo_bytes(system, f"{folder}/meminfo", "MemTotal") or 0,
        tuple(_numbers(system.text(f"{folder}/cpulist"))),
        system.number(f"{initiators}/read_latency") or None,
        bandwidth * (1 << 20) / 1e9 if bandwidth else None,
        tiers.get(number),
    )


def meminfo_bytes(system: System, file: str, key: str) -> int | None:
    """None if the file does not tell."""
    for line in (system.text(file) or "").splitlines():
        words = line.split()
        if f"{key}:" in words and words[-2].isdigit():  # "Node 0 MemTotal: 1024 kB", "MemTotal: 1024 kB"
            return int(words[-2]) << 10
    return None


def _tiers(system: System) -> dict[int, int]:
    found = {}
    for name in system.names(_TIERS, "memory_tier[0-9]*"):
        for node in _numbers(system.text(f"{_TIERS}/{name}/nodelist")):
            found[node] = int(name.removeprefix("memory_tier"))
    return found


def _numbers(listed: str | None) -> list[int]:
    try:
        return numbers_of(listed or "")
    except ValueError:
        return []
