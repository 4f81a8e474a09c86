// Do OpenMP threads lose a write when helper threads move their pages meanwhile?
#include <gtest/gtest.h>
#include <linux/mempolicy.h>
#include <omp.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "facts/memory.h"
#include "runtime/host/page_mover.h"

namespace lbhm::host {
namespace {

constexpr std::size_t pages_count = 1024;
constexpr std::size_t batch = 128;     // pages: two helpers share the eight batches of a request
constexpr std::uint64_t passes = 192;  // over all words: 192 * 1024 * 512 = 1.006e8 writes
constexpr std::size_t words = pages_count * facts::page_bytes / sizeof(std::uint64_t);

/// What the thread writes to a word in a pass: wrong, if a write before was lost.
std::uint64_t next(std::uint64_t word) { return word * 3 + 1; }

std::uint64_t wrong_words(const std::uint64_t* word) {
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t expected = i;
    for (std::uint64_t pass = 0; pass < passes; ++pass) expected = next(expected);
    wrong += word[i] != expected;
  }
  return wrong;
}

TEST(Writers, NoneOfAHundredMillionWritesIsLostWhileHelpersMoveThePages) {
  const facts::Pages pages(pages_count);
  facts::bind(pages, MPOL_PREFERRED, {facts::fast});
  pages.touch();
  std::vector<std::uintptr_t> numbers;
  for (void* const page : pages.addresses()) numbers.push_back(reinterpret_cast<std::uintptr_t>(page));
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> moved = 0, busy = 0;
  std::thread helpers([&] {
    PageMover mover({.batch_pages = batch, .threads = 2});
    std::vector<PageStatus> status(pages_count);
    for (int node = facts::slow; !done; node = 1 - node) {
      mover.move(numbers, std::vector<int>{node}, status);
      for (const PageStatus of_page : status) {
        moved += of_page == PageStatus::moved;
        busy += of_page == PageStatus::busy;
      }
    }
  });
  auto* const word = reinterpret_cast<std::uint64_t*>(pages.at(0));
  for (std::size_t i = 0; i < words; ++i) word[i] = i;
  std::uint64_t moved_in_time = 0;
#pragma omp parallel num_threads(2)
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
#pragma omp for
    for (std::size_t i = 0; i < words; ++i) word[i] = next(word[i]);
  }
  moved_in_time = moved;
  done = true;
  helpers.join();
  std::printf("%llu writes; %llu moves of pages meanwhile, %llu pages were busy\n",
              static_cast<unsigned long long>(passes) * words, static_cast<unsigned long long>(moved_in_time),
              static_cast<unsigned long long>(busy.load()));
  EXPECT_EQ(wrong_words(word), 0U) << "of " << words << " words";
  EXPECT_GT(moved_in_time, pages_count);
}

}  // namespace
}  // namespace lbhm::host
