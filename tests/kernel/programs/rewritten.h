// Words that are written over and over, so that a lost write shows at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "facts/memory.h"

namespace kernel_test {

struct Rewritten {
  std::uint64_t* data = nullptr;
  std::size_t words = 0;
  std::uint64_t writes = 0;  ///< of each word
  std::vector<int> nodes{};  ///< last known, by page

  std::size_t bytes() const { return words * sizeof *data; }
};

/// What is written over this.
inline std::uint64_t next(std::uint64_t word) { return word * 3 + 1; }

/// Pages that moved since the last look. Armed pages have no node for older kernels.
inline long moved_pages(Rewritten& object) {
  const std::vector<int> now = facts::nodes_of(object.data, object.bytes());
  object.nodes.resize(now.size(), -1);
  long moved = 0;
  for (std::size_t page = 0; page < now.size(); ++page) {
    if (now[page] < 0) continue;
    moved += object.nodes[page] >= 0 && object.nodes[page] != now[page];
    object.nodes[page] = now[page];
  }
  return moved;
}

/// In a parallel region, by all its threads: the first touch.
inline void fill(const Rewritten& object) {
#pragma omp for schedule(static)
  for (std::size_t word = 0; word < object.words; ++word) object.data[word] = word;
}

/// Likewise: writes each word once.
inline void write_over(const Rewritten& object) {
#pragma omp for schedule(static)
  for (std::size_t word = 0; word < object.words; ++word) object.data[word] = next(object.data[word]);
}

inline std::uint64_t wrong_words(const Rewritten& object) {
  std::uint64_t wrong = 0;
  for (std::size_t word = 0; word < object.words; ++word) {
    std::uint64_t expected = word;
    for (std::uint64_t write = 0; write < object.writes; ++write) expected = next(expected);
    wrong += object.data[word] != expected;
  }
  return wrong;
}

}  // namespace kernel_test
