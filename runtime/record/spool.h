// Records of a run on their way into the report: on disk, so that they do not grow in the program's memory.
#pragma once

#include <cstdint>
#include <string>

#include "runtime/base/scratch_file.h"

namespace lbhm {

/// The elements of a JSON array.
class Spool {
 public:
  /// Without a scratch file so many bytes of records are kept, and later ones left out.
  static constexpr std::size_t most_in_memory = 4u << 20;
  static constexpr std::size_t batch = 64u << 10;  ///< bytes that are written at once

  void add(const std::string& record);
  std::uint64_t left_out() const { return left_out_; }
  /// The whole array. Where the program has closed the scratch file's descriptor, what is left of it: `lost` says how
  /// many are not.
  std::string array(std::uint64_t& lost) const;

 private:
  ScratchFile file_;
  bool on_disk_ = true;
  std::string waiting_;
  std::uint64_t records_ = 0, on_disk_records_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace lbhm
