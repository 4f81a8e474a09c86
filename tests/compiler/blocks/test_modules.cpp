// Do counters find their way to the runtime from every kind of program, and do modules keep their numbers?
#include <gtest/gtest.h>

#include <fstream>

#include "tests/compiler/blocks/block_counters_view.h"

namespace lbhm::test {
namespace {

const std::string plugin = "-fpass-plugin=" + counting;

std::string write(const Workshop& workshop, const std::string& name, const std::string& text) {
  std::ofstream(workshop.path(name)) << text;
  return workshop.path(name);
}

const std::string part = "int part(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i * i % 7; return s; }";

TEST(BlockModules, of_several_files_and_a_library_are_all_there) {
  Workshop workshop;
  const std::string library = workshop.compile("libpart.so", plugin + " -O2 -fPIC -shared",
                                               {write(workshop, "library.c", "int twice(int n) { return 2 * n; }")});
  const std::string other = workshop.compile("other.o", plugin + " -O2 -c", {write(workshop, "other.c", part)});
  const std::string main = write(workshop, "main.c",
                                 "int part(int); int twice(int);\n"
                                 "int main(void) { return part(twice(5)) + part(3) == 0; }");
  const Counters seen = count_program(
      workshop.compile("program", plugin + " -O2 -Wl,-rpath," + workshop.path("") + " " + block_recorder_flags(),
                       {main, other, library}));
  EXPECT_EQ(seen.modules.size(), 3U);
  EXPECT_EQ(seen.calls("main"), 1U);
  EXPECT_EQ(seen.calls("part"), 2U);
  EXPECT_EQ(seen.calls("twice"), 1U);
}

TEST(BlockModules, come_and_go_with_dlopen) {
  Workshop workshop;
  const std::string library =
      workshop.compile("libpart.so", plugin + " -O2 -fPIC -shared", {write(workshop, "part.c", part)});
  const std::string main = write(workshop, "main.c", R"(
#include <dlfcn.h>
int main(int n, char** words) {
  for (int i = 0; i < 3; ++i) {
    void* library = dlopen(words[1], RTLD_NOW);
    if (!library) return 1;
    for (int k = 0; k <= i; ++k) ((int (*)(int))dlsym(library, "part"))(10);
    dlclose(library);
  }
  return 0;
})");
  const std::string program = workshop.compile("program", plugin + " -O2 " + block_recorder_flags(), {main});
  const Counters seen = count_program(program + " " + library);
  std::vector<std::uint64_t> calls;
  for (const Counter& each : seen.of("part")) {
    if (each.depth == 0 && each.per_call == 1) calls.push_back(each.count);
  }
  EXPECT_EQ(calls, (std::vector<std::uint64_t>{1, 2, 3}));
}

TEST(BlockModules, run_alone_static_and_with_link_time_optimisation) {
  Workshop workshop;
  const std::string main = write(workshop, "main.c", part + "int main(void) { return part(100) == 0; }");
  for (const char* how :
       {"-O2", "-O2 -static", "-O2 -flto -fuse-ld=lld", "-O2 -ffunction-sections -Wl,--gc-sections -s"})
    EXPECT_EQ(run(workshop.compile("program", plugin + " " + how, {main})).status, 0) << how;
  const Counters seen = count(counting, "-O1 -flto -fuse-ld=lld -Wl,--gc-sections -s -fno-inline", {main});
  EXPECT_EQ(seen.calls("part"), 1U);
}

TEST(BlockModules, keep_their_number_until_the_code_changes) {
  Workshop workshop;
  const auto number = [&](const std::string& text, const std::string& flags) {
    const Counters seen = count(counting, flags, {write(workshop, "main.c", text)});
    return seen.modules.empty() ? "none" : seen.modules.front();
  };
  const std::string text = "int main(int n, char** words) { return n > 5 ? n * 3 : 0; }";
  const std::string first = number(text, "-O1");
  EXPECT_EQ(number(text, "-O1"), first);
  EXPECT_EQ(number(text, "-O1 -g"), first) << "debug information is no code";
  EXPECT_NE(number("int main(int n, char** words) { return n > 5 ? n / 3 + n % 7 : 0; }", "-O1"), first);
}

TEST(BlockModules, are_the_same_in_every_build) {
  Workshop workshop;
  const std::string first = workshop.compile("first.o", plugin + " -c -O2", {"blocks.cpp"});
  const std::string second = workshop.compile("second.o", plugin + " -c -O2", {"blocks.cpp"});
  EXPECT_EQ(run("cmp " + first + " " + second).status, 0);
}

TEST(BlockModules, do_not_make_a_program_one_for_the_emulated_machine) {
  Workshop workshop;
  const std::string program =
      workshop.compile("program", plugin + " -O2 -lstdc++ -pthread " + block_recorder_flags(), {"blocks.cpp"});
  EXPECT_NE(run("readelf -SW " + program + " | grep -q '[.]lbhm[.]module'").status, 0);
  EXPECT_EQ(run("readelf -SW " + program + " | grep -q ' lbhm_blocks '").status, 0);
}

}  // namespace
}  // namespace lbhm::test
