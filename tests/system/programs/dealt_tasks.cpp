// Eight pieces of work, an array each; two of them are eight times the work of the others. Every round deals them to
// two threads anew, so a thread is never the same task again. The argument says whether the program names them: "name",
// "number" or "not"; with "explicit" they are OpenMP's tasks, with numbers, and with "constructs" OpenMP's tasks as
// two constructs make them, one for the long pieces. Even short pieces go through their arrays four times: of less, the
// few samples of a page are chance.
#include <omp.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"

namespace {

constexpr std::size_t pieces = 8;
constexpr std::size_t elements = 1 << 14;

/// Dependent loads, `rounds` times through the array.
std::uint64_t work(const std::uint64_t* next, std::size_t rounds) {
  std::uint64_t at = 8;
  for (std::size_t i = 0; i < rounds * elements / 8; ++i) at = next[at];
  return at + 1;
}

/// A ring through the first words of all cache lines, in no order that a prefetcher knows (an LCG of full period).
void link(std::uint64_t* next) {
  constexpr std::size_t lines = elements / 8;
  for (std::size_t line = 0; line < lines; ++line) next[line * 8] = (line * 1229 + 1021) % lines * 8;
}

/// Deals all pieces to two threads.
template <class DoPiece>
void deal(std::string_view how, std::size_t round, DoPiece do_piece) {
  if (how == "constructs") {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (std::size_t i = 0; i < pieces; ++i) {
      if ((i * 3 + round) % pieces < 2) {  // NOLINT(bugprone-branch-clone): two constructs
#pragma omp task firstprivate(i) shared(do_piece)
        do_piece(i);
      } else {
#pragma omp task firstprivate(i) shared(do_piece)
        do_piece(i);
      }
    }
  } else if (how == "explicit") {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (std::size_t i = 0; i < pieces; ++i) {
#pragma omp task firstprivate(i) shared(do_piece)
      do_piece(i);
    }
  } else {
#pragma omp parallel for schedule(static) num_threads(2)
    for (std::size_t i = 0; i < pieces; ++i) do_piece(i);
  }
}

void say_task(std::string_view how, std::size_t piece) {
  if (!lbhm_task) return;
  if (how == "name") lbhm_task(("piece " + std::to_string(piece)).c_str());
  if (how == "number" || how == "explicit") lbhm_task_number(static_cast<long long>(piece));
}

}  // namespace

int main(int, char** arguments) {
  const std::string_view how = arguments[1];
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  std::array<std::uint64_t*, pieces> arrays{};
  std::array<std::string, pieces> names;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    arrays[piece] = static_cast<std::uint64_t*>(omp_alloc(elements * sizeof(std::uint64_t), allocator));
    names[piece] = "array " + std::to_string(piece);
    link(arrays[piece]);
  }
  std::uint64_t sum = 0;
  for (std::size_t round = 0; round < 12; ++round) {
    std::vector<lbhm_object> objects;
    for (std::size_t piece = 0; piece < pieces; ++piece)
      objects.push_back({arrays[piece], elements * sizeof(std::uint64_t), names[piece].c_str()});
    if (lbhm_config && !lbhm_config(objects.data(), objects.size()))
      std::fprintf(stderr, "not planned: %s\n", lbhm_last_error());
    std::array<std::uint64_t, pieces> results{};
    const auto do_piece = [&](std::size_t i) {
      const std::size_t piece = (i * 3 + round) % pieces;
      say_task(how, piece);
      results[i] = work(arrays[piece], piece < 2 ? 32 : 4);
      if (lbhm_task && how != "constructs") lbhm_task(nullptr);
    };
    deal(how, round, do_piece);
    sum = std::accumulate(results.begin(), results.end(), sum);
  }
  for (std::uint64_t* array : arrays) omp_free(array, allocator);
  omp_destroy_allocator(allocator);
  std::printf("checksum: %016llx\n", static_cast<unsigned long long>(sum));
}
