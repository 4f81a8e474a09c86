#include "emulator/description/preset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace lbhm::emulator {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

Json optane() {
  std::ifstream stream(LBHM_TEST_PRESETS "/optane.json");
  return Json::parse(std::string{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()});
}

/// The same with the formula in place of its curves.
Json by_formula() {
  Json json = optane();
  for (Json& tier : json["tiers"]) {
    tier.erase("curves");
    tier["loaded_latency_ratio"] = {{"value", 2}, {"source", "made up"}};
  }
  return json;
}

std::string complaint_about(const Json& json) {
  const auto machine = parse_machine(json.dump(), "m.json");
  if (machine) return "accepted";
  EXPECT_EQ(machine.error().code(), StatusCode::malformed);
  return machine.error().message();
}

TEST(Preset, OptaneIsThePapersMachine) {
  const auto machine = load_machine("optane", LBHM_TEST_PRESETS);
  ASSERT_TRUE(machine) << machine.error().message();
  const auto& tiers = machine->topology.tiers;
  ASSERT_EQ(tiers.size(), 2u);
  EXPECT_NEAR(tiers[1].latency_sequential / tiers[0].latency_sequential, 2.08, 0.01);
  EXPECT_NEAR(tiers[1].latency_random / tiers[0].latency_random, 3.77, 0.01);
  EXPECT_NEAR(tiers[0].read_bandwidth / tiers[1].read_bandwidth, 3.87, 0.01);
  EXPECT_NEAR(tiers[0].write_bandwidth / tiers[1].write_bandwidth, 4.74, 0.01);
  EXPECT_EQ(tiers[0].capacity, GiB(192));
  EXPECT_EQ(machine->core.llc.sets, 128u);
  EXPECT_EQ(machine->core.llc.ways, 11u);
  EXPECT_FALSE(machine->core.llc_shared);
  EXPECT_EQ(machine->core.tlb.sets * machine->core.tlb.ways, 1536u);
  EXPECT_EQ(machine->topology.tiers[1].granularity, Bytes(256));
  EXPECT_EQ(machine->sample_period, 127u);
  EXPECT_NEAR(static_cast<double>(machine->quantum), 43'478'261, 1);
}

TEST(Preset, BrokenJsonNamesTheFile) {
  const auto machine = parse_machine("{\"schema\": ", "broken.json");
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code(), StatusCode::malformed);
  EXPECT_THAT(machine.error().message(), AllOf(HasSubstr("broken.json"), HasSubstr("not valid JSON")));
  EXPECT_THAT(parse_machine("[]", "list.json").error().message(), AllOf(HasSubstr("list.json"), HasSubstr("object")));
}

std::string fingerprint_of(const Json& json) {
  const auto machine = parse_machine(json.dump(), "m.json");
  return machine ? machine->topology.fingerprint : machine.error().message();
}

TEST(Preset, TheFingerprintIsOfWhatTheMachineDoes) {
  const std::string original = fingerprint_of(optane());
  EXPECT_THAT(original, testing::MatchesRegex("[0-9a-f]{16}"));
  Json same = optane();
  same["name"] = same["description"] = same["tiers"][0]["name"] = "other words";
  same["core"]["dispatch_width"] = {{"source", "read again"}, {"value", 4.0}};
  EXPECT_EQ(fingerprint_of(same), original);
  for (const char* number : {"/core/frequency_ghz/value", "/tiers/0/latency_random_ns/value",
                             "/tiers/1/latency_random_ns/value", "/sampling/cost_ns/value"}) {
    Json other = optane();
    other[Json::json_pointer(number)] = other[Json::json_pointer(number)].get<double>() * 1.01;
    EXPECT_THAT(fingerprint_of(other), testing::AllOf(testing::Ne(original), testing::SizeIs(16))) << number;
  }
  Json shared = optane();
  shared["caches"]["llc"]["sharing"] = "shared";
  EXPECT_NE(fingerprint_of(shared), original);
}

