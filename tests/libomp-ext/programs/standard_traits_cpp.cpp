// The C program as C++.
#include "standard_traits.c"
