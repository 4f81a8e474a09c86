"""python -m lbhm"""

import sys

from lbhm.compiler_wrapper import COMPILERS, compile_as
from lbhm.errors import Refusal, refuse

if sys.argv[1:2] and sys.argv[1] in COMPILERS:
    try:
        compile_as(sys.argv[1], sys.argv[2:])
    except Refusal as refusal:
        refuse(refusal)

from lbhm.cli import main

main()
