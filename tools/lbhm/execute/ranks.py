"""Processes of one MPI program: which rank this one is, and how its file is called."""

from __future__ import annotations

import os
from pathlib import Path

from lbhm.output.result_file import STDOUT

# Of Open MPI; of MPICH, Intel MPI and others with Hydra; of PMIx, which has no variable for how many there are; of
# Slurm's steps (a batch script has SLURM_PROCID, too, but is no rank).
_VARIABLES = (
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "PMI_SIZE"),
    ("PMIX_RANK", ""),
    ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
)


def rank_here() -> int | None:
    """None where this is no MPI program, or one of a single rank."""
    for rank, size in _VARIABLES:
        number, all_of = os.environ.get(rank, ""), os.environ.get(size, "0") if size else "2"
        if number.isdecimal() and all_of.isdecimal() and int(all_of) > 1:
            return int(number)
    return None


def file_of_rank(path: Path | None) -> Path | None:
    """run.3.json of run.json for rank 3, so that ranks do not write over each other."""
    rank = rank_here()
    if path is None or rank is None or str(path) in STDOUT:
        return path
    return path.with_name(f"{path.stem}.{rank}{path.suffix}")
