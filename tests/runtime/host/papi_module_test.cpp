// The real module with the PAPI that is installed: whatever this processor can count, nothing breaks.
#include <gtest/gtest.h>

#include "runtime/host/hardware_counters.h"
#include "runtime/host/modules.h"

/// What PAPI does not free is not ours.
extern "C" const char* __lsan_default_suppressions() { return "leak:libpapi"; }

namespace lbhm::host {
namespace {

TEST(PapiModule, CountsOrSaysWhyNot) {
  const auto entry = open_module(LBHM_MODULES, "liblbhm-papi.so", counter_module_entry, "libpapi7.0");
  ASSERT_TRUE(entry) << entry.error().message();
  Counters counters(reinterpret_cast<CounterModuleEntry>(*entry)());
  counters.thread_begins();
  const EventCounts before = counters.of_thread();
  volatile int work = 0;
  for (int i = 0; i < 1'000'000; ++i) work = work + 1;
  const EventCounts after = counters.of_thread();
  if (before.instructions < 0) {
    EXPECT_FALSE(counters.remarks().empty()) << "what is not counted must be told";
    EXPECT_LT(after.instructions, 0);
  } else {
    EXPECT_GT(after.instructions - before.instructions, 1e6);
  }
}

TEST(PapiModule, AMissingEntryIsToldByName) {
  const auto entry = open_module(LBHM_MODULES, "liblbhm-papi.so", "lbhm_papi_v0", "libpapi7.0");
  ASSERT_FALSE(entry);
  EXPECT_NE(entry.error().message().find("lbhm_papi_v0"), std::string::npos) << entry.error().message();
}

}  // namespace
}  // namespace lbhm::host
