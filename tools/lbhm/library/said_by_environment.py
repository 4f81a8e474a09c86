"""LBHM_* variables that a command finds and that do not do what whoever set them expects."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator

from lbhm.library.library import settings

# What the command sets for each run of the program, and what says it in the variable's place.
_SET_BY_US = {
    "LBHM_MACHINE": "--machine says it",
    "LBHM_POLICY": "--policy or --policies says it",
    "LBHM_SEED": "--seed says it",
    "LBHM_REPORT": "--json FILE keeps the report",
    "LBHM_PRESETS": "--machine FILE names a machine of yours",
}
_EMULATED = {"LBHM_FAST_CAPACITY": "--fast says it"}
# What people take for settings: what is said by an option alone.
_OPTIONS = {
    "THREADS": "--threads or OMP_NUM_THREADS",
    "NUM_THREADS": "--threads or OMP_NUM_THREADS",
    "FAST": "--fast",
    "POLICIES": "--policies",
    "INPUT": "--input",
    "JSON": "--json",
    "REPEAT": "--repeat",
    "RESULT": "--result",
}
_BEGIN = "LBHM_"
# Of the command itself, its wrappers of compilers and its tests.
OF_THE_COMMAND = ("LBHM_BUILD", "LBHM_CC", "LBHM_CXX", "LBHM_FC", "LBHM_PYTHON", "LBHM_SHARE", "LBHM_COMPLETE")
_OF_TOOLS = ("LBHM_PLUGIN_", "LBHM_REGIONS_", "LBHM_BUILD_", "LBHM_TEST")


def sentences(emulated: bool) -> Iterator[str]:
    """What is to be said before a program runs."""
    ours = _SET_BY_US | (_EMULATED if emulated else {})
    found = [name for name in os.environ if name.startswith("LBHM_") and name not in OF_THE_COMMAND]
    known = {setting["environment"] for setting in settings()} if found else set()
    for name in sorted(found):
        if name in ours:
            yield f"the variable {name}={os.environ[name]} has no effect here: {ours[name]}"
        elif name not in known and not name.startswith(_OF_TOOLS):
            yield f"the variable {name} is no setting of LB-HM and has no effect; {_remedy(name, known, ours)}"


def _remedy(name: str, known: Iterable[str], ours: dict[str, str]) -> str:
    if option := _OPTIONS.get(name.removeprefix(_BEGIN)):
        return f"{option} says it"
    near = difflib.get_close_matches(name.removeprefix(_BEGIN), [each.removeprefix(_BEGIN) for each in known], 1, 0.75)
    meant = _BEGIN + near[0] if near else ""
    return ours.get(meant) or (f"did you mean {meant}?" if meant else "lbhm settings lists all")
