// The C program as C++.
#include "reallocation.c"
