#include <gtest/gtest.h>

#include "model/learned/learned.h"
#include "model/model.h"

namespace lbhm {
namespace {

TEST(PapiEvent, FindsEventsByTheNamesOfThePresets) {
  EventCounts raw;
  raw.instructions = 1000;
  raw.l2_load_misses = 7;
  raw.l3_load_misses = 5;
  raw.llc_misses = 6;
  EXPECT_EQ(papi_event(raw, "PAPI_TOT_INS"), 1000);
  EXPECT_EQ(papi_event(raw, "PAPI_L2_LDM"), 7);
  EXPECT_EQ(papi_event(raw, "PAPI_L3_LDM"), 5);
  EXPECT_EQ(papi_event(raw, "PAPI_L3_TCM"), 6);
}

TEST(PapiEvent, HasNothingForWhatIsUnknownOrNotCounted) {
  EventCounts raw;
  raw.vector_instructions = -1;
  EXPECT_EQ(papi_event(raw, "PAPI_VEC_INS"), std::nullopt);
  EXPECT_EQ(papi_event(raw, "PAPI_FP_OPS"), std::nullopt);
  EXPECT_EQ(papi_event(raw, ""), std::nullopt);
  EXPECT_EQ(papi_event(raw, "PAPI_MEM_WCY"), std::nullopt) << "PAPI's waits for writes only";
}

}  // namespace
}  // namespace lbhm
