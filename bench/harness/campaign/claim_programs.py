"""What policy lbhm is judged on: programs in three sets, and the cells that they make."""

from __future__ import annotations

from collections.abc import Collection

from harness.campaign.cells import (
    APPLICATIONS,
    NAMED_ONLY,
    ORACLE,
    OURS,
    PACES,
    PEERS,
    REFERENCES,
    WHOLE,
    Application,
    Cell,
)
from harness.campaign.generator import Grid, points
from harness.campaign.spread import PADDINGS

OURS_JUDGED = OURS[1]
FIRST_TOUCH = "first-touch"
DEFAULT_PEERS = (FIRST_TOUCH, "memtis", "memory-optimizer", "tpp", "colloid", "memory-mode")
ALL_PEERS = (*PEERS, *NAMED_ONLY, OURS[0])
MACHINES = ("optane", "cxl", "xeon-max")
SHARES = ("25%", "12.5%", "50%")
DEVELOPMENT, TEST, ADVERSARIES = "development", "test", "adversaries"
EACH = (DEVELOPMENT, TEST, ADVERSARIES)
SETS = {name: (name,) for name in EACH} | {"all": EACH}
SHORT_PROGRAMS = ("spgemm", "bfs", "xs")
GRID = Grid((0, 1.5, 3), (0, 1), ("latency", "bandwidth", "mixed"), (), True)
SHORT_GRID = Grid((3,), (0,), ("latency", "bandwidth"), (), False)
# The policy was developed on programs of seed 1. Each program of the test set has a seed of its own, from here on.
SEEN_SEED, FIRST_UNSEEN = 1, 101
ADVERSARY_SEEDS = range(201, 213)  # two of each of the six kinds
SEED = 1  # the first of LB-HM's own
# Seeds decide which accesses are sampled. These policies sample nothing.
WITHOUT_SAMPLES = (*REFERENCES, FIRST_TOUCH, "memory-mode", ORACLE)
CLOSELY = ("optane", "25%")  # where runs are many


def programs_of(unchanged: dict[str, Application], short: bool) -> dict[str, dict[str, Application]]:
    """Set -> program -> what it is. unchanged: the programs that nobody changed, as far as they can be built."""
    grid = list(points(SHORT_GRID if short else GRID))
    known = APPLICATIONS | unchanged
    seen = {name: app for name, app in known.items() if not short or name in SHORT_PROGRAMS}
    generated = [point.application(SEEN_SEED, plain=False) for point in grid]
    unseen = [point.application(FIRST_UNSEEN + number, plain=False) for number, point in enumerate(grid)]
    adversaries = [_adversary(seed) for seed in (ADVERSARY_SEEDS[:2] if short else ADVERSARY_SEEDS)]
    return {
        DEVELOPMENT: seen | {app.name: app for app in generated},
        TEST: {app.name: app for app in unseen},
        ADVERSARIES: {app.name: app for app in adversaries},
    }


def _adversary(seed: int) -> Application:
    arguments = ("--seed", str(seed))
    short = (*arguments, "--mib", "4", "--kloads", "500")
    return Application(f"adversary-seed{seed}", "", 0, "adversary-emu", arguments, short, heap=True)


def cells_of(
    programs: Collection[str],
    machines: list[str],
    capacities: list[str],
    policies: list[str],
    short: bool,
    most: int = 5,
) -> list[Cell]:
    """In the order in which they are run: 25 % comes first, and slow-only before whoever asks for the footprint. A cell
    has `most` runs at most."""
    found = []
    for machine in machines:
        for capacity in sorted(capacities, key=lambda name: name != CLOSELY[1]):
            for program in programs:
                found.append(Cell(program, machine, WHOLE, REFERENCES[0], variations=((SEED, PADDINGS[0]),)))
                found += [_cell(program, machine, capacity, policy, short, most) for policy in policies]
    return list(dict.fromkeys(found))


def _cell(program: str, machine: str, capacity: str, policy: str, short: bool, most: int) -> Cell:
    closely = (machine, capacity) == CLOSELY and not short
    return Cell(
        program,
        machine,
        capacity,
        policy,
        PACES.get(policy, 1.0),
        variations_of(policy, 5 if closely else 1 if short else 3, PADDINGS if closely else PADDINGS[:1])[:most],
    )


def variations_of(policy: str, seeds: int, paddings: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """A run for each seed, with the paddings in turn; for each padding where no seed matters."""
    if policy in WITHOUT_SAMPLES:
        return tuple((SEED, padding) for padding in paddings)
    return tuple((SEED + number, paddings[number % len(paddings)]) for number in range(seeds))
