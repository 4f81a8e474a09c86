// The C program as C++.
#include "clause.c"
