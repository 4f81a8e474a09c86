// Mistakes of programs, through the public functions: a null, one line, and nothing damaged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "lbhm/omp_traits.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "runtime/engine/engine.h"

// Under a sanitizer, too, malloc says no by returning null.
extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}

namespace lbhm::allocators {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// What `action` writes to standard error, which must be exactly one line of ours.
template <class Action>
std::string only_line(Action action) {
  testing::internal::CaptureStderr();
  action();
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, StartsWith("LB-HM: "));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  return text;
}

omp_allocator_handle_t made(const omp_alloctrait_t& trait, omp_memspace_handle_t space = omp_default_mem_space) {
  omp_alloctrait_t list[] = {trait};
  return omp_init_allocator(space, 1, list);
}

TEST(BadInput, InitGivesANullAllocatorAndOneLine) {
  const auto line = only_line([] { EXPECT_EQ(made({omp_atk_alignment, 24}), omp_null_allocator); });
  EXPECT_THAT(line, HasSubstr("value 24"));
  EXPECT_THAT(engine::last_error(), HasSubstr("value 24"));
}

TEST(BadInput, WhatOlderRuntimesDoNotKnowIsLeftOutAfterOneLine) {
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): of a program for OpenMP 6.0
  const auto space = static_cast<omp_memspace_handle_t>(99);
  omp_allocator_handle_t by_space = omp_null_allocator, by_key = omp_null_allocator;
  EXPECT_THAT(only_line([&] { by_space = made({omp_atk_alignment, 64}, space); }), HasSubstr("memory space 99"));
  EXPECT_THAT(only_line([&] { by_key = made(lbhm_trait(14, 1), space); }), HasSubstr("trait key 14"));
  for (const auto each : {by_space, by_key}) {
    EXPECT_NE(each, omp_null_allocator);
    omp_destroy_allocator(each);
  }
}

TEST(BadInput, FallbackToNoAllocator) {
  omp_alloctrait_t list[] = {
      {omp_atk_fallback, omp_atv_allocator_fb}, {omp_atk_fb_data, 0x123456789}, {omp_atk_pool_size, 1000}};
  omp_allocator_handle_t allocator = omp_null_allocator;
  EXPECT_THAT(only_line([&] { allocator = omp_init_allocator(omp_default_mem_space, 3, list); }),
              HasSubstr("0x123456789"));
  void* block = omp_alloc(100, allocator);
  EXPECT_NE(block, nullptr);
  only_line([&] { EXPECT_EQ(omp_alloc(1000, allocator), nullptr); });
  omp_free(block, allocator);
  omp_destroy_allocator(allocator);
}

TEST(BadInput, AllocatorsThatAreNone) {
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): that is the bad input
  const auto wrong = static_cast<omp_allocator_handle_t>(0x7fff12345678);
  only_line([&] { EXPECT_EQ(omp_alloc(10, wrong), nullptr); });
  only_line([&] { omp_destroy_allocator(wrong); });
  only_line([&] { omp_set_default_allocator(wrong); });
  EXPECT_EQ(omp_get_default_allocator(), omp_default_mem_alloc);
  const auto destroyed = made({omp_atk_alignment, 64});
  omp_destroy_allocator(destroyed);
  only_line([&] { EXPECT_EQ(omp_alloc(10, destroyed), nullptr); });
  only_line([&] { omp_destroy_allocator(destroyed); });
}

TEST(BadInput, ForeignPointersAreLeftAlone) {
  void* foreign = std::malloc(100);
  only_line([&] { omp_free(foreign, omp_default_mem_alloc); });
  only_line([&] { EXPECT_EQ(omp_realloc(foreign, 200, omp_default_mem_alloc, omp_default_mem_alloc), nullptr); });
  std::free(foreign);
  void* page = std::aligned_alloc(4096, 4096);
  only_line([&] { omp_free(page, omp_null_allocator); });
  std::free(page);
  auto* block = static_cast<char*>(omp_alloc(100, omp_default_mem_alloc));
  only_line([&] { omp_free(block + 16, omp_default_mem_alloc); });
  omp_free(block, omp_default_mem_alloc);
}

TEST(BadInput, AlignmentsAndSizes) {
  EXPECT_EQ(omp_aligned_alloc(24, 100, omp_default_mem_alloc), nullptr);
  EXPECT_EQ(omp_aligned_calloc(3, 10, 10, omp_default_mem_alloc), nullptr);
  const volatile std::size_t huge = SIZE_MAX;
  EXPECT_EQ(omp_alloc(huge, omp_default_mem_alloc), nullptr);
  EXPECT_EQ(omp_alloc(huge - 8, omp_default_mem_alloc), nullptr);
  EXPECT_EQ(omp_aligned_alloc(std::size_t{1} << 63, 100, omp_default_mem_alloc), nullptr);
  EXPECT_EQ(omp_calloc(huge / 2, 4, omp_default_mem_alloc), nullptr);
  void* block = omp_alloc(100, omp_default_mem_alloc);
  EXPECT_EQ(omp_realloc(block, huge - 30, omp_default_mem_alloc, omp_default_mem_alloc), nullptr);
  omp_free(block, omp_default_mem_alloc);
}

TEST(BadInput, NoMemoryWithTheAbortFallback) {
  omp_alloctrait_t list[] = {{omp_atk_fallback, omp_atv_abort_fb}, {omp_atk_pool_size, 100}};
  const auto allocator = omp_init_allocator(omp_default_mem_space, 2, list);
  EXPECT_DEATH(omp_alloc(1000, allocator), "LB-HM: no memory for 1000 bytes.*abort_fb");
  EXPECT_DEATH(omp_calloc(SIZE_MAX / 2, 4, allocator), "LB-HM: no memory.*abort_fb");
  omp_destroy_allocator(allocator);
}

TEST(BadInput, MoreAllocatorsThanSlots) {
  std::vector<omp_allocator_handle_t> all;
  omp_allocator_handle_t last = omp_null_allocator;
  const auto line = only_line([&] {
    while ((last = made({omp_atk_alignment, 64})) != omp_null_allocator) all.push_back(last);
  });
  EXPECT_THAT(line, HasSubstr("16384 allocators are in use"));
  EXPECT_EQ(all.size(), table_slots);
  for (const auto allocator : all) omp_destroy_allocator(allocator);
}

}  // namespace
}  // namespace lbhm::allocators
