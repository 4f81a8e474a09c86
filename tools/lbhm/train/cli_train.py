"""lbhm train: measures the training programs on a machine and learns the correlation function f from them."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from lbhm import __version__
from lbhm.base.build_tree import BuildTree, find_build
from lbhm.base.errors import Refusal
from lbhm.base.signals import Stopped
from lbhm.base.units import format_share
from lbhm.execute.side_by_side import check_jobs
from lbhm.library.library import checked_machine
from lbhm.machine import HOST, MachineChoice, choose_machine, file_of
from lbhm.options.command_line import check_outputs
from lbhm.options.options import Json, NamedMachine, Placements, Seed, number
from lbhm.output import output
from lbhm.output.tables import or_nothing, plain_table
from lbhm.train.collect import Collected, Plan, check_programs, collect, threads_of
from lbhm.train.corpus import built_corpus, check_names, chosen, known_names, programs_in
from lbhm.train.this_host import look_at_host

app = typer.Typer()
_SPLITS = {"random": "rows by chance (the paper)", "grouped": "unseen regions", "left_out_programs": "unseen programs"}
ThreadCounts = Annotated[str, typer.Option(metavar="N,M,...", help="Numbers of OpenMP threads.")]
File = Annotated[Path | None, typer.Option("--output", metavar="FILE", help="The model. [default: MACHINE.json]")]
Work = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Measured data, kept. [default: training/MACHINE of the build tree, or of your data]"
    ),
]
Names = Annotated[str | None, typer.Option("--programs", metavar="A,B,...", help="Training programs. [default: all]")]
Corpus = Annotated[
    Path | None, typer.Option(metavar="DIR", help="A folder of built programs, instead of the build tree's.")
]
ProgramsAtATime = Annotated[
    int | None, number("--jobs", 1, 1024, "Programs that run at a time. [default: 2; 1 on the host]")
]
RunsOfEach = Annotated[
    int | None, number("--repeat", 1, 10_000, "On the host: runs of each placement; medians count. [default: 3]")
]


@app.command("train")
def train_command(
    machine: NamedMachine = "optane",
    threads: ThreadCounts = "1,12",
    placements: Placements = 10,
    file: File = None,
    work: Work = None,
    names: Names = None,
    corpus: Corpus = None,
    jobs: ProgramsAtATime = None,
    repeat: RunsOfEach = None,
    seed: Seed = 1,
    json_file: Json = None,
) -> None:
    """Measure the training programs on a machine and learn f from them (some minutes; on the host it says how long)."""
    build = find_build()
    build.need_library()
    choice = choose_machine(machine)
    jobs, repeat = _effort(choice, jobs, repeat)
    content = checked_machine(file_of(machine)) if choice.emulated else None
    name, cores = _name_and_cores(machine, content)
    target = file or Path(f"{name}.json")
    read = [("--machine reads", file_of(machine))] if choice.emulated else []
    folder = _writable(work or build.kept / "training" / name)
    check_outputs([("--output", target), *([("--json", json_file)] if json_file else [])], read)
    counts = threads_of(threads, cores)
    programs = chosen(_programs(build, corpus, jobs, choice.emulated, names), names)
    plan = Plan(build, choice, programs, counts, placements, seed, folder, repeat)
    check_programs(plan)
    if content is None:
        content = look_at_host(plan.setup(programs[0], counts[0]))
        plan = replace(plan, fingerprint=content["machine_fingerprint"])
    collected = _measured(plan, jobs)
    command = _command(choice, threads, placements, names, corpus, seed) + (f" --repeat {repeat}" if repeat > 1 else "")
    trained = _learned(collected, name, content, seed, command, tables=json_file is not None)
    if trained is None:
        return
    study = trained.study | _times(collected, jobs, trained.study["learning_seconds"])
    output.write_json(json_file, study)
    output.write_json(target, trained.model, compact=True)
    _show(study, collected, target)


def _writable(folder: Path) -> Path:
    """Raises Refusal when nothing could be kept there; better now than after the programs are built."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise Refusal(f"--work {folder}: {there} cannot be written to; name a folder of yours")
    return folder


def _name_and_cores(machine: str, content: dict[str, Any] | None) -> tuple[str, int]:
    """content: the machine file, if it is an emulated one. Raises Refusal."""
    if content is None:
        return HOST, len(os.sched_getaffinity(0))
    try:
        return str(content["name"]), int(content["core"]["hardware_threads"]["value"])
    except (KeyError, TypeError, ValueError) as error:
        raise Refusal(
            f"--machine {machine}: the machine file has no name or no number at core.hardware_threads ({error}); lbhm "
            "machine check FILE says what it lacks"
        ) from None


