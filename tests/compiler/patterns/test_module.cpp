// Is a module's text what docs/patterns.md says, and does it survive the ways in which programs are built?
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

const std::string loop =
    "double f(const double* a, const float* b, int n) {\n"
    "  double s = 0;\n"
    "  for (int i = 0; i < n; i += 2)\n"
    "    s += a[i] * b[i];\n"
    "  return s;\n"
    "}\n";

std::string write(const Workshop& workshop, const std::string& name, const std::string& text) {
  std::ofstream(workshop.path(name)) << text;
  return workshop.path(name);
}

TEST(Module, says_which_source_it_is_of) {
  auto module = patterns_of(loop, "-O2 -g");
  EXPECT_EQ(module["schema"], "lbhm.patterns.module/1");
  EXPECT_TRUE(module["source"].get<std::string>().ends_with("loops.c"));
  EXPECT_EQ(module["source_hash"].get<std::string>().size(), 16U);
  EXPECT_EQ(module["id"].get<std::string>().size(), 11U) << "44 bits";
}

TEST(Module, keeps_a_folder_to_itself) {
  setenv("LBHM_PLUGIN_SOURCE_ROOT", std::filesystem::temp_directory_path().c_str(), 1);
  auto module = patterns_of(loop, "-O2");
  unsetenv("LBHM_PLUGIN_SOURCE_ROOT");
  EXPECT_TRUE(module["source"].get<std::string>().starts_with("lbhm-compiler-")) << module["source"];
  EXPECT_EQ(module["nests"][0]["file"], module["source"]);
  EXPECT_EQ(module["directory"], "");
  EXPECT_EQ(module["source_hash"].get<std::string>().size(), 16U) << "it was read all the same";
}

TEST(Module, says_where_and_how_often) {
  auto nest = patterns_of(loop, "-O2 -g")["nests"][0];
  EXPECT_EQ(nest["function"], "f");
  EXPECT_EQ(nest["line"], 3);
  EXPECT_EQ(nest["loops"][0]["trip"], "(n+1)/2");
  EXPECT_EQ(nest["bases"][0]["name"], "a");
  EXPECT_EQ(nest["bases"][1]["through"], "argument");
  auto access = nest["accesses"][1];
  EXPECT_EQ(access["base"], 1);
  EXPECT_EQ(access["line"], 4);
  EXPECT_EQ(access["type"], "float");
  EXPECT_EQ(access["element"], 4);
  EXPECT_EQ(access["stride"], 8);
  EXPECT_FALSE(access["write"]);
  EXPECT_GT(access["frequency"], 1.0);
}

TEST(Module, without_debug_information_lines_are_null) {
  auto nest = patterns_of(loop, "-O2")["nests"][0];
  EXPECT_TRUE(nest["line"].is_null());
  EXPECT_TRUE(nest["accesses"][0]["line"].is_null());
  EXPECT_EQ(nest["bases"][1]["name"], "argument 2");
  EXPECT_EQ(nest["loops"][0]["trip"], "(argument 3+1)/2");
}

TEST(Module, trips_are_in_terms_of_the_source) {
  auto trips = [](const std::string& loop) {
    auto nest = patterns_of("void f(double* a, int n, int m) { " + loop + " }", "-O2 -g")["nests"][0];
    return nest["loops"].back()["trip"];
  };
  EXPECT_EQ(trips("for (int i = 0; i < n; ++i) a[i] += 1;"), "n");
  EXPECT_EQ(trips("for (int i = 1; i < n - 1; ++i) a[i] += 1;"), "n-2");
  EXPECT_EQ(trips("for (int i = m; i < n; ++i) a[i] += 1;"), "n-m");
  EXPECT_EQ(trips("for (int i = 0; i < 300; ++i) a[i] += 1;"), "300");
  EXPECT_TRUE(trips("for (int i = 0; a[i] > 0; ++i) a[i] += 1;").is_null());
}

TEST(Module, another_source_has_another_id) {
  auto accesses = [] { return patterns_of(loop, "-O2 -g")["nests"][0]["accesses"]; };
  EXPECT_EQ(accesses(), accesses());
  EXPECT_NE(patterns_of(loop, "-O2 -g")["id"], patterns_of(loop + "\n", "-O2 -g")["id"]);
}

TEST(Module, without_loops_or_optimisation_there_is_none) {
  Workshop workshop;
  std::string none = write(workshop, "none.c", "int f(int* a) { return a[0]; }\n");
  EXPECT_TRUE(read_patterns(workshop.compile("none.o", plugin_flag() + " -c -O2", {none})).empty());
  std::string some = write(workshop, "some.c", loop);
  EXPECT_TRUE(read_patterns(workshop.compile("some.o", plugin_flag() + " -c -O0", {some})).empty());
}

TEST(Module, is_valid_where_calls_may_throw) {  // bases that such calls return, or that are chosen behind them
  Workshop workshop;
  const std::string flags = plugin_flag() + " -c -O3 -std=c++23 -fopenmp -I" LBHM_REPOSITORY "/include";
  for (const char* source : {"../common/line_reader", "csr", "matrices"}) {
    std::string file = LBHM_REPOSITORY "/apps/spgemm/" + std::string(source) + ".cpp";
    EXPECT_FALSE(read_patterns(workshop.compile("app.o", flags, {file})).empty()) << source;
  }
}

/// Two sources whose texts must both be in the program.
class Linked : public testing::TestWithParam<std::string> {};

TEST_P(Linked, keeps_the_texts_of_all_modules) {
  Workshop workshop;
  std::string one = write(workshop, "one.c", loop);
  std::string two = write(workshop, "two.c",
                          "double f(const double*, const float*, int);\ndouble a[100]; float b[100];\n"
                          "int main(int n, char** v) { (void)v; for (int i = 0; i < 100 * n; ++i) a[i] += b[99 - i];\n"
                          "  return f(a, b, 100) != 0; }\n");
  std::string program = workshop.compile("program", plugin_flag() + " -O2 -g " + GetParam(), {one, two});
  ASSERT_FALSE(program.empty());
  auto modules = read_patterns(program);
  ASSERT_EQ(modules.size(), 2U);
  EXPECT_NE(modules[0]["id"], modules[1]["id"]);
  EXPECT_EQ(run(program).status, 0) << "runs without liblbhm";
  ASSERT_EQ(run("strip " + program).status, 0);
  EXPECT_EQ(read_patterns(program).size(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Module, Linked,
                         testing::Values("", "-flto -fuse-ld=lld", "-flto=thin -fuse-ld=lld",
                                         "-ffunction-sections -fdata-sections -Wl,--gc-sections", "-static"));

}  // namespace
}  // namespace lbhm::test
