// Does the report say of each plan what the kernel says?
#pragma once

#include "runtime/run.h"

namespace kernel_test {

inline const Environment merchandiser = {{"LBHM_POLICY", "merchandiser-once"}, {"LBHM_SAMPLER", "faults"}};

inline Environment with(Environment environment, const std::string& name, const std::string& value) {
  environment[name] = value;
  return environment;
}

/// Compares each plan of the report with what the program kernel-planned saw before and after the call that made it.
/// So many pages may be out of sight of the kernel's answer.
void expect_moves_agree(const Outcome& done, long out_of_sight = 0);
/// And no page of a plan stayed.
void expect_report_agrees(const Outcome& done, long out_of_sight = 0);

}  // namespace kernel_test
