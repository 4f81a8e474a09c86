"""What liblbhm.so says about itself: its policies and its settings.

It is asked in a process of its own, with no LB-HM setting in its environment: the library is made to be loaded into
programs, where it starts threads' bookkeeping and writes reports at exit, and none of that should happen here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from lbhm.build_tree import find_build
from lbhm.errors import Refusal

_ASK = """
import ctypes, sys
ask = getattr(ctypes.CDLL(sys.argv[1]), sys.argv[2])
ask.restype = ctypes.c_char_p
sys.stdout.buffer.write(ask())
"""


def _table(library: Path, function: str) -> list[dict[str, str]]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LBHM_")}
    environment.pop("LD_PRELOAD", None)
    answer = subprocess.run(
        [sys.executable, "-I", "-c", _ASK, str(library), function], env=environment, capture_output=True, text=True
    )
    try:
        return json.loads(answer.stdout)
    except json.JSONDecodeError:
        why = (answer.stderr.strip().splitlines() or ["it gave no valid JSON"])[-1]
        raise Refusal(f"{library}: {function} could not be asked ({why}); build it again with ./quickstart") from None


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
        if name not in known:
            raise Refusal(f"policy '{name}' is unknown; choose from: {', '.join(known)}")
    if len(set(names)) < len(names):
        raise Refusal(f"--policies {','.join(names)}: a policy is named twice; name each once")
    if not names:
        raise Refusal(f"--policies: no policy is named; choose from: {', '.join(known)}")
