// The table tests/faults/words.txt: what LB-HM says when the operating system refuses.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runtime/run.h"

namespace kernel_test {

struct Expected {
  std::vector<std::string> rules;  ///< as `refuse` takes them
  Environment settings;
  std::vector<std::string> words;  ///< of one sentence; none: nothing is said
  bool never_called = false;
};

/// The lines for the guest. The file lies beside the programs.
std::vector<Expected> expected_words(const std::string& file = "/bin/words.txt");

/// What LB-HM said in a run, on standard error and in the report; but for samplers that were slowed down, as they are
/// where the host is busy.
std::set<std::string> sentences_of(const Outcome& done);

/// The sentence that holds all words, or "".
std::string sentence_with(const std::set<std::string>& sentences, const std::vector<std::string>& words);

/// What the program printed, without the lines of LB-HM.
std::string own_output(const Outcome& done);

}  // namespace kernel_test
