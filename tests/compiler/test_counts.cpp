// Are instructions, accesses, vectors, branches and mispredictions those of the program's own code?
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {
namespace {

const std::string scalar = " -fno-vectorize -fno-slp-vectorize";

TEST(Counts, accesses_do_not_depend_on_the_level) {
  for (const char* level : {"-O0", "-O1", "-O2", "-O3"}) {
    Recording seen = record(level + scalar, {"stream.c"});
    EXPECT_EQ(seen.sums["accesses"], 3U * 900) << level << ": two loads and a store for each element";
    EXPECT_EQ(seen.sums["vectors"], 0U) << level;
  }
}

TEST(Counts, vectors_are_counted_and_save_accesses) {
  Recording seen = record("-O2", {"stream.c"});
  EXPECT_GE(seen.sums["accesses"], 3U * 900 / 2);
  EXPECT_LE(seen.sums["accesses"], 3U * 900 / 2 + 16);
  EXPECT_GE(seen.sums["vectors"], seen.sums["accesses"]) << "every vector access is a vector instruction";
  EXPECT_GT(seen.sums["instructions"], seen.sums["vectors"]);
}

TEST(Counts, branches_are_those_of_the_program) {
  Recording seen = record("-O1 -fno-unroll-loops", {"counts.c"});
  EXPECT_EQ(seen.sums["accesses"], 1000U);
  // The loop's own branch and the one in it.
  EXPECT_GE(seen.sums["branches"], 2000U);
  EXPECT_LE(seen.sums["branches"], 2010U);
  // It repeats every ten iterations, which the predictor's history just holds.
  EXPECT_LE(seen.sums["mispredictions"], 40U);
}

TEST(Counts, operations_whose_order_matters_come_in_order) {
  for (const char* level : {"-O1", "-O2"}) {  // -O0 keeps even a result that nobody asked for
    Recording seen = record(level, {"orders.c"});
    EXPECT_EQ(seen.sums["orders"], 40U) << level << ": the ticket, the lock, the flag's load and its store, ten times";
    EXPECT_EQ(seen.sums["order_ends"], 40U) << level;
    EXPECT_EQ(seen.blocks["shared"].writes, every(0, 0)) << level;
  }
}

TEST(Counts, loops_that_wait_for_a_store_look_in_order) {
  for (const char* level : {"-O1", "-O2"}) {
    EXPECT_EQ(record(level, {"looks.c"}).sums["orders"], 20U) << level << ": one look each of two loops, ten times";
  }
}

TEST(Counts, exceptions_keep_what_was_counted_and_pushed) {
  for (const char* level : {"-O0", "-O1", "-O2"}) {
    Recording seen = record("-lstdc++ " + std::string(level), {"exceptions.cpp"});
    // Three reads and a write a call; each second one throws an int (a store) and catches it (a load).
    EXPECT_EQ(seen.sums["accesses"], 1000U * 4 + 500 * 2) << level;
    EXPECT_EQ(seen.blocks["from"].reads, every(0, 999)) << level;
    EXPECT_EQ(seen.blocks["to"].writes, every(0, 999)) << level;
  }
}

/// What the processor dispatches for one run through the function's longest loop: its instructions; a comparison and
/// the jump behind it are one.
unsigned dispatched_in_loop(const std::string& listing) {
  static const std::regex line(R"(\s*([0-9a-f]+):\s+(\S+)\s*(.*))");
  static const std::regex fuses("cmp[bwlq]?|test[bwlq]?|add[bwlq]|sub[bwlq]|inc[bwlq]|dec[bwlq]|and[bwlq]");
  std::vector<std::uint64_t> at;
  unsigned longest = 0;
  std::vector<bool> fused;  // with the instruction in front of it
  std::string before;
  std::stringstream stream(listing);
  for (std::string text; std::getline(stream, text);) {
    std::smatch parts;
    if (!std::regex_match(text, parts, line)) continue;
    at.push_back(std::stoull(parts[1], nullptr, 16));
    bool jump = parts[2].str().front() == 'j';
    fused.push_back(jump && parts[2] != "jmp" && std::regex_match(before, fuses));
    before = parts[2];
    if (!jump) continue;
    auto target = std::find(at.begin(), at.end(), std::stoull(parts[3], nullptr, 16)) - at.begin();
    if (static_cast<std::size_t>(target) == at.size()) continue;
    auto length = at.size() - target - std::count(fused.begin() + target, fused.end(), true);
    longest = std::max(longest, static_cast<unsigned>(length));
  }
  return longest;
}

TEST(Counts, instructions_are_those_of_the_machine_code) {
  Workshop workshop;
  if (run("command -v llvm-objdump-19").status != 0) GTEST_SKIP() << "no llvm-objdump-19 here";
  if (run(LBHM_CLANG " -dumpmachine").text.rfind("x86_64", 0) != 0) GTEST_SKIP() << "not x86";
  for (const std::string flags : {"-O2 -fno-vectorize -fno-unroll-loops", "-O2"}) {
    std::string plain = workshop.compile("plain.o", "-c " + flags, {"loops.c"});
    std::string program = workshop.instrument("program", flags, {"loops.c"});
    for (const std::string loop :
         {"triad", "dot", "stencil", "gather", "histogram", "energy", "hash", "largest", "divide", "differences"}) {
      Output code = run("llvm-objdump-19 -d --no-show-raw-insn --disassemble-symbols=" + loop + " " + plain);
      Recording seen = record_program(program, loop);
      double counted = static_cast<double>(seen.sums["instructions"]) / static_cast<double>(seen.sums["branches"]);
      double machine = dispatched_in_loop(code.text);
      EXPECT_NEAR(counted / machine, 1, 0.15) << loop << " at " << flags << ": " << machine << " instructions";
      EXPECT_GE(seen.sums["slots"] + 4 * seen.sums["chain"], seen.sums["instructions"]) << loop;
    }
  }
}

}  // namespace
}  // namespace lbhm::test
