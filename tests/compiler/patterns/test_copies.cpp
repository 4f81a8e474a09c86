// Are copies and fills that stand in no loop, or of which the optimiser made such, streams?
#include <gtest/gtest.h>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

const std::vector<Loop> copies{
    {"fill", "void fill(double* a, int n) { for (int i = 0; i < n; ++i) a[i] = 0; }", {"a: stream 1 write"}},
    {"copy_by_loop",
     "void copy_by_loop(double* restrict to, const double* restrict from, int n) {"
     " for (int i = 0; i < n; ++i) to[i] = from[i]; }",
     {"from: stream 1 read", "to: stream 1 write"}},
    {"moved_down",
     "void moved_down(char* a, int n) { __builtin_memmove(a, a + 100, n); }",
     {"a: stream 1 read", "a: stream 1 write"}},
    {"member",
     "struct table { int used; long* slots; };\n"
     "void member(struct table* t, int n) { t->used = 0; __builtin_memset(t->slots, 0, n * sizeof(long)); }",
     {"t->slots: stream 1 write"}},
    {"before_a_loop",
     "void before_a_loop(char* seen, const int* key, int n) { __builtin_memset(seen, 0, 4096);"
     " for (int i = 0; i < n; ++i) seen[key[i]] = 1; }",
     {"seen: stream 1 write", "seen: scatter write", "key: stream 4 read"}},
    {"structure",  // small ones are accesses as others
     "struct three { long x, y, z; };\n"
     "void structure(struct three* to, const struct three* from) { *to = *from; }",
     {}},
    {"on_the_stack",
     "void use(char*);\n"
     "void on_the_stack(void) { char a[5000]; __builtin_memset(a, 1, sizeof a); use(a); }",
     {}},
};

class CopiesAtFlags : public testing::TestWithParam<std::string> {};

TEST_P(CopiesAtFlags, copies) { expect_tables(copies, GetParam(), "c"); }

INSTANTIATE_TEST_SUITE_P(Copies, CopiesAtFlags, testing::ValuesIn(flag_sets()));

TEST(Copies, are_nests_without_loops) {
  auto nests = patterns_of("void f(char* a, int n) {\n __builtin_memset(a, 0, n); }", "-O2 -g")["nests"];
  ASSERT_EQ(nests.size(), 1U);
  EXPECT_TRUE(nests[0]["loops"].empty());
  EXPECT_EQ(nests[0]["line"], 2);
  auto access = nests[0]["accesses"][0];
  EXPECT_TRUE(access["loop"].is_null());
  EXPECT_EQ(access["type"], "bytes");
  EXPECT_EQ(access["element"], 1);
}

}  // namespace
}  // namespace lbhm::test