TEST(Preset, EveryKeyMustBeThere) {
  const Json complete = by_formula();
  const Json flat = complete.flatten();
  std::size_t tried = 0;
  for (const auto& item : flat.items()) {
    const Json::json_pointer pointer(item.key());
    if (item.key() == "/$schema") continue;
    Json json = complete;
    json[pointer.parent_pointer()].erase(pointer.back());
    EXPECT_THAT(complaint_about(json), AllOf(HasSubstr("m.json"), HasSubstr(pointer.back() + " is missing")))
        << item.key();
    ++tried;
  }
  EXPECT_GT(tried, 80u);
}

struct BadValue {
  const char* pointer;
  const char* value;  // JSON
  const char* complaint;
};

class BadValues : public testing::TestWithParam<BadValue> {};

TEST_P(BadValues, AreNamedWithWhatWasExpected) {
  Json json = by_formula();
  json[Json::json_pointer(GetParam().pointer)] = Json::parse(GetParam().value);
  EXPECT_THAT(complaint_about(json), AllOf(HasSubstr("m.json"), HasSubstr(GetParam().complaint)));
}

INSTANTIATE_TEST_SUITE_P(
    Preset, BadValues,
    testing::Values(
        BadValue{"/schema", "\"lbhm.machine/1\"", "schema must be \"lbhm.machine/3\""},
        BadValue{"/name", "7", "name must be a text"}, BadValue{"/name", "\"\"", "name must be a text"},
        BadValue{"/tiers", "[]", "tiers must be a list of 1 to 8"},
        BadValue{"/tiers", "{}", "tiers must be a list of 1 to 8"},
        BadValue{"/tiers/1", "3", "tiers[1] must be an object"},
        BadValue{"/tiers/1/read_bandwidth_gb_per_s/value", "0", "tiers[1].read_bandwidth_gb_per_s.value is 0"},
        BadValue{"/tiers/0/latency_random_ns/value", "-81", "tiers[0].latency_random_ns.value is -81"},
        BadValue{"/tiers/0/capacity_bytes/value", "100", "tiers[0].capacity_bytes.value is 100"},
        BadValue{"/core/frequency_ghz/value", "\"2.3\"", "core.frequency_ghz.value must be a number"},
        BadValue{"/core/frequency_ghz", "2.3", "core.frequency_ghz must be an object"},
        BadValue{"/core/fill_buffers/value", "65", "core.fill_buffers.value is 65; it must be from 1 to 64"},
        BadValue{"/core/reorder_window/value", "2.5", "core.reorder_window.value must be a whole number"},
        BadValue{"/caches/l2/bytes/value", "98304", "caches.l2.bytes is 98304; it must be 64 bytes x 16 ways"},
        BadValue{"/caches/l1/ways/value", "32", "caches.l1.ways.value is 32"},
        BadValue{"/prefetcher/distance/value", "32", "prefetcher.distance.value is 32; it must be from 0 to 31"},
        BadValue{"/quantum_cycles/value", "0", "quantum_cycles.value is 0"},
        BadValue{"/sampling/period/value", "0", "sampling.period.value is 0"},
        BadValue{"/caches/llc/sharing", "\"half\"", "caches.llc.sharing must be \"slice\" or \"shared\""},
        BadValue{"/caches/llc/bytes/value", "90113", "caches.llc.bytes is 90113; it must be 64 bytes x 11 ways"},
        BadValue{"/caches/l1/bytes/value", "0", "caches.l1.bytes.value is 0"},
        BadValue{"/caches/l2/latency_cycles/value", "2", "caches.l2.latency_cycles.value is 2; it must be from 4"},
        BadValue{"/core/write_buffer/value", "0", "core.write_buffer.value is 0; it must be from 1 to 128"},
        BadValue{"/tlb/entries/value", "0", "tlb.entries.value is 0"},
        BadValue{"/tlb/entries/value", "1000", "tlb.entries is 1000; it must be 12 ways x a power of two"},
        BadValue{"/tiers/0/capacity_bytes/value", "0", "tiers[0].capacity_bytes.value is 0"},
        BadValue{"/tiers/0/loaded_latency_ratio/value", "0.5", "tiers[0].loaded_latency_ratio.value is 0.5"},
        BadValue{"/tiers/1/granularity_bytes/value", "192", "tiers[1].granularity_bytes is 192; it must be 64 or"},
        BadValue{"/tiers/1/buffer_bytes/value", "128", "tiers[1].buffer_bytes is 128; it must be room for a block"},
        BadValue{"/tiers/0/buffer_bytes/value", "4096", "tiers[0].buffer_bytes is 4096; it must be 0"},
        BadValue{"/migration/copy_bandwidth_gb_per_s/value", "0", "migration.copy_bandwidth_gb_per_s.value is 0"},
        BadValue{"/observation/scan_pte_ns/value", "-1", "observation.scan_pte_ns.value is -1"},
        BadValue{"/sampling/period/source", "\"  \"", "sampling.period.source must be a text that is not blank"},
        BadValue{"/tiers/0/name", "\" \"", "tiers[0].name must be a text that is not blank"},
        BadValue{"/sampling/perod", "1", "sampling.perod is not a key"}));

