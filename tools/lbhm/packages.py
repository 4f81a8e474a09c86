"""Python packages that are not here: one sentence with the command that installs them."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from lbhm.base.build_tree import AGAIN, INSTALLED, data_folder, find_build
from lbhm.base.errors import Refusal

COMPLETING = "_LBHM_COMPLETE"  # in the environment: a shell asks for words that could follow, not for sentences
_OURS = "lbhm"
_TRAINING = {"lbhm_training", "sklearn", "xgboost"}


def missing_package(error: ModuleNotFoundError) -> Refusal:
    """For a package of somebody else; a missing part of ours or of Python is no matter of packages, and is raised."""
    name = (error.name or "").partition(".")[0]
    if name in ("", _OURS) or name in sys.stdlib_module_names:
        raise error
    if not INSTALLED:
        return Refusal(f"{sys.executable} has no package {name}; scripts/make-venv installs all")
    if name == "lbhm_training":
        return Refusal(f"this LB-HM has no training (LBHM_APPS=OFF); {AGAIN}, with it")
    wanted = find_build().requirements
    if name in _TRAINING:
        wanted = wanted.with_name("requirements-training.txt")
    return Refusal(f"{sys.executable} has no package {name}; install what lbhm needs: {_command(wanted)}")


def _command(requirements: Path) -> str:
    """pip, in the venv that is in use already, else in a new one of the user: systems guard their own Python."""
    what = f"-m pip install -r {shlex.quote(str(requirements))}"
    if sys.prefix != sys.base_prefix:
        return f"{shlex.quote(sys.executable)} {what}"
    venv = shlex.quote(str(data_folder() / "venv"))
    return f"{shlex.quote(sys.executable)} -m venv {venv} && {venv}/bin/python {what}"
