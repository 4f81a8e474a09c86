"""Python calls a library with OpenMP and gives its blocks back by libc's own functions, found on libc's handle."""

import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.work.restype = ctypes.c_double
library.squares.restype = ctypes.c_void_p
libc = ctypes.CDLL("libc.so.6")
libc.realloc.restype = libc.malloc.restype = ctypes.c_void_p
libc.malloc_usable_size.restype = ctypes.c_size_t
count, size = 100_000, 800_000


def block():
    return ctypes.c_void_p(library.squares(count))


for _ in range(20):
    libc.free(block())
one = block()
print(libc.malloc_usable_size(one) >= size)
grown = ctypes.c_void_p(libc.realloc(one, 2 * size))
print(ctypes.cast(grown, ctypes.POINTER(ctypes.c_double))[count - 1])
libc.free(grown)
mine = ctypes.c_void_p(libc.malloc(size))  # libc's, which anybody's free takes
ctypes.CDLL(None).free(mine)
print(library.work(1000))
