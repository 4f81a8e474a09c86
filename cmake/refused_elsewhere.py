"""refused_elsewhere.py LIBRARY: makes loaders of another libc refuse it when they open it.

They look at what a library needs later. A preloaded library that was refused is left out, and the program runs; one
whose needs are not met ends the program before main.

The library has one segment without bytes in the file (refused_elsewhere.c), of which two values are changed that glibc
does not read since 2.35. The alignment becomes 1, as ELF allows: older glibcs refuse that, in one line. The place in
the file becomes one that no file has: musl maps even this segment, cannot, and leaves the library out without a word.
"""

import struct
import sys
from pathlib import Path

SEGMENT = struct.Struct(
    "<IIQQQQQQ"
)  # Elf64_Phdr: type, flags, offset, address, physical, bytes in the file, bytes, align
LOAD, PAGE, NOWHERE = 1, 4096, 1 << 63


def main(library: Path) -> None:
    data = bytearray(library.read_bytes())
    (table,), (count,) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<H", data, 56)
    places = [table + i * SEGMENT.size for i in range(count)]
    empty = [at for at in places if (segment := SEGMENT.unpack_from(data, at))[0] == LOAD and segment[5] == 0]
    if len(empty) != 1:
        sys.exit(f"{library}: {len(empty)} segments have no bytes in the file, and one should; see {__file__}")
    kind, flags, _, address, physical, in_file, size, _ = SEGMENT.unpack_from(data, empty[0])
    SEGMENT.pack_into(data, empty[0], kind, flags, NOWHERE + address % PAGE, address, physical, in_file, size, 1)
    library.write_bytes(data)


main(Path(sys.argv[1]))
