// A model file in the format of XGBoost 3.2 with a tree small enough to predict by hand. The fuzz target starts from it.
#pragma once

#include <fstream>
#include <nlohmann/json.hpp>

namespace lbhm {

/// Splits at IPC < 1.5, on the left at r < 0.5; leaves 0.125, 0.25 and, on the right, -0.5. Missing goes right.
inline nlohmann::json small_model() {
  std::ifstream file(LBHM_TEST_MODELS "/small.json");
  return nlohmann::json::parse(file);
}

}  // namespace lbhm
