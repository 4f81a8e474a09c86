// Small reads of /sys and /proc below a root folder, so that tests have trees of their own: files, those that discovery
// goes without, and what the kernel does with pages on its own account and against us.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm::host {

/// "0-2,7" as the kernel writes lists: {0, 1, 2, 7}. Nothing for other texts; empty for an empty list.
std::optional<std::vector<int>> parse_list(std::string_view text);

/// Bytes of a number in `unit`s; from 0 to 2^60, whatever a damaged file says.
Bytes bytes_of(double number, double unit = 1);

bool holds(const std::vector<int>& numbers, int number);

/// Nothing throws; what cannot be read is not there.
class Sysfs {
 public:
  explicit Sysfs(std::string root = "/") : root_(std::move(root)) {}

  /// The file without white space at its end; at most 1 MiB.
  std::optional<std::string> text(const std::string& path) const;
  std::optional<double> number(const std::string& path) const;
  /// Why the file cannot be read: an error number, or 0 if it can.
  int refusal(const std::string& path) const;
  /// A list of numbers; empty if there is none.
  std::vector<int> list(const std::string& path) const;
  /// The names in a folder, sorted.
  std::vector<std::string> entries(const std::string& path) const;
  /// Where a link leads to in the end; "" if nowhere.
  std::string resolved(const std::string& path) const;
  /// The number behind `key` in a file of lines "... key: number ...", as meminfo has them.
  std::optional<double> field(const std::string& path, std::string_view key) const;

 private:
  std::string root_;
};

/// Sentences for settings of the kernel that undo placements, with the command that changes them.
std::vector<std::string> contrary_settings(const Sysfs& sysfs);

/// One sentence for /sys and one for /proc where files of theirs cannot be read: which, why, and the remedy.
std::vector<std::string> unreadable_files(const Sysfs& sysfs);

}  // namespace lbhm::host
