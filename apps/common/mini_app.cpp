#include "apps/common/mini_app.h"

#include <cinttypes>
#include <cstdio>
#include <new>

namespace apps {

int run_guarded(const Program& program, int argc, char** argv,
                const std::function<int(const std::vector<std::string_view>&)>& body) {
  try {
    return body(std::vector<std::string_view>(argv + 1, argv + argc));
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s: %s\n", program.name, error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "%s: not enough memory. %s\n", program.name, program.smaller);
    return 1;
  }
}

void print_time(const char* what, double seconds) { std::fprintf(stderr, "%s: %.3f s\n", what, seconds); }

void print_checksum(std::uint64_t checksum) { std::printf("checksum: 0x%016" PRIx64 "\n", checksum); }

}  // namespace apps