def _effort(choice: MachineChoice, jobs: int | None, repeat: int | None) -> tuple[int, int]:
    """How many programs run at a time, and how often each. Raises Refusal."""
    if choice.emulated:
        if repeat is not None:
            raise Refusal("--repeat: virtual times are the same in every run; leave it out")
        return jobs or min(2, os.cpu_count() or 1), 1
    check_jobs(jobs, choice.emulated)
    if repeat is not None and repeat < 2:
        raise Refusal(f"--repeat {repeat}: one run does not tell what chance is in a time; take 2 or more, better 3")
    return 1, repeat or 3


def _programs(build: BuildTree, corpus: Path | None, jobs: int, emulated: bool, names: str | None) -> list[Path]:
    if corpus is not None:
        return programs_in(corpus)
    check_names(names, known_names())  # before they are built
    with output.steps() as begins:
        begins("building the training programs")
        return built_corpus(build, jobs, emulated)


def _measured(plan: Plan, jobs: int) -> Collected:
    try:
        collected = collect(plan, jobs)
    except Stopped as stopped:
        done = sum(job.found() is not None for job in plan.jobs())
        raise Refusal(
            f"stopped; {done} of {len(plan.jobs())} measurements are done and kept in {plan.work}: the same command "
            "goes on from there",
            stopped.status,
        ) from None
    if not collected.files:
        sentence = next(iter(collected.failed.values()))
        raise Refusal(f"no training program could be measured; the first says: {sentence}")
    return collected


def _learned(
    collected: Collected, name: str, machine: dict[str, Any], seed: int, command: str, tables: bool
) -> Any | None:
    """machine: a machine file, or a run report of the host. None: f has nothing to learn there, which is said."""
    from lbhm_training.features import Machine
    from lbhm_training.series import BadData, NothingToLearn, read

    try:
        found = read(collected.files, Machine.of(machine))
        from lbhm_training.train import Options, train  # here: xgboost takes seconds to import

        with output.steps() as begins:
            return train(found, Options(name, seed, command, __version__, tables, begins))
    except NothingToLearn as why:
        output.say(f"{why}; no model is written: without one f is 1")
        return None
    except BadData as error:
        raise Refusal(str(error)) from None


def _command(
    choice: MachineChoice, threads: str, placements: int, names: str | None, corpus: Path | None, seed: int
) -> str:
    """What was asked for, as far as the model depends on it; the same wherever it was asked."""
    words = ["lbhm", "train", "--machine", Path(choice.value).name, "--threads", threads]
    words += ["--placements", str(placements), "--seed", str(seed)]
    words += ["--programs", names] if names else []
    words += ["--corpus", corpus.name] if corpus else []
    return shlex.join(words)


def _times(collected: Collected, jobs: int, learning: float) -> dict[str, Any]:
    """train_seconds: of a training from nothing. Where data was kept, its part is what measuring it took then."""
    measuring = collected.seconds + collected.kept_seconds / jobs
    return {
        "measuring_seconds": round(measuring, 1),
        "train_seconds": round(measuring + learning, 1),
        "kept_measurements": collected.kept,
        "failed": collected.failed,
    }


def _show(study: dict[str, Any], collected: Collected, target: Path) -> None:
    console = output.console()
    console.print(accuracy_table(study))
    for line in summary_lines(study, target):
        console.print(line, markup=False, soft_wrap=True)
    for name, sentence in collected.failed.items():
        output.say(f"{name} failed and is not in the model: {sentence}")


def accuracy_table(study: dict[str, Any]) -> Table:
    """known: with the measured T_fast; predicted: T_fast, too; formula: without a model."""
    numbers = ("R² of f", "times", "times, T_fast predicted", "the same by formula")
    table = plain_table("judged by", *numbers, right=numbers)
    for key, title in _SPLITS.items():
        r2 = study[f"r2_{key}"]  # None where f of the judged rows does not vary
        found = [study[f"{part}_accuracy_{key}"] for part in ("hybrid", "predicted", "formula")]
        accuracies = [or_nothing(accuracy, format_share) for accuracy in found]
        table.add_row(title, or_nothing(r2, "{:.3f}".format), *accuracies)
    return table


def summary_lines(study: dict[str, Any], target: Path) -> list[str]:
    threads = " and ".join(str(number) for number in study["threads"])
    return [
        f" {study['samples']} samples of {study['regions']} regions in {study['programs']} programs with {threads} "
        f"threads; {study['disturbed_series']} series left out as disturbed, {study['unclear_series']} as noise, "
        f"{len(study['failed'])} measurements failed",
        f" f looks at {', '.join(study['features'])}",
        f" {study['train_seconds']:.0f} s from nothing, {study['learning_seconds']:.0f} s of it learning; written to "
        f"{target}",
    ]
