// The C program as C++.
#include "our_traits.c"
