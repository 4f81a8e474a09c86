// What a plan takes by how much memory is managed, when the same objects change: the engine's loop on a machine in
// memory. Prints JSON: nanoseconds of a call of LB_HM_config by GiB, the median of its repetitions.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/runtime/loop/fake_loop.h"

namespace {

using namespace lbhm;

constexpr std::uint64_t pages_a_gibibyte = 262'144;
constexpr std::uint64_t phase_pages = 16'384;  // 64 MiB that the phase uses
constexpr int repetitions = 41;
const char call = 0;

/// The phase's object, and others that fill up `gibibytes`, as objects of 64 MiB that stay where they are.
double plan_ns(std::uint64_t gibibytes) {
  const std::uint64_t all = gibibytes * pages_a_gibibyte;
  FakeLoop loop({phase_pages / 4, all + phase_pages}, false);
  constexpr std::uintptr_t base = std::uintptr_t{1} << 40;  // nothing looks into these pages
  const std::uintptr_t used = loop.make_object("used", phase_pages, base);
  for (std::uint64_t number = 1; number < all / phase_pages; ++number)
    loop.make_object(("other " + std::to_string(number)).c_str(), phase_pages,
                     base + 2 * number * phase_pages * loop.page.value);
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const std::vector list{loop.listed(used)};
    const auto begin = std::chrono::steady_clock::now();
    loop.loop.begin(&call, list);
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    if (i > 1) times.push_back(spent.count());  // the first one learns what there is
    loop.run_region(used, 1, Nanoseconds(1e6));
  }
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("{");
  for (int i = 1; i < argc; ++i)
    std::printf("%s\"%s\": %.0f", i > 1 ? ", " : "", argv[i], plan_ns(std::stoul(argv[i])));
  std::printf("}\n");
}
