"""What is run: applications, presets, capacities, policies, and the cells that they make."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Application:
    name: str
    paper: str  # its counterpart in the paper
    accuracy: float  # Table 4 of the paper
    program: str
    arguments: tuple[str, ...]
    short: tuple[str, ...]  # arguments of the short form
    heap: bool = False  # its blocks of malloc are objects (lbhm compare --heap)

    def arguments_for(self, short: bool) -> tuple[str, ...]:
        return self.short if short else self.arguments


# The standard settings of the programs where nothing is given; fewer inputs where runs take long.
APPLICATIONS = {
    app.name: app
    for app in (
        Application(
            "spgemm",
            "SpGEMM",
            0.742,
            "spgemm-emu",
            ("--kron", "12", "--inputs", "8"),
            ("--kron", "9", "--inputs", "4"),
        ),
        Application("pic", "WarpX", 0.874, "pic-emu", (), ("--built-in", "small")),
        Application("bfs", "BFS", 0.713, "bfs-emu", (), ("--crawl", "10", "--uniform", "11", "--sources", "3")),
        Application("dmrg", "DMRG", 0.892, "dmrg-emu", (), ("--length", "8", "--dims", "16,32,48")),
        Application("tensor", "NWChem-TC", 0.830, "tensor-emu", ("--inputs", "8"), ("--atoms", "2", "--inputs", "4")),
    )
}
PRESETS = ("optane", "cxl", "xeon-max", "icelake-optane", "half-bandwidth", "4x-latency")
# Of the peak footprint; 1:8 and 1:16 are fast to slow memory.
CAPACITIES = {
    "12.5%": Fraction(1, 8),
    "25%": Fraction(1, 4),
    "33%": Fraction(33, 100),
    "50%": Fraction(1, 2),
    "1:8": Fraction(1, 9),
    "1:16": Fraction(1, 17),
}
WHOLE = "all"  # the capacity of policies that it does not matter to
REFERENCES = ("slow-only", "fast-only")
PEERS = ("first-touch", "memory-mode", "memory-optimizer", "tpp", "memtis", "colloid", "soar")
# Peers that run where --policies names them; the page has none of them.
NAMED_ONLY = ("sicm", "interleave", "alto", "hybridtier", "pact")
SPECIFIC = {"spgemm": ("sparta",), "tensor": ("sparta",), "pic": ("warpx-pm",)}
OURS = ("merchandiser", "lbhm")
ORACLE = "oracle"
# Peers that act at intervals: LBHM_PACE, a factor on their times. The best of the sweep (`--sweep`, docs/results.md):
# the smallest geometric mean of the times of the five applications at 25 % on optane.
SWEPT = (0.0625, 0.25, 1.0, 4.0)
PACES = {"memory-optimizer": 0.0625, "merchandiser": 0.0625, "tpp": 0.0625, "memtis": 1.0, "colloid": 0.25, "soar": 1.0}


@dataclass(frozen=True)
class Cell:
    application: str
    preset: str
    capacity: str
    policy: str
    pace: float = 1.0
    # LBHM_SEED and LBHM_HEAP_PADDING of each of its runs; none: seed 1 with each padding of the campaign.
    variations: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        words = [self.application, self.preset, self.capacity.replace(":", "to").replace("%", ""), self.policy]
        words += [f"pace{self.pace:g}"] if self.pace != 1 else []
        return "-".join(words)

    @property
    def settings(self) -> dict[str, str]:
        return {"LBHM_PACE": f"{self.pace:g}"}


def policies_of(application: str, named: Collection[str] = ()) -> tuple[str, ...]:
    more = (policy for policy in NAMED_ONLY if policy in named)
    return (*REFERENCES, *PEERS, *more, *SPECIFIC.get(application, ()), *OURS, ORACLE)


def all_policies() -> list[str]:
    return list(dict.fromkeys(policy for name in APPLICATIONS for policy in policies_of(name, NAMED_ONLY)))


def cells(applications: list[str], presets: list[str], capacities: list[str], policies: list[str]) -> list[Cell]:
    """In the order in which they are run: what matters most comes first. policies: empty for all but those of
    NAMED_ONLY."""
    found = []
    for preset in presets:
        for capacity in sorted(capacities, key=lambda name: name != "25%"):
            for application in applications:
                for policy in policies_of(application, policies):
                    if policies and policy not in (*REFERENCES, *policies):
                        continue
                    at = WHOLE if policy in REFERENCES else capacity
                    found.append(Cell(application, preset, at, policy, PACES.get(policy, 1.0)))
    return list(dict.fromkeys(found))


def references(applications: list[str]) -> list[Cell]:
    """What capacities at 25 % on optane are taken from, and times are relative to."""
    return [Cell(application, "optane", WHOLE, REFERENCES[0]) for application in applications]


def sweep(applications: list[str]) -> list[Cell]:
    """Every peer that acts at intervals at every pace, at 25 % on optane, and what the capacity is taken from."""
    return references(applications) + [
        Cell(application, "optane", "25%", policy, pace)
        for policy in PACES
        for pace in SWEPT
        for application in applications
    ]
