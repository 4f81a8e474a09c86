// Are the tiers read as lbhm machine measure wrote them, and is everything else refused with its key?
#include "runtime/host/tiers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace lbhm::host {
namespace {

using nlohmann::json;

json right() {
  return json::parse(R"({"schema": "lbhm.host/1", "kind": "host", "name": "host", "tiers": [
    {"name": "fast", "nodes": [0, 1], "capacity_bytes": 1, "latency_ns": 90.5, "read_bandwidth_gb_per_s": 130,
     "write_bandwidth_gb_per_s": 120.5},
    {"name": "slow", "nodes": [2], "capacity_bytes": 1, "latency_ns": null, "read_bandwidth_gb_per_s": 6,
     "write_bandwidth_gb_per_s": 1}]})");
}

class MeasuredTiers : public testing::Test {
 protected:
  ~MeasuredTiers() override { std::remove(file.c_str()); }

  Result<std::vector<MeasuredTier>> read(const std::string& text) const {
    std::ofstream(file) << text;
    return read_measured_tiers(file);
  }

  std::string file = testing::TempDir() + "lbhm-host-" + std::to_string(getpid()) + ".json";
};

TEST_F(MeasuredTiers, AreReadInTheirOrder) {
  const auto tiers = read(right().dump());
  ASSERT_TRUE(tiers) << tiers.error().message();
  ASSERT_EQ(tiers->size(), 2);
  EXPECT_THAT((*tiers)[0].nodes, testing::ElementsAre(0, 1));
  EXPECT_EQ((*tiers)[0].latency.value, 90.5);
  EXPECT_EQ((*tiers)[0].write_bandwidth.value, 120.5);
  EXPECT_EQ((*tiers)[1].name, "slow");
  EXPECT_EQ((*tiers)[1].latency.value, 0) << "not measured";
}

TEST_F(MeasuredTiers, AFileThatIsNotThere) {
  const auto tiers = read_measured_tiers("/nowhere/host.json");
  ASSERT_FALSE(tiers);
  EXPECT_EQ(tiers.error().code(), StatusCode::not_found);
  EXPECT_THAT(
      tiers.error().message(),
      testing::HasSubstr("/nowhere/host.json: cannot be read (No such file or directory); lbhm machine measure"));
}

TEST_F(MeasuredTiers, WhatIsWrongIsNamed) {
  const std::vector<std::pair<json::json_pointer, json>> wrong{
      {"/schema"_json_pointer, "lbhm.machine/2"},
      {"/kind"_json_pointer, "emulated"},
      {"/tiers"_json_pointer, json::array()},
      {"/tiers/0/name"_json_pointer, 1},
      {"/tiers/1/nodes"_json_pointer, json::array()},
      {"/tiers/1/nodes"_json_pointer, {-1}},
      {"/tiers/1/nodes"_json_pointer, {1024}},
      {"/tiers/1/nodes"_json_pointer, {2, 2}},
      {"/tiers/1/nodes"_json_pointer, {1}},
      {"/tiers/0/latency_ns"_json_pointer, -1},
      {"/tiers/0/read_bandwidth_gb_per_s"_json_pointer, "130"},
      {"/tiers/0/write_bandwidth_gb_per_s"_json_pointer, 0},
  };
  for (const auto& [key, value] : wrong) {
    json content = right();
    content[key] = value;
    const auto tiers = read(content.dump());
    ASSERT_FALSE(tiers) << key;
    EXPECT_EQ(tiers.error().code(), StatusCode::malformed);
    EXPECT_THAT(tiers.error().message(), testing::HasSubstr(key.back())) << key;
    EXPECT_THAT(tiers.error().message(), testing::HasSubstr("lbhm machine measure"));
  }
}

TEST_F(MeasuredTiers, NonsenseIsRefused) {
  for (const char* text : {"", "{", "[]", "null", R"({"schema": "lbhm.host/1", "kind": "host", "tiers": [1]})"}) {
    EXPECT_FALSE(read(text)) << text;
  }
}

}  // namespace
}  // namespace lbhm::host