/// Curves of the fast tier alone.
Json with_curves() {
  Json json = by_formula();
  json["tiers"][0].erase("loaded_latency_ratio");
  json["tiers"][0]["write_bandwidth_gb_per_s"]["value"] = 80;
  json["tiers"][0]["curves"] = Json::parse(R"({"source": "made up", "uses": [0.5, 1], "rows": [
    {"read_percent": 50, "bandwidth_gb_per_s": 80, "latency_ratios": [1.5, 3]},
    {"read_percent": 100, "bandwidth_gb_per_s": 104, "latency_ratios": [1.2, 2]}]})");
  return json;
}

TEST(Preset, CurvesAreReadAndTheFingerprintKnowsThem) {
  const auto machine = parse_machine(with_curves().dump(), "m.json");
  ASSERT_TRUE(machine) << machine.error().message();
  const auto& curves = machine->detail(0).curves;
  ASSERT_TRUE(curves);
  EXPECT_DOUBLE_EQ(curves->bandwidth(0.75), 92);
  EXPECT_DOUBLE_EQ(curves->latency(1, 0.5), 3);
  EXPECT_FALSE(machine->detail(1).curves);
  Json other = with_curves();
  other["tiers"][0]["curves"]["rows"][1]["latency_ratios"][0] = 1.3;
  EXPECT_NE(fingerprint_of(other), machine->topology.fingerprint);
}

TEST(Preset, AFileOfSchema2HasNoCurves) {
  Json json = with_curves();
  json["schema"] = "lbhm.machine/2";
  EXPECT_THAT(complaint_about(json), HasSubstr("tiers[0].curves is a key of lbhm.machine/3"));
}

TEST(Preset, ATierWithoutARatioMayHaveCurves) {
  Json json = by_formula();
  json["tiers"][1].erase("loaded_latency_ratio");
  EXPECT_THAT(complaint_about(json), HasSubstr("tiers[1] has no curves, and loaded_latency_ratio is missing"));
}

TEST(Preset, BandwidthsAreThoseOfTheCurvesButForTheirFifthDigit) {
  Json json = with_curves();
  json["tiers"][0]["read_bandwidth_gb_per_s"]["value"] = 104.05;
  EXPECT_EQ(complaint_about(json), "accepted");
}

TEST(Preset, AKeyThatIsGivenTwiceIsNamedWithItsPlace) {
  const std::string text = with_curves().dump();
  const auto complaint = [&](std::string_view before, std::string_view more) {
    std::string twice = text;
    twice.insert(twice.find(before), more);
    return parse_machine(twice, "m.json").error().message();
  };
  EXPECT_EQ(complaint("\"core\"", R"("core": {}, )"),
            "machine file m.json: core is given twice; remove one of the two");
  EXPECT_THAT(complaint(R"("latency_ratios":[1.2)", R"("latency_ratios": [1, 1], )"),
              HasSubstr("tiers[0].curves.rows[1].latency_ratios is given twice"));
}

