// heap PHASES PASSES: memory as programs have it that nobody changed: a block of malloc, one of new, a variable, and
// where there is flang an ALLOCATE and an array of a module. In each phase all threads write PASSES times to each word
// of all of them. Prints where their pages are when a phase begins and when it ends, by the kernel.
#include <cstdlib>
#include <cstring>
#include <string>

#include "lbhm/lbhm.h"
#include "programs/nodes.h"
#include "programs/rewritten.h"

// heap_arrays.f90
extern "C" {
[[gnu::weak]] std::uint64_t* heap_allocated(std::size_t words);
[[gnu::weak]] std::uint64_t* heap_module_array(std::size_t* words);
}

namespace {

using kernel_test::Rewritten;

constexpr std::size_t mib = (std::size_t{1} << 20) / sizeof(std::uint64_t);
alignas(4096) std::uint64_t variable[4 * mib];

struct Named {
  std::string name;
  Rewritten content;
};

std::vector<Named> objects() {
  std::vector<Named> all{{"variable", {variable, 4 * mib}},
                         {"malloc", {static_cast<std::uint64_t*>(std::malloc(5 * mib * 8)), 5 * mib}},
                         {"new", {new std::uint64_t[6 * mib], 6 * mib}}};
  if (!heap_allocated) return all;
  std::size_t words = 0;
  std::uint64_t* const array = heap_module_array(&words);
  all.push_back({"allocate", {heap_allocated(7 * mib), 7 * mib}});
  all.push_back({"module", {array, words}});
  return all;
}

void print(const char* when, int phase, const std::vector<Named>& objects) {
  for (const auto& [name, content] : objects)
    kernel_test::print_nodes((std::string(when) + "-" + std::to_string(phase) + "-" + name).c_str(), content.data,
                             content.bytes());
}

long rewrite(std::vector<Named>& objects, int passes) {
  long moved = 0;
#pragma omp parallel
  for (int pass = 0; pass < passes; ++pass) {
    for (auto& [name, content] : objects) {
      if (content.writes == 0 && pass == 0) fill(content);
      write_over(content);
#pragma omp masked
      moved += moved_pages(content);
    }
  }
  for (auto& [name, content] : objects) content.writes += static_cast<std::uint64_t>(passes);
  return moved;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<Named> all = objects();
  long moved = 0;
  for (int phase = 0; phase < std::atoi(argv[1]); ++phase) {
    if (lbhm_phase_transition) lbhm_phase_transition(phase % 2 ? "odd" : "even");
    print("after", phase, all);
    moved += rewrite(all, std::atoi(argv[2]));
    print("end", phase, all);
  }
  std::uint64_t writes = 0, wrong = 0;
  for (const auto& [name, content] : all) {
    writes += content.writes * content.words;
    wrong += wrong_words(content);
  }
  std::printf("number writes %llu\nnumber wrong %llu\nnumber moved-meanwhile %ld\n",
              static_cast<unsigned long long>(writes), static_cast<unsigned long long>(wrong), moved);
}
