"""The run report that the runtime writes at exit (schema lbhm.report/1), and what is derived from it."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lbhm.base.build_tree import AGAIN
from lbhm.base.errors import Refusal
from lbhm.files.file_kinds import but_is, schema_of
from lbhm.files.json_reader import read_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    import jsonschema_rs
    from jsonschema import Draft202012Validator, ValidationError

SCHEMAS = Path(__file__).parents[1] / "schemas"
_SCHEMA = "lbhm.report/1"
_CHECKSUM = re.compile(rb"^[ \t]*checksum:[ \t]*(\S+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)


def _schema(name: str, in_part: bool) -> dict[str, Any]:
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    return schema | {"required": []} if in_part else schema


@cache
def validator(name: str, in_part: bool = False) -> Draft202012Validator:
    """jsonschema's own of a schema in schemas/: "report", "compare", "machine"."""
    from jsonschema import Draft202012Validator  # here: importing it takes a fifth of a command's start

    return Draft202012Validator(_schema(name, in_part))


@cache
def _quick(name: str, in_part: bool) -> jsonschema_rs.Draft202012Validator | None:
    """Says whether something fits in a fiftieth of the time, but not in the same words. None: it is not installed."""
    try:
        import jsonschema_rs
    except ModuleNotFoundError:
        return None
    return jsonschema_rs.Draft202012Validator(_schema(name, in_part))


def faults(name: str, found: Any, in_part: bool = False) -> Iterator[ValidationError]:
    """Where it does not fit the schema of this name, and why. in_part: anything may be missing at its top."""
    quick = _quick(name, in_part)
    if quick is None or not quick.is_valid(found):
        yield from validator(name, in_part).iter_errors(found)


def shortened(message: str) -> str:
    """A message of the validator may hold all of a file."""
    return message if len(message) <= 160 else f"{message[:160]}..."


def no_report(program: str) -> Refusal:
    return Refusal(
        f"{program}: it ended without LB-HM's run report; LB-HM reports when a program ends by itself, so it must "
        "not clear LD_PRELOAD, be set-uid or leave by _exit (lbhm doctor shows whether the runtime can be loaded)"
    )


def read_report(path: Path, program: str) -> dict[str, Any]:
    """The report of a run. Raises Refusal when there is none, or when it is malformed."""
    if not path.is_file():
        raise no_report(program)
    try:
        report = read_json(path)
    except (OSError, ValueError) as error:
        raise Refusal(f"{program}: LB-HM's run report is not JSON ({error}); {AGAIN}") from None
    for error in faults("report", report):
        raise Refusal(
            f"{program}: LB-HM's run report is malformed at {error.json_path} ({error.message}); the runtime and this "
            f"command come from different versions: {AGAIN}"
        )
    return report


def read_kept(path: Path, kind: str, schema: str, remedy: str) -> dict[str, Any]:
    """A file of ours that somebody kept. kind: "run report", the last word of which names its file in schemas/. Raises
    Refusal for anything else."""
    try:
        found = read_json(path)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else f"it is not JSON: {error}"
        raise Refusal(f"{path}: the {kind} cannot be read ({why}); {remedy}") from None
    if schema_of(found) != schema:
        raise Refusal(f"{path}: it is no {kind}{but_is(found, schema)}; {remedy}")
    for error in faults(kind.split()[-1], found):
        raise Refusal(f"{path}: the {kind} is malformed at {error.json_path} ({shortened(error.message)}); {remedy}")
    return found


def read_report_file(path: Path) -> dict[str, Any]:
    return read_kept(path, "run report", _SCHEMA, "name a file that lbhm run --json FILE wrote")


def any_accesses(report: dict[str, Any]) -> bool:
    """Whether accesses of any task were counted; the host counts none."""
    return any(task["accesses"] for region in report["regions"] for task in region["tasks"])


def check_seen(report: dict[str, Any], program: str, emulated: bool) -> None:
    """For programs that could not be inspected. Raises Refusal when LB-HM saw nothing of them."""
    others = [remark for remark in report["remarks"] if not remark.startswith("no phase began")]  # of course not
    remarks = f" ({'; '.join(others)})" if others else ""
    if not report["regions"]:
        raise Refusal(
            f"{program}: no OpenMP parallel region was seen{remarks}; it must start a program that is built with "
            "clang++-19 -fopenmp and has one"
        )
    if emulated and not any_accesses(report):
        raise Refusal(
            f"{program}: the emulated machine saw no access in its parallel regions{remarks}; build it, and the "
            "libraries that work there, with lbhm c++ --emulate (lbhm cc, lbhm fc), or use --machine host"
        )


def checksum_lines(stdout: bytes) -> list[str]:
    """X of each line `checksum: X` of a program."""
    return [found.decode(errors="replace") for found in _CHECKSUM.findall(stdout)]


def checksum_of(stdout: bytes) -> str:
    """X of the program's line `checksum: X`; without one (or with several) a short hash of what it printed."""
    found = _CHECKSUM.findall(stdout)
    if len(found) == 1:
        return found[0].decode(errors="replace")
    return hashlib.sha256(b"\n".join(found) or stdout).hexdigest()[:16]
