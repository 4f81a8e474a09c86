"""The trained correlation function: Table 3, Figure 7 and the accuracy of times beside the paper's."""

import argparse
import json
import tempfile
from pathlib import Path

from harness.build import ROOT, Build
from harness.errors import BenchError
from harness.process import run_text
from harness.result import Result, Table

APPLICATIONS = {
    "spgemm": ["spgemm-emu", "--kron", "10", "--inputs", "4"],
    "bfs": ["bfs-emu", "--crawl", "11", "--uniform", "10", "--sources", "3"],
    "pic": ["pic-emu", "--built-in", "small"],
    "dmrg": ["dmrg-emu", "--length", "8", "--dims", "16,32,48"],
    "tensor": ["tensor-emu", "--atoms", "2", "--inputs", "4"],
    "imbalance 1": ["imbalance-emu", "--seed", "1", "--rounds", "8"],
    "imbalance 2": ["imbalance-emu", "--seed", "2", "--rounds", "8"],
}
POLICIES = ["lbhm", "merchandiser"]
TARGETS = ["lbhm", "training-corpus", *{words[0]: None for words in APPLICATIONS.values()}]
REPETITIONS = 1  # on the emulated machine a run repeats to the bit
PAPER_EVENTS = {8: (0.937, 0.932)}  # Figure 7's text: R2 of regular and irregular applications with the top 8 events
PAPER_ALL = (0.948, 0.941)  # and with all
PAPER_TABLE4 = {"SpGEMM": 0.742, "WarpX": 0.874, "BFS": 0.713, "DMRG": 0.892, "NWChem-TC": 0.830}
SPLITS = {"random": "rows by chance", "grouped": "unseen regions", "left_out_programs": "unseen programs"}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--machine", default="optane", help="the emulated machine (optane)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="measurements of an earlier lbhm train --work DIR")


def study_of(build: Build, machine: str, work: Path | None) -> dict:
    """What lbhm train says of its model (lbhm.training/1), and its worth. Without `work` everything is measured."""
    if work is not None and not work.is_dir():
        raise BenchError(f"--data: the folder {work} does not exist; leave the option out to measure")
    with tempfile.TemporaryDirectory(prefix="lbhm-bench-") as folder:
        target = Path(folder) / "study.json"
        command = [ROOT / "lbhm", "train", "--machine", machine, "--work", work or Path(folder) / "work"]
        command += ["--output", Path(folder) / "model.json", "--json", target]
        run_text(command, LBHM_BUILD=str(build.folder))
        return json.loads(target.read_text()) | {"value": value_of(build, machine, Path(folder) / "model.json")}


def value_of(build: Build, machine: str, model: Path) -> dict:
    """Milliseconds of "application policy" by what predicts. The true f is not known to any run."""
    found = {}
    for name, words in APPLICATIONS.items():
        for policy in POLICIES:
            options = f"--machine {machine} --policy {policy} --fast 25% --threads 12".split()
            program = [build.folder / "bin" / words[0], *words[1:]]
            command = [ROOT / "lbhm", "run", *options, "--json", model.parent / "run.json", "--", *program]
            times = {}
            for kind, setting in (("formula", "analytic"), ("model", str(model))):
                run_text(command, LBHM_BUILD=str(build.folder), LBHM_MODEL=setting)
                times[kind] = json.loads((model.parent / "run.json").read_text())["makespan_ns"] / 1e6
            found[f"{name} {policy}"] = times | {"true_f": None}
    return found


def number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def table3(study: dict) -> Table:
    keys = ("paper_r2", "r2_random", "r2_grouped", "hybrid_accuracy_grouped")
    rows = [[f"{row['model']} ({row['parameters']})", *(number(row[key]) for key in keys)] for row in study["table3"]]
    columns = ["model", "R2, paper", "R2, random", "R2, unseen regions", "accuracy of times, unseen"]
    return Table(columns, rows, "Table 3: six models with all counted events")


def figure7(study: dict) -> Table:
    rows = []
    for row in study["figure7"]:
        paper = PAPER_ALL if row is study["figure7"][0] else PAPER_EVENTS.get(row["events"])
        shown = f"{paper[0]:.3f} / {paper[1]:.3f}" if paper else "–"
        keys = ("r2_random", "r2_grouped", "hybrid_accuracy_grouped")
        rows.append([f"{row['events']}: {', '.join(row['names'])}", shown, *(number(row[key]) for key in keys)])
    columns = ["events", "paper", "R2, random", "R2, unseen regions", "accuracy of times, unseen"]
    return Table(columns, rows, "Figure 7: accuracy by number of events (all: what this machine counts)")


def accuracy(study: dict) -> Table:
    rows = []
    for key, title in SPLITS.items():
        parts = ("r2", "hybrid_accuracy", "predicted_accuracy", "formula_accuracy")
        rows.append([title, *(number(study[f"{part}_{key}"]) for part in parts)])
    paper = ", ".join(f"{name} {value:.3f}" for name, value in PAPER_TABLE4.items())
    title = f"The model that ships (Table 4 of the paper, with Eq. 1 and predicted T_slow and T_fast: {paper})"
    columns = ["judged by", "R2 of f", "accuracy of times", "T_fast predicted, too", "the same by formula"]
    return Table(columns, rows, title)


def value(study: dict) -> Table:
    rows = [
        [name, number(times["formula"]), number(times["model"]), f"{times['model'] / times['formula'] - 1:+.1%}"]
        for name, times in study["value"].items()
    ]
    return Table(
        ["application, policy", "formula, ms", "model, ms", ""], rows, "What the model is worth, 25 % fast memory"
    )


def comparison(title: str, name: str, keys: dict[str, str], rows: list[dict]) -> Table:
    """keys: of a row, with their columns' titles."""
    return Table([name, *keys.values()], [[row[name], *(number(row[key]) for key in keys)] for row in rows], title)


def measure(build: Build, options: argparse.Namespace) -> Result:
    study = study_of(build, options.machine, options.data)
    times = {"hybrid_accuracy_grouped": "accuracy of times, unseen"}
    tables = [
        table3(study),
        figure7(study),
        comparison(
            "What each feature brings", "features", {"r2_grouped": "R2, unseen regions"} | times, study["feature_sets"]
        ),
        comparison("Ways to keep a curve from rising", "repair", times, study["repairs"]),
        value(study),
        accuracy(study),
    ]
    fields = {"emulated": options.machine} | {
        key: value for key, value in study.items() if key not in ("schema", "machine")
    }
    notes = [f"{name} could not be measured: {sentence}" for name, sentence in study["failed"].items()]
    if study["kept_measurements"]:
        notes.append("train_seconds: of it, what was measured before counts with the time that it took then")
    return Result(fields, tables, notes)
