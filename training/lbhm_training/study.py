"""What is said of a model's accuracy: the paper's split, the split by region, one program left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lbhm_training import curve
from lbhm_training.boosting import Parameters
from lbhm_training.candidates import table3
from lbhm_training.dataset import Dataset
from lbhm_training.evaluate import Judged, Score, judge, score
from lbhm_training.features import ADDED, COUNTED, NAMES, PAPER
from lbhm_training.selection import R_COLUMN, eliminate, fit, tune
from lbhm_training.splits import Split, grouped_folds, grouped_split, program_splits, random_split

SPLITS = 3  # random and grouped 70/30 splits each; what is reported is of all their judged rows together
PROGRAM_FOLDS = 3
ALL = [*range(R_COLUMN)]


@dataclass(frozen=True)
class Choice:
    """columns: with r."""

    columns: list[int]
    parameters: Parameters


def columns_of(names: tuple[str, ...]) -> list[int]:
    return [NAMES.index(name) for name in names]


def choose(data: Dataset, rows: np.ndarray, features: list[int], seed: int) -> Choice:
    """Parameters by the regions of `rows` alone. features: without r. All are kept: one that the machine cannot count
    is missing at run time, which the trees know how to deal with."""
    columns = [*features, R_COLUMN]
    return Choice(columns, tune(data, rows, columns, seed))


def judged_by(data: Dataset, split: Split, choice: Choice, seed: int, repair: str = curve.SHIPPED) -> Judged:
    def train(rows: np.ndarray) -> Any:
        return fit(data, rows, choice.columns, choice.parameters, seed)

    return judge(data, choice.columns, train, split, repair)


def splits_of(data: Dataset, kind: str, seed: int) -> list[Split]:
    """kind: random or grouped."""
    make = (lambda s: random_split(len(data.f), s)) if kind == "random" else (lambda s: grouped_split(data.regions, s))
    return [make(seed + number) for number in range(SPLITS)]


def nested(data: Dataset, splits: list[Split], features: list[int], seed: int) -> tuple[Score, list[Choice]]:
    """Chooses anew for every split, by what may be fitted to."""
    choices = [choose(data, fitted, features, seed) for fitted, _ in splits]
    return score(data, [judged_by(data, s, c, seed) for s, c in zip(splits, choices, strict=True)]), choices


def leave_one_out(data: Dataset, features: list[int], seed: int) -> Score:
    """A program at a time; its parameters were chosen without it and a third of the others."""
    splits = list(program_splits(data))
    names = np.unique(data.programs)
    judged = []
    for fitted, others in grouped_folds(data.programs, PROGRAM_FOLDS, seed):
        choice = choose(data, fitted, features, seed)
        mine = np.isin(names, np.unique(data.programs[others]))
        judged += [judged_by(data, split, choice, seed) for split, own in zip(splits, mine, strict=True) if own]
    return score(data, judged)


def compare_models(data: Dataset, seed: int) -> list[dict[str, Any]]:
    """Table 3: six models with everything that is counted, on the same splits."""
    columns = [*columns_of(COUNTED), R_COLUMN]
    rows = []
    for candidate in table3(Parameters()):
        entry = {"model": candidate.name, "parameters": candidate.parameters, "paper_r2": candidate.paper_r2}
        for kind in ("random", "grouped"):

            def train(part: np.ndarray, how: Any = candidate.train) -> Any:
                return how(data.x[np.ix_(part, columns)], data.f[part], seed)

            split = splits_of(data, kind, seed)[0]
            found = score(data, [judge(data, columns, train, split)])
            entry |= {f"r2_{kind}": found.r2, f"hybrid_accuracy_{kind}": found.accuracy}
        rows.append(entry)
    return rows


def by_number_of_events(data: Dataset, seed: int) -> list[dict[str, Any]]:
    """Figure 7: accuracy by number of counted events, on regions that the elimination did not see."""
    parameters = Parameters()
    fitted, judged = splits_of(data, "grouped", seed)[0]
    mixed = splits_of(data, "random", seed)[0]
    rows = []
    for step in eliminate(data, fitted, columns_of(COUNTED), parameters, seed):
        choice = Choice([*step.columns, R_COLUMN], parameters)
        grouped = score(data, [judged_by(data, (fitted, judged), choice, seed)])
        random = score(data, [judged_by(data, mixed, choice, seed)])
        rows.append(
            {
                "events": len(step.columns),
                "names": [NAMES[column] for column in step.columns],
                "r2_random": random.r2,
                "r2_grouped": grouped.r2,
                "hybrid_accuracy_grouped": grouped.accuracy,
            }
        )
    return rows


def compare_features(data: Dataset, parameters: Parameters, seed: int) -> list[dict[str, Any]]:
    """The paper's eight events, all that is counted, and what each added feature brings to either."""
    sets = {"the paper's 8": PAPER, "all counted": COUNTED, "all": NAMES}
    sets |= {f"the paper's 8 and {name}": (*PAPER, name) for name in ADDED}
    sets |= {f"all without {name}": tuple(other for other in NAMES if other != name) for name in ADDED}
    rows = []
    for title, names in sets.items():
        choice = Choice([*columns_of(names), R_COLUMN], parameters)
        found = score(data, [judged_by(data, split, choice, seed) for split in splits_of(data, "grouped", seed)])
        rows.append({"features": title, "r2_grouped": found.r2, "hybrid_accuracy_grouped": found.accuracy})
    return rows


def compare_repairs(data: Dataset, choice: Choice, seed: int) -> list[dict[str, Any]]:
    """Ways to keep the curve from rising, by the accuracy of times on unseen regions."""
    splits = splits_of(data, "grouped", seed)
    constrained = Choice(choice.columns, Parameters(**{**vars(choice.parameters), "monotone": -1}))
    rows = []
    for title, how, repair in [
        *((name, choice, name) for name in curve.REPAIRS),
        ("f constrained not to rise with r", constrained, "none"),
    ]:
        found = score(data, [judged_by(data, split, how, seed, repair) for split in splits])
        rows.append({"repair": title, "hybrid_accuracy_grouped": found.accuracy, "r2_grouped": found.r2})
    return rows
