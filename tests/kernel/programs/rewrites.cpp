// rewrites REGIONS PASSES MIB: two objects of MIB each. In each of REGIONS parallel regions all threads write PASSES
// times to each word of one object: the even regions to the first, the odd ones to the second. What is written depends
// on what was there, so that a lost write shows at the end. The first thread looks meanwhile where the pages are, and
// counts those that are elsewhere than when it looked last.
#include "programs/arrays.h"

namespace {

using kernel_test::Array;

/// What is written over this.
std::uint64_t next(std::uint64_t word) { return word * 3 + 1; }

struct Object {
  Array array;
  std::uint64_t writes = 0;  ///< of each word
  std::vector<int> nodes{};  ///< last known, by page
};

/// Pages that moved since the last look. Armed pages have no node for older kernels.
long moved_pages(Object& object) {
  const std::vector<int> now = facts::nodes_of(object.array.data, object.array.bytes());
  object.nodes.resize(now.size(), -1);
  long moved = 0;
  for (std::size_t page = 0; page < now.size(); ++page) {
    if (now[page] < 0) continue;
    moved += object.nodes[page] >= 0 && object.nodes[page] != now[page];
    object.nodes[page] = now[page];
  }
  return moved;
}

/// First touch, by all threads.
void fill(const Array& array) {
#pragma omp for schedule(static)
  for (std::size_t word = 0; word < array.words; ++word) array.data[word] = word;
}

/// Returns how many pages moved while it wrote to them.
long rewrite(Object& object, int passes) {
  long moved = 0;
#pragma omp parallel
  {
    if (object.writes == 0) fill(object.array);
#pragma omp masked
    moved_pages(object);
    for (int pass = 0; pass < passes; ++pass) {
#pragma omp for schedule(static)
      for (std::size_t word = 0; word < object.array.words; ++word)
        object.array.data[word] = next(object.array.data[word]);
#pragma omp masked
      moved += moved_pages(object);
    }
  }
  object.writes += static_cast<std::uint64_t>(passes);
  return moved;
}

std::uint64_t wrong_words(const Object& object) {
  std::uint64_t wrong = 0;
  for (std::size_t word = 0; word < object.array.words; ++word) {
    std::uint64_t expected = word;
    for (std::uint64_t write = 0; write < object.writes; ++write) expected = next(expected);
    wrong += object.array.data[word] != expected;
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int regions = std::atoi(argv[1]), passes = std::atoi(argv[2]);
  const std::size_t bytes = std::strtoul(argv[3], nullptr, 10) << 20;
  Object first{kernel_test::allocate("first", bytes)}, second{kernel_test::allocate("second", bytes)};
  long moved = 0;
  for (int number = 0; number < regions; number += 2) {
    kernel_test::configure({first.array});
    moved += rewrite(first, passes);
    kernel_test::configure({second.array});
    moved += rewrite(second, passes);
  }
  std::uint64_t writes = 0, wrong = 0;
  for (const Object* object : {&first, &second}) {
    writes += object->writes * object->array.words;
    wrong += wrong_words(*object);
  }
  std::printf("number writes %llu\nnumber wrong %llu\nnumber moved-meanwhile %ld\n",
              static_cast<unsigned long long>(writes), static_cast<unsigned long long>(wrong), moved);
}
