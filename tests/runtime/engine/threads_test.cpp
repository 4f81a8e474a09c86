// Does the loop of the engine bear many threads at one time? The OpenMP runtime's part is played by std::threads, so
// that ThreadSanitizer understands who waits for whom.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "runtime/engine/engine.h"

/// The engine lives as long as its process, and the emulated machine keeps pointers where LeakSanitizer does not look.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }

namespace lbhm::engine {
namespace {

constexpr std::uint32_t team = 4;
constexpr Bytes object_bytes = KiB(256);

void be_lane(RegionInstance* region, std::uint32_t lane) {
  lane_begin(region, LaneId(lane), team);
  wait_begin(Wait::barrier, nullptr);
  wait_end(Wait::barrier, nullptr);
  wait_begin(Wait::join, nullptr);
  lane_end();
}

/// As libomp does it: the thread that forks is lane 0.
void run_region(const void* code) {
  RegionInstance* const region = region_begin(code);
  std::vector<std::thread> workers;
  for (std::uint32_t lane = 1; lane < team; ++lane) workers.emplace_back(be_lane, region, lane);
  be_lane(region, 0);
  for (std::thread& worker : workers) worker.join();
  region_end();
}

void run_with_many_threads(const std::string& policy, const std::string& report) {
  static const char first_region = 0, second_region = 0, site = 0;
  openmp_begins();
  ASSERT_TRUE(active());
  MemoryTraits traits;
  traits.managed = true;
  void* const object = allocate_object(object_bytes, KiB(4), traits);
  ASSERT_NE(object, nullptr);
  std::atomic<bool> stop{false};
  std::thread allocating([&] {
    while (!stop) {
      void* const other = allocate_object(KiB(64), KiB(4), traits);
      static_cast<volatile char*>(other)[0] = 1;
      release_object(other);
    }
  });
  std::thread planning([&] {  // a program may call LB_HM_config from any thread
    while (!stop) {
      const ConfiguredObject objects[] = {{.address = object, .bytes = object_bytes, .name = "object"}};
      EXPECT_NE(configure(&site, objects, {}), nullptr) << last_error();
      std::this_thread::yield();
    }
  });
  for (int round = 0; round < 30; ++round) run_region(round % 2 == 0 ? &first_region : &second_region);
  stop = true;
  allocating.join();
  planning.join();
  release_object(object);
  finish();
  std::stringstream written;
  written << std::ifstream(report).rdbuf();
  EXPECT_NE(written.str().find("\"policy\": \"" + policy + "\""), std::string::npos);
}

class EngineThreads : public testing::TestWithParam<const char*> {};

/// In a process of its own: there is one engine a process, with one policy, and it ends with it. Started anew
/// ("threadsafe"), since ThreadSanitizer bears no threads after a fork alone.
TEST_P(EngineThreads, PlansRegionsAndObjectsOfManyThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const std::string report =
      testing::TempDir() + "engine_threads_" + std::to_string(getpid()) + "_" + GetParam() + ".json";
  setenv("LBHM_MACHINE", LBHM_TEST_MACHINE, 1);
  setenv("LBHM_FAST_CAPACITY", "512K", 1);
  setenv("LBHM_POLICY", GetParam(), 1);
  setenv("LBHM_REPORT", report.c_str(), 1);
  const auto run = [&] {
    run_with_many_threads(GetParam(), report);
    std::filesystem::remove(report);
    std::exit(HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

INSTANTIATE_TEST_SUITE_P(Policies, EngineThreads, testing::Values("lbhm", "merchandiser", "memtis", "tpp", "sicm"),
                         [](const auto& chosen) { return std::string(chosen.param); });

}  // namespace
}  // namespace lbhm::engine
