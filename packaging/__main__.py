"""python3 <prefix>/lib/lbhm/python: the lbhm command where it is installed. Its folder comes first in sys.path, and not
by PYTHONPATH, which the programs that it runs would inherit."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 (whoever starts it may have another)
    version = ".".join(map(str, sys.version_info[:2]))
    sys.exit(f"lbhm: {sys.executable} is Python {version}; name 3.11 or newer in LBHM_PYTHON")

import lbhm.__main__  # noqa: F401
