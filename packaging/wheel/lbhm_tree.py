"""An installed tree of LB-HM in a folder of Python's packages. `lbhm` is its command, run by this Python."""

import os
import sys
from pathlib import Path


def main() -> None:
    command = Path(__file__).parent / "lib" / "lbhm" / "python"
    os.execv(sys.executable, [sys.executable, str(command), *sys.argv[1:]])
