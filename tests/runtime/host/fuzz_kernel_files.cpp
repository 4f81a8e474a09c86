// libFuzzer target: whatever stands in the files of /sys and /proc that tiers are found by, tiers have capacities that
// their nodes have, and each node is in one tier. The input is the files one after the other, ended by zero bytes.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "runtime/host/discovery.h"

namespace {

constexpr std::array<const char*, 13> names{"/sys/devices/system/node/online",
                                            "/sys/devices/system/node/node0/meminfo",
                                            "/sys/devices/system/node/node1/meminfo",
                                            "/sys/devices/system/node/has_cpu",
                                            "/sys/devices/system/node/node0/distance",
                                            "/sys/devices/system/node/node1/access0/initiators/read_bandwidth",
                                            "/sys/devices/system/node/node1/access0/initiators/read_latency",
                                            "/sys/devices/virtual/memory_tiering/memory_tier4/nodelist",
                                            "/proc/self/status",
                                            "/proc/self/cgroup",
                                            "/proc/zoneinfo",
                                            "/sys/fs/cgroup/memory.max",
                                            "/sys/fs/cgroup/memory.current"};

void require(bool holds) {
  if (!holds) std::abort();
}

/// A tree of its own for each process, in memory.
class Tree {
 public:
  Tree() {
    std::string name = "/dev/shm/lbhm-fuzz-XXXXXX";
    require(mkdtemp(name.data()) != nullptr);
    root_ = name;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::filesystem::path path = root_ + names[i];
      std::filesystem::create_directories(path.parent_path());
      files_[i] = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
      require(files_[i] >= 0);
    }
  }
  ~Tree() { std::filesystem::remove_all(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  void fill(std::string_view input) const {
    for (const int file : files_) {
      const std::string_view text = input.substr(0, input.find('\0'));
      require(ftruncate(file, 0) == 0 &&
              pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
      input.remove_prefix(std::min(text.size() + 1, input.size()));
    }
  }
  const std::string& root() const { return root_; }

 private:
  std::string root_;
  std::array<int, names.size()> files_{};
};

void check(const lbhm::host::Discovery& found) {
  std::set<int> seen;
  for (const auto& tier : found.tiers) {
    std::uint64_t total = 0;
    for (const int node : tier.nodes) {
      require(seen.insert(node).second);
      for (const auto& each : found.nodes)
        if (each.id == node) total += each.total.value;
    }
    require(tier.tier.capacity.value <= total);
    require(!std::isnan(tier.tier.read_bandwidth.value) && !std::isnan(tier.tier.latency_random.value));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Tree tree;
  tree.fill({reinterpret_cast<const char*>(data), size});
  if (const auto found = lbhm::host::discover({.root = tree.root()})) check(*found);
  return 0;
}
