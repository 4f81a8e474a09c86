#include "apps/common/report.h"

#include <cinttypes>
#include <cstdio>

namespace apps {

void print_time(const char* what, double seconds) { std::fprintf(stderr, "%s: %.3f s\n", what, seconds); }

void print_checksum(std::uint64_t checksum) { std::printf("checksum: 0x%016" PRIx64 "\n", checksum); }

}  // namespace apps
