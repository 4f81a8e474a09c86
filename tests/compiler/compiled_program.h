// Builds the programs of tests/compiler/programs with the plugin, runs them and reads what the recorder saw.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace lbhm::test {

using Lines = std::set<std::uint64_t>;

/// What the recorder noted of one watched block.
struct Seen {
  Lines reads, writes;
  std::set<std::string> from;  ///< blocks from whose values the addresses are computed
  bool nontemporal = false;    ///< a store past the caches is among the accesses
  std::uint64_t entries = 0;
  std::uint64_t sites = 0;
};

struct Recording {
  std::map<std::string, Seen> blocks;
  std::map<std::string, std::uint64_t> sums;
  std::map<std::string, std::uint64_t>
      branches;  ///< mispredicted ones, by the blocks that decide ("none" if none does)
};

struct Output {
  int status = -1;
  std::string text;  ///< standard output and errors
};

/// Runs a command of the shell.
Output run(const std::string& command);

/// A folder of this test's own, removed with the object.
class Workshop {
 public:
  Workshop();
  ~Workshop();
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  std::string path(const std::string& name) const { return folder + "/" + name; }
  /// clang with these arguments; names of programs stand for their sources. Empty if it failed: the test has failed
  /// then.
  std::string compile(const std::string& output, const std::string& arguments, const std::vector<std::string>& sources);
  /// The same with the plugin, and linked with the recorder.
  std::string instrument(const std::string& output, const std::string& arguments,
                         const std::vector<std::string>& sources);

 private:
  std::string folder;
};

/// Builds, runs and reads.
Recording record(const std::string& arguments, const std::vector<std::string>& sources);
/// Runs a program that is linked with the recorder.
Recording record_program(const std::string& program, const std::string& argument = "");

/// {first, first + step, ..., at most last}
Lines every(std::uint64_t first, std::uint64_t last, std::uint64_t step = 1);

std::string plugin_flag();
std::string recorder_flags();

}  // namespace lbhm::test
