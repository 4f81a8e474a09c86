// Does each site say from which load its addresses come?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {
namespace {

using Names = std::set<std::string>;

class SourcesAtLevel : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Levels, SourcesAtLevel, testing::Values("-O0", "-O1", "-O2", "-O3"),
                         [](const auto& level) { return std::string(level.param).substr(1); });

TEST_P(SourcesAtLevel, each_address_comes_from_the_load_next_to_it) {
  Recording seen = record(GetParam(), {"sources.c"});
  EXPECT_EQ(seen.blocks["x"].from, Names{"column"}) << "the gather of a sparse matrix";
  EXPECT_EQ(seen.blocks["nodes"].from, Names{"nodes"}) << "the pointer chase, and the values beside the pointers";
  EXPECT_EQ(seen.blocks["bins"].from, Names{"keys"}) << "loads and stores of the histogram";
  EXPECT_EQ(seen.blocks["gathered"].from, Names{"index"});
  EXPECT_EQ(seen.blocks["inner"].from, Names{"outer"});
  EXPECT_EQ(seen.blocks["data"].from, Names{"inner"}) << "not outer: the nearest load counts";
  if (std::string(GetParam()) != "-O0") {
    EXPECT_EQ(seen.blocks["child"].from, Names{"tree"}) << "which child depends on the key, and the key on its place";
    EXPECT_EQ(seen.blocks["tree"].from, Names{"child"});
  }
  for (const char* name : {"row", "keys", "index", "outer", "result", "to", "from", "y"}) {
    EXPECT_EQ(seen.blocks[name].from, Names{}) << name << " is walked by a counter";
  }
  EXPECT_THAT(seen.blocks["value"].from, testing::AnyOf(Names{}, Names{"row"})) << "rows begin where `row` says";
}

TEST(Sources, of_a_vectorised_gather_are_the_vector_of_indices) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "no AVX2 here";
  for (const std::string flags : {"-O3 -mavx2 -mtune=skylake", "-O3 -march=skylake"}) {
    Recording seen = record(flags, {"sources.c"});
    EXPECT_EQ(seen.blocks["gathered"].from, Names{"index"}) << flags;
    EXPECT_EQ(seen.blocks["x"].from, Names{"column"}) << flags;
    EXPECT_EQ(seen.blocks["index"].from, Names{}) << flags;
  }
}

TEST(Sources, reach_the_recorder_once_for_each_linked_module) {
  Workshop workshop;
  std::string library =
      workshop.instrument("libpart.so", "-O2 -fPIC -shared -DWRITE=write_in_library -DINDEXED", {"part_other.c"});
  std::string other =
      workshop.compile("other.o", plugin_flag() + " -O2 -c -DWRITE=write_in_other_file -DINDEXED", {"part_other.c"});
  for (const std::string linker : {"", "-ffunction-sections -Wl,--gc-sections", "-fuse-ld=lld -Wl,--gc-sections"}) {
    if (linker.contains("lld") && run("command -v ld.lld-19 ld.lld").status != 0) continue;
    std::string program = workshop.instrument("program", "-O2 -Wl,-rpath," + workshop.path("") + " " + linker,
                                              {"part_main.c", other, library});
    Recording seen = record_program(program);
    EXPECT_EQ(seen.sums["modules"], 2U) << linker;
    EXPECT_EQ(seen.blocks["other"].from, Names{"index"}) << linker;
    EXPECT_EQ(seen.blocks["library"].from, Names{"index"}) << linker;
  }
}

TEST(Sources, of_a_library_that_is_loaded_later_arrive_too) {
  Workshop workshop;
  workshop.instrument("libpart.so", "-O2 -fPIC -shared -DWRITE=write_in_library -DINDEXED", {"part_other.c"});
  std::string program = workshop.instrument("program", "-O2", {"part_loader.c"});
  Recording seen = record_program(program, workshop.path("libpart.so"));
  EXPECT_EQ(seen.blocks["library"].from, Names{"index"});
}

TEST(Sources, survive_link_time_optimisation) {
  if (run("command -v ld.lld-19 ld.lld").status != 0) GTEST_SKIP() << "no lld here";
  for (const std::string kind : {"full", "thin"}) {
    Recording seen = record("-O2 -fuse-ld=lld -flto=" + kind, {"sources.c"});
    EXPECT_EQ(seen.blocks["gathered"].from, Names{"index"}) << kind;
    EXPECT_EQ(seen.blocks["nodes"].from, Names{"nodes"}) << kind;
  }
}

TEST(Sources, stores_past_the_caches_are_marked) {
  for (const char* level : {"-O0", "-O2"}) {
    Recording seen = record(level, {"orders.c"});
    EXPECT_TRUE(seen.blocks["past"].nontemporal) << level;
    EXPECT_FALSE(seen.blocks["through"].nontemporal) << level;
  }
}

}  // namespace
}  // namespace lbhm::test
