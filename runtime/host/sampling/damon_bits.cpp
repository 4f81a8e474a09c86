// Accessed bits by DAMON (Documentation/admin-guide/mm/damon/usage.rst, of Linux 6.12): a thread of the kernel looks at
// a few pages of each of up to a thousand regions of the process and splits and joins regions by what it finds.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/folder_names.h"
#include "runtime/host/sampling/accessed_bits.h"

namespace lbhm::sampling {
namespace {

namespace fs = std::filesystem;

using Range = std::pair<std::uintptr_t, std::uintptr_t>;

class Damon final : public AccessedBits {
 public:
  explicit Damon(const std::string& root) : admin_(root + "/sys/kernel/mm/damon/admin/kdamonds") {}
  ~Damon() override {
    if (!running_) return;
    write(daemon_ / "state", "off");
    write(admin_ / "nr_kdamonds", "0");
  }
  Damon(const Damon&) = delete;
  Damon& operator=(const Damon&) = delete;

  /// Empty when the kernel watches this process from now on; otherwise why not.
  std::string start() {
    std::error_code error;
    if (!fs::exists(admin_ / "nr_kdamonds", error))
      return "there is no " + (admin_ / "nr_kdamonds").string() +
             "; it needs root and a kernel with CONFIG_DAMON_SYSFS";
    if (read(admin_ / "nr_kdamonds") != "0" && read(daemon_ / "state") != "off")
      return (admin_ / "nr_kdamonds").string() + " is in use; stop that program (damo stop), one of ours included";
    for (const auto& [file, value] : settings()) {
      if (!write(admin_ / file, value))
        return (admin_ / file).string() + " does not take " + value + "; it needs root and Linux 6.2 or newer";
    }
    running_ = true;
    return "";
  }

  /// The bits of the last aggregation; they are the kernel's to clear.
  void scan(std::span<const std::uintptr_t> pages, std::span<bool> out, bool) override {
    const std::vector<Range> accessed = accessed_ranges();
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const auto behind = std::ranges::upper_bound(accessed, pages[i], {}, &Range::first);
      out[i] = behind != accessed.begin() && pages[i] < std::prev(behind)->second;
    }
  }

 private:
  /// In the order in which the kernel wants them. Intervals in us, as DAMON's default ones; a region counts as accessed
  /// if one of the samples of an aggregation found it so.
  static std::vector<std::pair<std::string, std::string>> settings() {
    const std::string context = "0/contexts/0/", scheme = context + "schemes/0/", most = std::to_string(UINT32_MAX);
    return {{"nr_kdamonds", "1"},
            {"0/contexts/nr_contexts", "1"},
            {context + "operations", "vaddr"},
            {context + "monitoring_attrs/intervals/sample_us", "5000"},
            {context + "monitoring_attrs/intervals/aggr_us", "100000"},
            {context + "monitoring_attrs/intervals/update_us", "1000000"},
            {context + "monitoring_attrs/nr_regions/min", "10"},
            {context + "monitoring_attrs/nr_regions/max", "1000"},
            {context + "targets/nr_targets", "1"},
            {context + "targets/0/pid_target", std::to_string(getpid())},
            {context + "schemes/nr_schemes", "1"},
            {scheme + "action", "stat"},
            {scheme + "access_pattern/sz/min", "0"},
            {scheme + "access_pattern/sz/max", std::to_string(UINT64_MAX)},
            {scheme + "access_pattern/nr_accesses/min", "1"},
            {scheme + "access_pattern/nr_accesses/max", most},
            {scheme + "access_pattern/age/min", "0"},
            {scheme + "access_pattern/age/max", most},
            {"0/state", "on"}};
  }

  static std::string read(const fs::path& path) {
    std::ifstream file(path);
    std::string word;
    file >> word;
    return word;
  }
  static bool write(const fs::path& path, const std::string& text) {
    std::ofstream file(path);
    file << text << std::flush;
    return file.good();
  }
  static std::uintptr_t address(const fs::path& path) {
    const std::string text = read(path);
    std::uintptr_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

  /// By address. The kernel writes them down when it is told to, at the end of an aggregation.
  std::vector<Range> accessed_ranges() const {
    std::vector<Range> ranges;
    if (!write(daemon_ / "state", "update_schemes_tried_regions")) return ranges;
    const fs::path regions = daemon_ / "contexts/0/schemes/0/tried_regions";
    for (const std::string& region : folder_names(regions)) {
      const std::uintptr_t begin = address(regions / region / "start"), end = address(regions / region / "end");
      if (end > begin) ranges.emplace_back(begin, end);
    }
    std::ranges::sort(ranges);
    return ranges;
  }

  const fs::path admin_;
  const fs::path daemon_ = admin_ / "0";
  bool running_ = false;
};

}  // namespace

Result<std::unique_ptr<AccessedBits>> damon_bits(const std::string& root) {
  auto bits = std::make_unique<Damon>(root);
  if (const std::string why = bits->start(); !why.empty())
    return failure(StatusCode::unavailable, "accessed bits by DAMON: " + why);
  return bits;
}

}  // namespace lbhm::sampling
