"""What liblbhm.so says about itself: its policies and its settings.

It is asked in a process of its own, with no LB-HM setting in its environment: the library is made to be loaded into
programs, where it starts threads' bookkeeping and writes reports at exit, and none of that should happen here.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

from lbhm.base.build_tree import AGAIN, find_build
from lbhm.base.errors import Refusal
from lbhm.files.json_reader import parse_json
from lbhm.machine import read_machine

_ASK = """
import ctypes, sys
ask = getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])
ask.restype = ctypes.c_char_p
sys.stdout.buffer.write(ask(*map(str.encode, sys.argv[3:])))
"""
# The library starts there, and must not end as in a program, with a report.
_ASK_START = """
import ctypes, os, sys
ask = ctypes.CDLL(sys.argv[1]).lbhm_start_complaint
ask.restype = ctypes.c_char_p
os.write(1, ask())
os._exit(0)
"""


def _ask(library: Path, function: str, *arguments: str) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LBHM_")}
    environment.pop("LD_PRELOAD", None)
    command = [sys.executable, "-I", "-c", _ASK, str(library), function, *arguments]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    if answer.returncode != 0:
        raise _unanswered(library, function, (answer.stderr.strip().splitlines() or ["it ended without a word"])[-1])
    return answer.stdout


def start_complaint(library: Path, environment: dict[str, str]) -> str:
    """What keeps LB-HM out of a program with this environment: a sentence with the remedy; empty if nothing does, or if
    nobody can say, for then the program's own start will."""
    environment = environment | {"LD_PRELOAD": os.environ.get("LD_PRELOAD", "")}  # without our libraries
    command = [sys.executable, "-I", "-c", _ASK_START, str(library)]
    answer = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    return answer.stdout.decode(errors="replace") if answer.returncode == 0 else ""


def _unanswered(library: Path, function: str, why: str) -> Refusal:
    return Refusal(f"{library}: {function} could not be asked ({why}); {AGAIN}")


def _table(library: Path, function: str) -> list[dict[str, str]]:
    try:
        return parse_json(_ask(library, function))
    except ValueError:
        raise _unanswered(library, function, "it gave no valid JSON") from None


def checked_machine(path: Path) -> dict[str, Any]:
    """The content of a machine file that the emulated machine can be. Raises Refusal."""
    content = read_machine(path)
    # The runtime gives a sentence that names file and key; empty if the file is right.
    if complaint := _ask(find_build().need_library(), "lbhm_machine_complaint", str(path.absolute())):
        raise Refusal(complaint)
    return content


@cache
def policies() -> list[dict[str, str]]:
    """[{"name", "sentence"}], in the runtime's order."""
    return _table(find_build().need_library(), "lbhm_policies_json")


@cache
def settings() -> list[dict[str, str]]:
    """[{"name", "environment", "default", "unit", "sentence"}], in the runtime's order."""
    return _table(find_build().need_library(), "lbhm_settings_json")


def check_policies(names: list[str]) -> None:
    """Raises Refusal when a name is unknown or given twice, or when there is none."""
    known = [policy["name"] for policy in policies()]
    for name in names:
        if "," in name or " " in name:
            raise Refusal(f"policy '{name}' is unknown; several are for lbhm compare --policies A,B, without blanks")
        if name not in known:
            raise Refusal(f"policy '{name}' is unknown; choose from: {', '.join(known)}")
    if len(set(names)) < len(names):
        raise Refusal(f"--policies {','.join(names)}: a policy is named twice; name each once")
    if not names:
        raise Refusal(f"--policies: no policy is named; choose from: {', '.join(known)}")
