// libFuzzer target: whatever is in a model file (lbhm.model/2), the parser returns a function that gives 21 numbers for
// any features, or one complaint.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "model/learned/learned.h"
#include "model/model.h"

namespace {

void evaluate(const lbhm::TrainedModel& model, double value) {
  lbhm::CorrelationFeatures features;
  features.values.fill(value);
  std::array<double, lbhm::TaskTimes::points> f{};
  model.f->evaluate(features, {}, f);
  if (!(model.f->fast_time(features) >= 0)) std::abort();
  for (const double y : f) {
    if (std::isnan(y)) std::abort();  // sums of finite leaves: infinite at most
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto model = lbhm::parse_model({reinterpret_cast<const char*>(data), size});
  if (!model) {
    const bool said = model.error().code() == lbhm::StatusCode::malformed && !model.error().message().empty();
    return said ? 0 : (std::abort(), 0);
  }
  for (const double value :
       {0.0, 1.0, -1e300, 1e300, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    evaluate(*model, value);
  return 0;
}
