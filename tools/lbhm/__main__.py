"""python -m lbhm"""

import os
import sys

from lbhm.base.errors import Refusal, refuse
from lbhm.program.compiler_wrapper import COMPILERS, compile_as

if sys.argv[1:2] and sys.argv[1] in COMPILERS:
    try:
        compile_as(sys.argv[1], sys.argv[2:])
    except Refusal as refusal:
        from lbhm.output import streams

        refused = refusal
        sys.exit(streams.written(lambda: refuse(refused)))

try:
    from lbhm.cli import main

    main()
except ModuleNotFoundError as error:
    from lbhm.packages import COMPLETING, missing_package

    if COMPLETING in os.environ:
        sys.exit()
    missing = missing_package(error)
    from lbhm import bare
    from lbhm.output import streams

    words = sys.argv[1:]

    def told() -> int:
        try:
            return bare.answer(words, missing.sentence) if bare.answers(words) else refuse(missing)
        except Refusal as refusal:
            return refuse(refusal)

    sys.exit(streams.written(told))
