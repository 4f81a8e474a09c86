"""What lbhm-measure found, with a source for every number."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

LOUD = 0.25  # a spread from which on a figure is doubtful


@dataclass(frozen=True)
class Figures:
    """found: {"name": {"value", "spread"} | None} (lbhm-measure); where: processor and day, for the sources."""

    found: dict[str, dict[str, float] | None]
    where: str

    def __contains__(self, name: str) -> bool:
        return self.found.get(name) is not None

    def value(self, name: str) -> float:
        figure = self.found[name]
        assert figure is not None, name
        return figure["value"]

    def series(self, prefix: str) -> list[tuple[int, float]]:
        """(n, value) of the figures "PREFIX_n", n rising."""
        names = (name for name in self.found if name.startswith(f"{prefix}_") and name in self)
        return sorted((int(name.rsplit("_", 1)[1]), self.value(name)) for name in names)

    def doubtful(self) -> list[str]:
        """Names of figures whose repetitions lay far apart. Parts of a series (names that end in a number) are noisy by
        nature: they show where something begins."""
        return [
            name for name, figure in self.found.items() if figure and figure["spread"] > LOUD and not name[-1].isdigit()
        ]

    def measured(self, how: str, *names: str) -> str:
        """The source of a number that comes from these figures."""
        spreads = ", ".join(f"{self.found[name]['spread']:.0%}" for name in names if self.found.get(name))
        return f"measured: {how}, {self.where}" + (f"; repetitions within {spreads}" if spreads else "")


def combined(rounds: list[dict[str, dict[str, float] | None]]) -> dict[str, dict[str, float] | None]:
    """The figures of several measurements as one: medians, and the spread among the measurements."""
    names = dict.fromkeys(name for found in rounds for name in found)
    return {name: _median([found[name]["value"] for found in rounds if found.get(name)]) for name in names}


def _median(values: list[float]) -> dict[str, float] | None:
    if not values:
        return None
    middle = median(values)
    return {"value": middle, "spread": (max(values) - min(values)) / middle}


def quantity(value: float, source: str) -> dict[str, Any]:
    """A number of a machine file; three digits are all that a measurement is worth."""
    return {"value": value if isinstance(value, int) else float(f"{value:.4g}"), "source": source}
