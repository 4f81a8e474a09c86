"""What is said of a model's accuracy: the paper's split, the split by region, one program left out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from lbhm_training import curve
from lbhm_training.boosting import Parameters
from lbhm_training.candidates import table3
from lbhm_training.dataset import Dataset
from lbhm_training.evaluate import Judged, Score, Train, judge, score
from lbhm_training.features import ADDED, COUNTED, NAMES, PAPER
from lbhm_training.hybrid import Formula, Plain, fit_hybrid
from lbhm_training.selection import R_COLUMN, eliminate, fit_f, tune
from lbhm_training.splits import Split, grouped_folds, grouped_split, random_split

SPLITS = 3  # random and grouped 70/30 splits each; what is reported is of all their judged rows together
PROGRAM_FOLDS = 12  # of programs that are left out together
ALL = [*range(R_COLUMN)]


@dataclass(frozen=True)
class Choice:
    """columns: with r."""

    columns: list[int]
    parameters: Parameters

    def train(self, data: Dataset, seed: int) -> Train:
        return lambda rows: fit_hybrid(data, rows, self.columns, self.parameters, seed)


@dataclass(frozen=True)
class Accuracy:
    """Of one kind of split. known: T_fast is the measured one; predicted: the model says it; formula: of both nothing
    was learned. The last two are NaN where the machine does not count what T_fast is derived from."""

    known: Score
    predicted: Score
    formula: Score


def columns_of(names: tuple[str, ...]) -> list[int]:
    return [NAMES.index(name) for name in names]


def choose(data: Dataset, rows: np.ndarray, features: list[int], seed: int) -> Choice:
    """Parameters by the regions of `rows` alone. features: without r. All are kept: one that the machine cannot count
    is missing at run time, which the trees know how to deal with."""
    columns = [*features, R_COLUMN]
    return Choice(columns, tune(data, rows, columns, seed))


def splits_of(data: Dataset, kind: str, seed: int) -> list[Split]:
    """kind: random or grouped."""
    make = (lambda s: random_split(len(data.f), s)) if kind == "random" else (lambda s: grouped_split(data.regions, s))
    return [make(seed + number) for number in range(SPLITS)]


def accuracy_of(data: Dataset, splits: list[Split], choices: list[Choice], seed: int) -> Accuracy:
    """choices: of each split, by what may be fitted to."""
    parts: list[list[Judged]] = [[], [], []]
    for split, choice in zip(splits, choices, strict=True):
        model = choice.train(data, seed)(split[0])
        parts[0].append(judge(data, lambda _, m=model: m, split))
        if not data.derives_fast_time:
            continue
        parts[1].append(judge(data, lambda _, m=model: m, split, known=False))
        parts[2].append(judge(data, lambda _: Formula(), split, known=False))
    return Accuracy(*(score(data, part) if part else Score(math.nan, math.nan) for part in parts))


def nested(data: Dataset, features: list[int], seed: int) -> Accuracy:
    """By region; chooses anew for every split, by what may be fitted to."""
    splits = splits_of(data, "grouped", seed)
    return accuracy_of(data, splits, [choose(data, fitted, features, seed) for fitted, _ in splits], seed)


def programs_left_out(data: Dataset, choice: Choice, seed: int) -> Accuracy:
    """Some programs at a time; regions that they share with others (inline functions) are not fitted to, either.
    The two parameters are those that the model is written with."""
    splits = by_programs(data, PROGRAM_FOLDS, seed)
    return accuracy_of(data, splits, [choice] * len(splits), seed)


def half_of_programs(data: Dataset, features: list[int], seed: int) -> dict[str, float]:
    """Each half is predicted by what was learned from the other one; parameters are chosen by that, too."""
    splits = by_programs(data, 2, seed)
    found = accuracy_of(data, splits, [choose(data, fitted, features, seed) for fitted, _ in splits], seed)
    return {
        "r2": found.known.r2,
        "hybrid_accuracy": found.known.accuracy,
        "predicted_accuracy": found.predicted.accuracy,
        "formula_accuracy": found.formula.accuracy,
    }


def by_programs(data: Dataset, folds: int, seed: int) -> list[Split]:
    """Some programs are judged at a time; regions that they share with others are not fitted to."""
    return [
        (fitted[~np.isin(data.regions[fitted], data.regions[judged])], judged)
        for fitted, judged in grouped_folds(data.programs, folds, seed)
    ]


def compare_models(data: Dataset, seed: int) -> list[dict[str, Any]]:
    """Table 3: six models with everything that is counted, on the same splits."""
    columns = [*columns_of(COUNTED), R_COLUMN]
    rows = []
    for candidate in table3(Parameters()):
        entry = {"model": candidate.name, "parameters": candidate.parameters, "paper_r2": candidate.paper_r2}
        for kind in ("random", "grouped"):

            def train(part: np.ndarray, how: Any = candidate.train) -> Plain:
                return Plain(how(data.x[np.ix_(part, columns)], data.f[part], seed), columns)

            split = splits_of(data, kind, seed)[0]
            found = score(data, [judge(data, train, split)])
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

        def train(part: np.ndarray, columns: tuple[int, ...] = (*step.columns, R_COLUMN)) -> Plain:
            return fit_f(data, part, [*columns], parameters, seed)

        grouped = score(data, [judge(data, train, (fitted, judged))])
        random = score(data, [judge(data, train, mixed)])
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
    """The paper's eight events, all that is counted, and what each added feature brings."""
    sets = {"the paper's 8": PAPER, "all counted": COUNTED, "all": NAMES}
    pages = tuple(name for name in NAMES if name.startswith("PAGES_"))
    groups = [(name,) for name in ADDED if name not in pages] + [pages]
    sets |= {f"all without {', '.join(group)}": tuple(name for name in NAMES if name not in group) for group in groups}
    rows = []
    for title, names in sets.items():
        train = Choice([*columns_of(names), R_COLUMN], parameters).train(data, seed)
        found = score(data, [judge(data, train, split) for split in splits_of(data, "grouped", seed)])
        rows.append({"features": title, "r2_grouped": found.r2, "hybrid_accuracy_grouped": found.accuracy})
    return rows


def compare_repairs(data: Dataset, choice: Choice, seed: int) -> list[dict[str, Any]]:
    """Ways to keep the curve from rising, by the accuracy of times on unseen regions."""
    splits = splits_of(data, "grouped", seed)
    models = [choice.train(data, seed)(fitted) for fitted, _ in splits]
    rows = []
    for repair in curve.REPAIRS:
        parts = [judge(data, lambda _, m=m: m, split, repair) for m, split in zip(models, splits, strict=True)]
        rows.append({"repair": repair, "hybrid_accuracy_grouped": score(data, parts).accuracy})
    return rows
