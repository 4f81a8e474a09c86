"""The command line of tests/faults/run."""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

from harmless.cells import compare
from harmless.fronts import FRONTS
from harmless.programs import ENDINGS, PROGRAMS, Program

AT_ONCE = 2
Cell = tuple[Program, str, str]  # program, front, ending


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests/faults/run", description="Compares programs with and without LB-HM.")
    parser.add_argument("names", nargs="*", help="programs and fronts; without any of a kind: all of that kind")
    parser.add_argument("--endings", default="return", help=f"'all', or some of {','.join(ENDINGS)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="every cell, and how many differ")
    options = parser.parse_args(words)
    options.fronts = [name for name in options.names if name in FRONTS] or list(FRONTS)
    wanted = [name for name in options.names if name not in FRONTS]
    options.programs = [program for program in PROGRAMS if not wanted or program.name in wanted]
    options.endings = list(ENDINGS) if options.endings == "all" else options.endings.split(",")
    known = {program.name for program in PROGRAMS}
    for name in [*(set(wanted) - known), *(set(options.endings) - set(ENDINGS))]:
        parser.error(f"'{name}' is no program, front or ending; programs: {', '.join(sorted(known))}")
    return options


def cells_of(programs: list[Program], fronts: list[str], endings: list[str]) -> list[Cell]:
    """What can be compared: not every program can be under every front, or end in every way."""
    return [
        (program, front, ending)
        for program, ending, front in product(programs, endings, fronts)
        if front in (program.fronts or FRONTS) and (program.ends or ending == "return")
    ]


def compare_all(cells: list[Cell]) -> dict[tuple[str, str, str], str]:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = pool.map(lambda cell: compare(cell[0], FRONTS[cell[1]], cell[2]), cells)
        return {
            (program.title, front, ending): result
            for (program, front, ending), result in zip(cells, results, strict=True)
        }


def rows_of(results: dict[tuple[str, str, str], str], fronts: list[str]) -> list[list[str]]:
    """A row for each program; a cell is `same`, or names the endings that are not and how they differ."""
    rows = []
    for title in dict.fromkeys(title for title, _, _ in results):
        row = [title]
        for front in fronts:
            cell = {ending: how for (t, f, ending), how in results.items() if (t, f) == (title, front)}
            bad = [how if len(cell) == 1 else f"{ending}: {how}" for ending, how in cell.items() if how != "same"]
            row.append("; ".join(bad) or ("same" if cell else "-"))
        rows.append(row)
    return rows


def show(rows: list[list[str]], fronts: list[str]) -> None:
    lines = [["program", *fronts], *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    for line in lines:
        print("  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip())


def main(words: list[str]) -> int:
    options = parse(words)
    results = compare_all(cells_of(options.programs, options.fronts, options.endings))
    show(rows_of(results, options.fronts), options.fronts)
    different = {cell: how for cell, how in results.items() if how != "same"}
    print(f"{len(results)} compared, {len(different)} different")
    if options.json:
        content = {
            "compared": len(results),
            "different": len(different),
            "cells": [{"program": p, "front": f, "ending": e, "result": how} for (p, f, e), how in results.items()],
        }
        options.json.write_text(json.dumps(content, indent=1) + "\n")
    sys.stdout.flush()
    return 1 if different else 0
