// Values of a task's input by slot or block; what is missing is 0.
#pragma once

#include <span>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm::model {

inline double at(std::span<const double> values, std::size_t i) {
  return i < values.size() ? model::amount(values[i]) : 0;
}
inline Bytes at(std::span<const Bytes> values, std::size_t i) { return i < values.size() ? values[i] : Bytes(0); }

}  // namespace lbhm::model
