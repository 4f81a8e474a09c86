// The C program as C++.
#include "default_allocator.c"