class BadCurves : public testing::TestWithParam<BadValue> {};

TEST_P(BadCurves, AreNamedWithWhatWasExpected) {
  Json json = with_curves();
  json["tiers"][0][Json::json_pointer(GetParam().pointer)] = Json::parse(GetParam().value);
  EXPECT_THAT(complaint_about(json), AllOf(HasSubstr("m.json: tiers[0]"), HasSubstr(GetParam().complaint)));
}

INSTANTIATE_TEST_SUITE_P(
    Preset, BadCurves,
    testing::Values(
        BadValue{"/curves/uses", "[1, 0.5]", "curves.uses[1] is 0.5; it must be above 1, which stands before it"},
        BadValue{"/curves/uses", "[0.5, 0.9]", "curves.uses[1] is 0.9; the last use must be 1"},
        BadValue{"/curves/uses/1", "1.5", "curves.uses[1] is 1.5"},
        BadValue{"/curves/rows", "[]", "curves.rows must be a list of 1 to 64"},
        BadValue{"/curves/rows/1/read_percent", "50",
                 "curves.rows[1].read_percent is 50; it must be above 50, which stands in the row before"},
        BadValue{"/curves/rows/1/read_percent", "101", "curves.rows[1].read_percent is 101"},
        BadValue{"/curves/rows/0/bandwidth_gb_per_s", "0", "curves.rows[0].bandwidth_gb_per_s is 0"},
        BadValue{
            "/curves/rows/0/latency_ratios", "[1]",
            "curves.rows[0].latency_ratios is a list of 1; it must be a list of 2, one for each of the curves' uses"},
        BadValue{"/curves/rows/0/latency_ratios/0", "0.9", "latency_ratios[0] is 0.9"},
        BadValue{"/curves/rows/0/latency_ratios/0", "4",
                 "curves.rows[0].latency_ratios[1] is 3; it must be 4, which stands before it, or more"},
        BadValue{"/curves/rows/1/latency_ratios", "7", "rows[1].latency_ratios must be a list of 2"},
        BadValue{"/curves/source", "\" \\t\"", "curves.source must be a text that is not blank"},
        BadValue{"/read_bandwidth_gb_per_s/value", "52",
                 "read_bandwidth_gb_per_s is 52; it must be 104, as the last row of the tier's curves has it"},
        BadValue{"/write_bandwidth_gb_per_s/value", "104",
                 "write_bandwidth_gb_per_s is 104; it must be 80, as the first row"},
        BadValue{"/curves/rows/0/bandwidth_gb_per_s", "79", "write_bandwidth_gb_per_s is 80; it must be 79"},
        BadValue{"/curves/source", "\"\"", "curves.source must be a text that is not empty"},
        BadValue{"/curves/speed", "1", "curves.speed is not a key"},
        BadValue{"/loaded_latency_ratio", "{\"value\": 2, \"source\": \"x\"}",
                 "loaded_latency_ratio is what the tier's curves say"}));

TEST(Preset, AnUnknownNameListsThoseThatExist) {
  const auto machine = load_machine("optain", LBHM_TEST_PRESETS);
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().code(), StatusCode::not_found);
  EXPECT_THAT(machine.error().message(), AllOf(HasSubstr("\"optain\""), HasSubstr(" has: "), HasSubstr(", optane,")));
  EXPECT_THAT(machine.error().message(), testing::Not(HasSubstr("schema")));
}

TEST(Preset, APathIsReadAsAPath) {
  EXPECT_TRUE(load_machine(LBHM_TEST_PRESETS "/optane.json", "/nowhere"));
  const auto missing = load_machine("./missing.json", LBHM_TEST_PRESETS);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), StatusCode::not_found);
  EXPECT_THAT(missing.error().message(), HasSubstr("./missing.json"));
}

}  // namespace
}  // namespace lbhm::emulator
