"""python3 -m package: asks its extension, which has a parallel region, for a sum."""

import ctypes
import sys
from pathlib import Path

extension = Path(__file__).parent / "extension.so"
if extension.is_file():
    work = ctypes.CDLL(extension).work
    work.restype = ctypes.c_double
    print("checksum:", sum(work(1 << 16) for _ in range(len(sys.argv) + 2)))
