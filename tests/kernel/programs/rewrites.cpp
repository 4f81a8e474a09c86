// rewrites REGIONS PASSES MIB: two objects of MIB each. In each of REGIONS parallel regions all threads write PASSES
// times to each word of one object: the even regions to the first, the odd ones to the second. What is written depends
// on what was there, so that a lost write shows at the end. The first thread looks meanwhile where the pages are, and
// counts those that are elsewhere than when it looked last.
#include "programs/arrays.h"
#include "programs/rewritten.h"

namespace {

using kernel_test::Rewritten;

struct Object {
  kernel_test::Array array;
  Rewritten content{array.data, array.words};
};

/// Returns how many pages moved while it wrote to them.
long rewrite(Rewritten& object, int passes) {
  long moved = 0;
#pragma omp parallel
  {
    if (object.writes == 0) fill(object);
#pragma omp masked
    moved_pages(object);
    for (int pass = 0; pass < passes; ++pass) {
      write_over(object);
#pragma omp masked
      moved += moved_pages(object);
    }
  }
  object.writes += static_cast<std::uint64_t>(passes);
  return moved;
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
    moved += rewrite(first.content, passes);
    kernel_test::configure({second.array});
    moved += rewrite(second.content, passes);
  }
  std::uint64_t writes = 0, wrong = 0;
  for (const Object* object : {&first, &second}) {
    writes += object->content.writes * object->content.words;
    wrong += wrong_words(object->content);
  }
  std::printf("number writes %llu\nnumber wrong %llu\nnumber moved-meanwhile %ld\n",
              static_cast<unsigned long long>(writes), static_cast<unsigned long long>(wrong), moved);
}
