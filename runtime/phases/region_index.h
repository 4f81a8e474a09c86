// Numbers and names of parallel constructs.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace lbhm {

/// "program+0x12ab": where a code address lies in its file, the same in every run.
std::string code_name(const void* code);

/// Parallel constructs by code address, in the order in which they were met. Not thread-safe.
class RegionIndex {
 public:
  /// The number of the construct at `code`. The same one again costs a comparison, another one a hash look-up.
  std::uint32_t number(const void* code) { return code == last_code_ ? last_region_ : look_up(code); }
  /// Numbers the next instance of `region`.
  std::uint32_t next_instance(std::uint32_t region) { return instances_[region]++; }
  const std::string& name(std::uint32_t region) const { return names_[region]; }
  /// By number.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::uint32_t look_up(const void* code);
  void add(const void* code);

  const void* last_code_ = this;  // no code address
  std::uint32_t last_region_ = 0;
  std::unordered_map<const void*, std::uint32_t> index_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> instances_;
};

}  // namespace lbhm
