// Runs an OpenMP program under liblbhm.so, as a user would, and reads what it and the run report say.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "programs/nodes.h"

namespace kernel_test {

struct Outcome {
  int status = -1;
  std::string output;                                  ///< both streams
  std::map<std::string, Where> nodes;                  ///< lines of print_nodes
  std::map<std::string, std::pair<long, long>> moved;  ///< lines "moved NAME UP DOWN", in pages
  std::map<std::string, long> numbers;                 ///< lines "number NAME VALUE"
  std::string checksum;
  nlohmann::json report;  ///< null if there is none

  /// Of all objects at that moment of `planned`.
  Where all(const std::string& moment) const;
};

using Environment = std::map<std::string, std::string>;

/// A program that runs.
class Started {
 public:
  Started(const std::vector<std::string>& command, Environment environment, const std::string& name = "run");
  /// Waits for its end.
  Outcome finish();
  int process() const { return process_; }
  bool ended();
  /// True as soon as the program has printed its checksum; false if it ended without.
  bool worked();

 private:
  int process_ = -1, status_ = 0;
  bool waited_ = false;
  std::string name_;
};

/// Under LB-HM on the machine host; `environment` on top of that.
Outcome run(const std::vector<std::string>& command, const Environment& environment = {});

/// Pages of a process on (fast, slow), of all its mappings: /proc/PID/numa_maps.
std::pair<long, long> resident(int process);

}  // namespace kernel_test
