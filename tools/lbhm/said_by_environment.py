"""LBHM_* variables that a command finds and that do not do what whoever set them expects."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator

from lbhm.library import settings

# What the command sets for each run of the program, and what says it in the variable's place.
_SET_BY_US = {
    "LBHM_MACHINE": "--machine says it",
    "LBHM_POLICY": "--policy or --policies says it",
    "LBHM_SEED": "--seed says it",
    "LBHM_REPORT": "--json FILE keeps the report",
    "LBHM_PRESETS": "--machine FILE names a machine of yours",
}
_EMULATED = {"LBHM_FAST_CAPACITY": "--fast says it"}
# Of the command itself, its wrappers of compilers and its tests.
_OF_THE_COMMAND = ("LBHM_BUILD", "LBHM_CC", "LBHM_CXX", "LBHM_FC", "LBHM_PYTHON", "LBHM_SHARE", "LBHM_COMPLETE")
_OF_TOOLS = ("LBHM_PLUGIN_", "LBHM_REGIONS_", "LBHM_BUILD_", "LBHM_TEST")


def sentences(emulated: bool) -> Iterator[str]:
    """What is to be said before a program runs."""
    ours = _SET_BY_US | (_EMULATED if emulated else {})
    found = [name for name in os.environ if name.startswith("LBHM_") and name not in _OF_THE_COMMAND]
    known = {setting["environment"] for setting in settings()} if found else set()
    for name in sorted(found):
        if name in ours:
            yield f"the variable {name}={os.environ[name]} has no effect here: {ours[name]}"
        elif name not in known and not name.startswith(_OF_TOOLS):
            near = difflib.get_close_matches(name, known, 1)
            meant = f"did you mean {near[0]}?" if near else "lbhm settings lists all"
            yield f"the variable {name} is no setting of LB-HM and has no effect; {meant}"
