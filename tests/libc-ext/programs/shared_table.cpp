// The library of globals.cpp.
extern "C" double shared_table[1 << 17];
double shared_table[1 << 17];
