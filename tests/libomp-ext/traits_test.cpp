// Trait lists: what is understood and what is refused, with which words.
#include "libomp-ext/allocators/traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lbhm/omp_traits.h"

namespace lbhm::allocators {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using List = std::vector<omp_alloctrait_t>;

std::expected<AllocatorTraits, Sentence> parse(const List& list, Handle space = omp_default_mem_space) {
  return parse_traits(space, static_cast<int>(list.size()), list.data());
}

std::string complaint(const List& list, Handle space = omp_default_mem_space) {
  const auto parsed = parse(list, space);
  return parsed ? "" : parsed.error().text.data();
}

TEST(Traits, EmptyListHasTheDefaults) {
  const auto traits = parse_traits(omp_default_mem_space, 0, nullptr).value();
  EXPECT_EQ(traits.alignment, 0u);
  EXPECT_EQ(traits.pool_bytes, 0u);
  EXPECT_EQ(traits.fallback, Fallback::default_memory);
  EXPECT_FALSE(traits.memory.managed);
  EXPECT_TRUE(traits.memory.migratable);
  EXPECT_EQ(traits.memory.tier_hint, -1);
}

TEST(Traits, ReadsStandardAndOurTraits) {
  const auto traits = parse({{omp_atk_alignment, 128},
                             {omp_atk_pool_size, 5000},
                             {omp_atk_fallback, omp_atv_allocator_fb},
                             {omp_atk_fb_data, omp_thread_mem_alloc},
                             {omp_atk_pinned, omp_atv_true},
                             lbhm_managed(true),
                             lbhm_tier_hint(2),
                             lbhm_pattern_hint(lbhm_pattern_random),
                             lbhm_group(0),
                             lbhm_name("x"),
                             lbhm_sensitivity(lbhm_bandwidth),
                             lbhm_migratable(false)})
                          .value();
  EXPECT_EQ(traits.alignment, 128u);
  EXPECT_EQ(traits.pool_bytes, 5000u);
  EXPECT_EQ(traits.fallback, Fallback::allocator);
  EXPECT_EQ(traits.fallback_allocator, static_cast<Handle>(omp_thread_mem_alloc));
  EXPECT_TRUE(traits.pinned);
  EXPECT_TRUE(traits.memory.managed);
  EXPECT_EQ(traits.memory.tier_hint, 2);
  EXPECT_STREQ(traits.memory.name, "x");
  EXPECT_FALSE(traits.memory.migratable);
  EXPECT_EQ(traits.memory.sensitivity, Sensitivity::bandwidth);
  EXPECT_EQ(traits.memory.group, 0u);
}

TEST(Traits, TheLastOfEqualKeysCounts) {
  EXPECT_EQ(parse({{omp_atk_alignment, 64}, {omp_atk_alignment, 32}})->alignment, 32u);
}

TEST(Traits, DefaultIsAcceptedEverywhere) {
  for (int key = omp_atk_sync_hint; key <= omp_atk_partition; ++key) {
    EXPECT_EQ(complaint({{static_cast<omp_alloctrait_key_t>(key), omp_atv_default}}), "") << key;
  }
}

TEST(Traits, UnknownKeysAreNamed) {
  EXPECT_THAT(complaint({lbhm_managed(true), lbhm_trait(99, 1)}),
              AllOf(HasSubstr("trait 2 of 2"), HasSubstr("key 99")));
  EXPECT_THAT(complaint({lbhm_trait(0, 1)}), HasSubstr("key 0"));
  EXPECT_THAT(complaint({lbhm_trait(LBHM_ATK_LAST + 1, 1)}), HasSubstr("unknown key"));
}

TEST(Traits, BadValuesAreNamed) {
  EXPECT_THAT(complaint({{omp_atk_alignment, 24}}), AllOf(HasSubstr("alignment: value 24"), HasSubstr("power of two")));
  EXPECT_THAT(complaint({{omp_atk_fallback, 3}}), HasSubstr("fallback: value 3"));
  EXPECT_THAT(complaint({{omp_atk_partition, 99}}), HasSubstr("partition: value 99"));
  EXPECT_THAT(complaint({{omp_atk_sync_hint, omp_atv_all}}), HasSubstr("sync_hint: value 7"));
  EXPECT_THAT(complaint({{omp_atk_access, omp_atv_contended}}), HasSubstr("access: value 3"));
  EXPECT_THAT(complaint({{omp_atk_pinned, 7}}), HasSubstr("pinned: value 7"));
  EXPECT_THAT(complaint({lbhm_trait(LBHM_ATK_MANAGED, 2)}), HasSubstr("lbhm_managed: value 2"));
  EXPECT_THAT(complaint({lbhm_tier_hint(-2)}), HasSubstr("lbhm_tier_hint: value -2"));
  EXPECT_THAT(complaint({lbhm_tier_hint(255)}), HasSubstr("lbhm_tier_hint: value 255"));
  EXPECT_THAT(complaint({lbhm_trait(LBHM_ATK_PATTERN_HINT, 0)}), HasSubstr("lbhm_pattern_hint: value 0"));
  EXPECT_THAT(complaint({lbhm_group(-1)}), HasSubstr("lbhm_group: value -1"));
  EXPECT_THAT(complaint({lbhm_name(nullptr)}), HasSubstr("lbhm_name"));
  EXPECT_THAT(complaint({lbhm_trait(LBHM_ATK_SENSITIVITY, 3)}), HasSubstr("lbhm_sensitivity: value 3"));
  EXPECT_THAT(complaint({lbhm_trait(LBHM_ATK_MIGRATABLE, 9)}), HasSubstr("lbhm_migratable: value 9"));
}

TEST(Traits, TheListAsAWholeIsChecked) {
  EXPECT_THAT(complaint({{omp_atk_fallback, omp_atv_allocator_fb}}), HasSubstr("fb_data"));
  EXPECT_THAT(complaint({}, 77), HasSubstr("memory space 77"));
  EXPECT_FALSE(parse_traits(omp_default_mem_space, 3, nullptr));
  EXPECT_TRUE(parse_traits(omp_default_mem_space, -1, nullptr));
}

TEST(Traits, OnlyUnmanagedAllocatorsLackSpecialMemory) {
  EXPECT_TRUE(parse({}, omp_high_bw_mem_space)->special_space());
  EXPECT_TRUE(parse({}, omp_large_cap_mem_space)->special_space());
  EXPECT_FALSE(parse({lbhm_managed(true)}, omp_high_bw_mem_space)->special_space());
  EXPECT_FALSE(parse({}, omp_low_lat_mem_space)->special_space());
  EXPECT_TRUE(parse({}, omp_low_lat_mem_space)->placed());
}

}  // namespace
}  // namespace lbhm::allocators
