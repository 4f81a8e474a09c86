// A correlation function f of Eq. 2 that was trained (section 5.1 of the paper): a gradient-boosted regressor.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/trees.h"

namespace lbhm::model {

class TrainedCorrelation final : public Correlation {
 public:
  /// `features`: position in CorrelationFeatures by column of the trees; their last column is r.
  TrainedCorrelation(std::string name, std::vector<std::size_t> features, Trees trees)
      : name_(std::move(name)), features_(std::move(features)), trees_(std::move(trees)) {}

  std::string_view name() const override { return name_; }
  void evaluate(const CorrelationFeatures& features, const HomogeneousTimes& times,
                std::span<double, TaskTimes::points> f) const override;

  const Trees& trees() const { return trees_; }

 private:
  std::string name_;
  std::vector<std::size_t> features_;
  Trees trees_;
};

}  // namespace lbhm::model
