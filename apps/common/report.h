// What every program prints at the end. Standard output is the same on every run, so times go to standard error.
#pragma once

#include <cstdint>

namespace apps {

void print_time(const char* what, double seconds);
void print_checksum(std::uint64_t checksum);

}  // namespace apps
