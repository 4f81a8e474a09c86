// Do instrumented programs still do what they did, and can they be recognised?
#include <gtest/gtest.h>

#include <fstream>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {
namespace {

bool has_record(const std::string& file) {
  return run("readelf -SW " + file + " | grep -q '[.]lbhm[.]module'").status == 0;
}

TEST(Programs, run_alone_and_under_the_recorder_as_without_the_plugin) {
  Workshop workshop;
  Output plain = run(workshop.compile("plain", "-O1", {"control.c"}));
  ASSERT_EQ(plain.status, 0);
  for (const std::string level : {"-O0", "-O1", "-O2", "-O3"}) {
    std::string program = workshop.compile("alone", plugin_flag() + " " + level, {"control.c"});
    Output alone = run(program);
    EXPECT_EQ(alone.status, 0);
    EXPECT_EQ(alone.text, plain.text) << level;
    EXPECT_EQ(run("LD_PRELOAD=" LBHM_RECORDER " " + program).text, plain.text) << level;
  }
}

TEST(Programs, run_alone_when_linked_statically) {
  Workshop workshop;
  Output plain = run(workshop.compile("plain", "-O1", {"control.c"}));
  Output alone = run(workshop.compile("alone", plugin_flag() + " -O2 -static", {"control.c"}));
  EXPECT_EQ(alone.status, 0);
  EXPECT_EQ(alone.text, plain.text);
}

TEST(Programs, are_recognised_even_when_stripped) {
  Workshop workshop;
  std::string program =
      workshop.compile("program", plugin_flag() + " -O2 -ffunction-sections -Wl,--gc-sections -s", {"control.c"});
  EXPECT_TRUE(has_record(program));
  EXPECT_EQ(run("strip --strip-all " + program).status, 0);
  EXPECT_TRUE(has_record(program));
  EXPECT_EQ(run(program).status, 0);
  EXPECT_FALSE(has_record(workshop.compile("plain", "-O2", {"control.c"})));
}

TEST(Programs, of_several_files_and_a_library_are_seen_whole) {
  Workshop workshop;
  std::string library =
      workshop.compile("libpart.so", plugin_flag() + " -O2 -fPIC -shared -DWRITE=write_in_library", {"part_other.c"});
  std::string other =
      workshop.compile("other.o", plugin_flag() + " -O2 -c -DWRITE=write_in_other_file", {"part_other.c"});
  std::string program =
      workshop.instrument("program", "-O2 -Wl,-rpath," + workshop.path(""), {"part_main.c", other, library});
  Recording seen = record_program(program);
  for (const char* name : {"here", "other", "library"}) EXPECT_EQ(seen.blocks[name].writes, every(0, 9)) << name;
  EXPECT_EQ(seen.sums["threads"], 2U) << "one buffer for the program, one for the library";
}

TEST(Programs, can_be_built_with_link_time_optimisation) {
  for (const char* kind : {"full", "thin"}) {
    Workshop workshop;
    std::string flags = std::string("-O2 -fuse-ld=lld -flto=") + kind;
    if (run("command -v ld.lld-19 ld.lld").status != 0) GTEST_SKIP() << "no lld here";
    std::string program = workshop.instrument("program", flags, {"stream.c"});
    Recording seen = record_program(program);
    EXPECT_EQ(seen.blocks["a"].writes, every(0, 113)) << kind;
    EXPECT_EQ(seen.blocks["b"].reads, every(0, 113)) << kind;
    EXPECT_TRUE(has_record(program));
  }
}

TEST(Programs, are_the_same_in_every_build) {
  Workshop workshop;
  std::string first = workshop.compile("first.o", plugin_flag() + " -c -O2", {"patterns.c"});
  std::string second = workshop.compile("second.o", plugin_flag() + " -c -O2", {"patterns.c"});
  EXPECT_EQ(run("cmp " + first + " " + second).status, 0);
}

TEST(Programs, with_much_of_the_standard_library_are_valid_and_right) {
  Workshop workshop;
  std::string source = workshop.path("library.cpp");
  std::ofstream(source) << R"(
#include <algorithm>
#include <cstdio>
#include <future>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>
int main() {
  std::map<std::string, int> words;
  std::string text = "the cat the dog a cat of the house";
  std::regex word("[a-z]+");
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) ++words[at->str()];
  std::vector<int> numbers(1000);
  for (int i = 0; i < 1000; ++i) numbers[i] = i * 7919 % 1000;
  std::sort(numbers.begin(), numbers.end());
  auto later = std::async(std::launch::async, [&] { try { return numbers.at(5000); } catch (std::out_of_range&) { return -1; } });
  std::unordered_map<int, std::string> names;
  for (int i : numbers) names[i] = std::to_string(i);
  std::printf("%d %d %d %s\n", words["the"], numbers[500], later.get(), names[77].c_str());
})";
  for (const std::string level : {"-O0", "-O2"}) {
    std::string program = workshop.compile("program", plugin_flag() + " -lstdc++ -lm -pthread " + level, {source});
    EXPECT_EQ(run(program).text, "3 500 -1 77\n") << level;
    EXPECT_EQ(run("LD_PRELOAD=" LBHM_RECORDER " " + program).text, "3 500 -1 77\n") << level;
  }
}

}  // namespace
}  // namespace lbhm::test
