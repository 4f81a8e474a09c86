// Memory of programs that nobody changed: does it lie where a placement file says, by the kernel, and are no writes
// lost while it moves?
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "runtime/run.h"

namespace kernel_test {
namespace {

using Json = nlohmann::json;

const std::string heap = "/lib/liblbhm.so:/lib/liblbhm-heap.so";
const std::vector<std::string> kinds{"variable", "malloc", "new", "allocate", "module"};

Json read(const std::string& path) {
  std::ifstream file(path);
  return Json::parse(file, nullptr, false);
}

/// Which of `kinds` it is: each has a size of its own.
std::string kind_of(const Json& object) {
  const std::string name = object["name"];
  if (name.ends_with("variable") || name.ends_with("variableE")) return "variable";
  if (name.ends_with("Etable")) return "module";
  for (std::size_t kind = 1; kind < 4; ++kind)
    if (object["bytes"] == (kind + 4) << 20) return kinds[kind];
  return "";
}

/// The objects that the program has, by what they are.
std::map<std::string, Json> known_objects() {
  const Outcome done = run({"kernel-heap", "1", "1"},
                           {{"LD_PRELOAD", heap}, {"LBHM_POLICY", "first-touch"}, {"LBHM_USES", "uses.json"}});
  EXPECT_EQ(done.status, 0) << done.output;
  std::map<std::string, Json> found;
  for (const Json& object : read("uses.json")["objects"])
    if (const std::string kind = kind_of(object); !kind.empty()) found[kind] = object;
  return found;
}

/// 0 or 1, by turns; in odd phases the other way round.
int tier_of(std::size_t object, int phase) { return static_cast<int>((object + static_cast<std::size_t>(phase)) % 2); }

/// Where each object begins, and where it goes in each phase.
Json placement(const std::map<std::string, Json>& known, int phases) {
  Json file{{"schema", "lbhm.placement/2"}, {"page_bytes", 4096},      {"unmanaged_tier", 1},   {"whole", true},
            {"objects", Json::array()},     {"births", Json::array()}, {"moves", Json::array()}};
  for (int phase = 1; phase < phases; ++phase)
    file["moves"].push_back({{"call", phase}, {"phase", phase % 2 ? "odd" : "even"}, {"runs", Json::array()}});
  for (const auto& [kind, object] : known) {
    const std::size_t number = file["objects"].size();
    const std::size_t pages = (object["bytes"].get<std::size_t>() + 4095) / 4096;
    file["objects"].push_back({{"site", object["site"]}, {"nth", object["nth"]}, {"pages", pages}});
    file["births"].push_back({number, 0, pages, tier_of(number, 0)});
    for (int phase = 1; phase < phases; ++phase)
      file["moves"][static_cast<std::size_t>(phase) - 1]["runs"].push_back({number, 0, pages, tier_of(number, phase)});
  }
  return file;
}

Outcome run_placed(const Json& file, int phases, int passes, Environment settings) {
  std::ofstream("placement.json") << file;
  settings.insert({{"LD_PRELOAD", heap}, {"LBHM_POLICY", "h2m-phases"}, {"LBHM_PLACEMENT", "placement.json"}});
  Outcome done = run({"kernel-heap", std::to_string(phases), std::to_string(passes)}, settings);
  std::puts(done.output.c_str());
  EXPECT_EQ(done.status, 0);
  EXPECT_EQ(done.numbers["wrong"], 0);
  return done;
}

/// Pages at the ends of a variable may be another one's, too.
void expect_on(const Where& at, int tier, const std::string& what) {
  EXPECT_LE(tier == facts::fast ? at.slow : at.fast, 1) << what;
  EXPECT_GE(tier == facts::fast ? at.fast : at.slow, 1000) << what;
  EXPECT_EQ(at.absent, 0) << what;
}

TEST(Heap, EachObjectLiesWhereThePlacementHasIt) {
  constexpr int phases = 3;
  const auto known = known_objects();
  const bool fortran = known.contains("allocate");
  ASSERT_EQ(known.size(), fortran ? 5u : 3u);
  const Outcome done = run_placed(placement(known, phases), phases, 1, {{"LBHM_MOVE_TIME", "0"}});
  std::size_t number = 0;
  for (const auto& [kind, object] : known) {
    for (int phase = 0; phase < phases; ++phase) {
      const std::string moment = std::to_string(phase) + "-" + kind;
      if (phase > 0) expect_on(done.nodes.at("after-" + moment), tier_of(number, phase), "after-" + moment);
      expect_on(done.nodes.at("end-" + moment), tier_of(number, phase), "end-" + moment);
    }
    ++number;
  }
}

TEST(Heap, NoWriteIsLostWhileItMoves) {
  constexpr int phases = 8;
  const Json file = placement(known_objects(), phases);
  long moved = 0;
  // When pages move is a matter of time, and so of how busy the computer is: each further run is longer.
  for (int passes = 4; passes <= 32 && moved == 0; passes *= 2) {
    const Outcome done = run_placed(file, phases, passes, {{"LBHM_WITHOUT", "blocking"}});
    EXPECT_GE(done.numbers.at("writes"), 100'000'000);
    moved = done.numbers.at("moved-meanwhile");
  }
  EXPECT_GT(moved, 0) << "no page moved while it was written to";
}

/// hydro, under what lbhm optimize chose for a profile of it on an emulated machine (placement.py).
TEST(Heap, HydroLiesWhereTheOptimiserPutIt) {
  const Json file = read("/bin/hydro-placement.json");
  ASSERT_TRUE(file.is_object());
  std::vector<std::string> command = file["command"];
  command[0] = command[0].substr(command[0].rfind('/') + 1);
  const Outcome done = run(command, {{"LD_PRELOAD", "/lib/liblbhm-heap.so-births:" + heap},
                                     {"LBHM_POLICY", file["policy"]},
                                     {"LBHM_PLACEMENT", "/bin/hydro-placement.json"},
                                     {"LBHM_FAST_CAPACITY", std::to_string(file["capacity_bytes"][0].get<long>())},
                                     {"LBHM_ARENA_MINIMUM", "0"},
                                     {"LBHM_USES", "uses.json"}});
  ASSERT_EQ(done.status, 0) << done.output;
  std::map<std::pair<std::string, long>, long> placed;  // the number in the file of (site, n-th)
  for (const Json& object : file["objects"]) placed[{object["site"], object["nth"]}] = static_cast<long>(placed.size());
  std::set<long> begins_fast;
  for (const Json& birth : file["births"])
    if (birth[3] == 0) begins_fast.insert(birth[0].get<long>());
  long number = 0, fast = 0, elsewhere = 0;
  for (const Json& object : read("uses.json")["objects"]) {
    ASSERT_EQ(done.numbers.at("bytes-" + std::to_string(number)), object["bytes"].get<long>());
    const Where at = done.nodes.at("born-" + std::to_string(number++));
    const auto known = placed.find({object["site"], object["nth"].get<long>()});
    ASSERT_NE(known, placed.end()) << object;
    const bool is_fast = begins_fast.contains(known->second);
    fast += is_fast;
    elsewhere += is_fast ? at.slow : at.fast;
  }
  std::printf("hydro: %ld objects, %ld of them fast, %ld pages elsewhere than in the file\n", number, fast, elsewhere);
  EXPECT_EQ(number, static_cast<long>(placed.size()));
  EXPECT_EQ(fast, static_cast<long>(begins_fast.size()));
  EXPECT_GT(fast, 5);
  EXPECT_EQ(elsewhere, 0);
}

}  // namespace
}  // namespace kernel_test
