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
using testing::Not;
using testing::StartsWith;
using List = std::vector<omp_alloctrait_t>;

std::expected<AllocatorTraits, Sentence> parse(const List& list, Handle space = omp_default_mem_space,
                                               bool openmp6 = false) {
  return parse_traits(space, static_cast<int>(list.size()), list.data(), openmp6);
}

std::string complaint(const List& list, Handle space = omp_default_mem_space) {
  const auto parsed = parse(list, space);
  return parsed ? "" : parsed.error().text.data();
}

TEST(Traits, EmptyListHasTheDefaults) {
  const auto traits = parse_traits(omp_default_mem_space, 0, nullptr, false).value();
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

/// What is said about the list.
std::string said(const List& list, Handle space, bool openmp6) {
  testing::internal::CaptureStderr();
  EXPECT_TRUE(parse(list, space, openmp6)) << space;
  return testing::internal::GetCapturedStderr();
}

TEST(Traits, WhatTheRuntimeDoesNotKnowIsLeftOutAndSaidOnce) {
  const List known{lbhm_trait(9, 0), lbhm_trait(16, 5)};
  EXPECT_EQ(said(known, 99, true), "");
  EXPECT_THAT(said({lbhm_managed(true), lbhm_trait(9, 0), lbhm_trait(17, 1)}, 0, false),
              AllOf(StartsWith("LB-HM: "), HasSubstr("trait key 9"), Not(HasSubstr("17"))));
  EXPECT_THAT(said(known, 99, false), AllOf(HasSubstr("memory space 99"), Not(HasSubstr("key"))));
  EXPECT_EQ(said({lbhm_trait(0, 1), lbhm_trait(17, 1), lbhm_trait(LBHM_ATK_LAST + 1, 1)}, 77, false), "");
}

TEST(Traits, SpacesOfNoSpecialMemoryAreTheDefault) {
  for (const Handle space : {5, 77, 99, 1023}) EXPECT_EQ(parse({}, space, true)->space, 0u) << space;
  for (const Handle space : {0, 2, 3, 100, 102}) EXPECT_EQ(parse({}, space, true)->space, space);
}

TEST(Traits, ValuesThatChangeNothingMayBeAny) {
  for (const auto key : {omp_atk_sync_hint, omp_atk_access, omp_atk_pinned, omp_atk_partition})
    EXPECT_EQ(said({{key, 99}}, 0, false), "") << key;
  EXPECT_THAT(said({{omp_atk_fallback, 3}}, 0, false), HasSubstr("fallback: 3"));
  EXPECT_EQ(parse({{omp_atk_fallback, 3}})->fallback, Fallback::null);
}

TEST(Traits, BadValuesAreNamed) {
  EXPECT_THAT(complaint({{omp_atk_alignment, 24}}), AllOf(HasSubstr("alignment: value 24"), HasSubstr("power of two")));
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
  EXPECT_FALSE(parse_traits(omp_default_mem_space, 3, nullptr, false));
  EXPECT_TRUE(parse_traits(omp_default_mem_space, -1, nullptr, false));
}

TEST(Traits, OnlyUnmanagedAllocatorsLackMemoryOfATier) {
  for (const auto space : {omp_high_bw_mem_space, omp_large_cap_mem_space, omp_low_lat_mem_space}) {
    EXPECT_TRUE(parse({}, space)->names_tier());
    EXPECT_FALSE(parse({lbhm_managed(true)}, space)->names_tier());
  }
  EXPECT_FALSE(parse({}, omp_const_mem_space)->placed());
}

}  // namespace
}  // namespace lbhm::allocators
