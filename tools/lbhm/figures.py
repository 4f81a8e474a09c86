"""What lbhm-measure found, with a source for every number."""

from __future__ import annotations

from dataclasses import dataclass
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
        """Names of figures whose repetitions lay far apart. Differences of page walks are small and noisy by nature."""
        return [
            name
            for name, figure in self.found.items()
            if figure and figure["spread"] > LOUD and not name.startswith("page_walk")
        ]

    def measured(self, how: str, *names: str) -> str:
        """The source of a number that comes from these figures."""
        spreads = ", ".join(f"{self.found[name]['spread']:.0%}" for name in names if self.found.get(name))
        return f"measured: {how}, {self.where}" + (f"; repetitions within {spreads}" if spreads else "")


def quantity(value: float, source: str) -> dict[str, Any]:
    """A number of a machine file; three digits are all that a measurement is worth."""
    return {"value": value if isinstance(value, int) else float(f"{value:.4g}"), "source": source}
