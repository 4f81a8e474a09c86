#include "runtime/host/capacity.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ranges>
#include <sstream>

namespace lbhm::host {
namespace {

/// The value behind `key` and white space on a line of its own.
std::optional<std::string> line_behind(const std::string& text, std::string_view key) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const auto value = line.find_first_not_of(" \t:", key.size());
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return std::nullopt;
}

/// Where the kernel's own memory can be (all zones but the movable one), this share of a node stays free. What the
/// kernel needs beyond its watermarks - page tables, slabs - it takes there even if other nodes are empty, and it kills
/// processes when it finds none. TPP keeps as much free of fast memory (Maruf et al., ASPLOS 2023, section 5.2).
constexpr double kept_for_kernel = 0.02;

/// Pages that must stay free on a node: the high watermarks of its zones and kept_for_kernel (/proc/zoneinfo).
double kept_pages(const Sysfs& sysfs, int node) {
  std::istringstream words(sysfs.text("proc/zoneinfo").value_or(""));
  const std::string wanted = std::to_string(node) + ",";
  double pages = 0;
  bool inside = false, movable = false;
  const auto number = [&words] {
    double value = 0;
    if (words >> value) return value;
    words.clear();
    return 0.0;
  };
  for (std::string word; words >> word;) {
    if (word == "Node") {
      words >> word;
      inside = word == wanted;
    } else if (word == "zone") {
      words >> word;
      movable = word == "Movable";
    } else if (inside && word == "high") {  // "high:" is of the per-processor lists, not of the zone
      pages += number();
    } else if (inside && !movable && word == "managed") {
      pages += kept_for_kernel * number();
    }
  }
  return pages;
}

struct Limits {
  const char* controller;  ///< in /proc/self/cgroup
  const char* mount;
  const char* maximum;
  const char* current;
};

constexpr Limits versions[] = {
    {"", "sys/fs/cgroup", "memory.max", "memory.current"},
    {"", "sys/fs/cgroup/unified", "memory.max", "memory.current"},
    {"memory", "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"},
};

/// The tightest room from `path` up to the mount point; a container may see only the lower part, so all are tried.
std::optional<double> room_upwards(const Sysfs& sysfs, const Limits& version, std::string path) {
  std::optional<double> least;
  for (;;) {
    const std::string folder = version.mount + path + "/";
    const auto maximum = sysfs.number(folder + version.maximum);  // "max" is no number
    if (maximum && *maximum < 0x1p60) {                           // version 1 says "none" with 2^63 - 4096
      const double room = std::max(0.0, *maximum - sysfs.number(folder + version.current).value_or(0));
      least = std::min(least.value_or(room), room);
    }
    if (path.empty() || path == "/") return least;
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
}

}  // namespace

std::vector<MemoryNode> allowed(const Sysfs& sysfs, std::vector<MemoryNode> nodes) {
  const auto line = line_behind(sysfs.text("proc/self/status").value_or(""), "Mems_allowed_list");
  const auto list = line ? parse_list(*line) : std::nullopt;
  if (list) std::erase_if(nodes, [&](const MemoryNode& node) { return !holds(*list, node.id); });
  return nodes;
}

std::optional<Bytes> available(const Sysfs& sysfs, int node) {
  const std::string meminfo = "sys/devices/system/node/node" + std::to_string(node) + "/meminfo";
  const auto free = sysfs.field(meminfo, "MemFree");
  if (!free) return std::nullopt;
  const double files =
      sysfs.field(meminfo, "Active(file)").value_or(0) + sysfs.field(meminfo, "Inactive(file)").value_or(0);
  const double kept = kept_pages(sysfs, node) * static_cast<double>(sysconf(_SC_PAGESIZE));
  return bytes_of((*free + files / 2) * 1024 - kept);
}

std::optional<Bytes> cgroup_room(const Sysfs& sysfs) {
  std::optional<double> least;
  std::istringstream lines(sysfs.text("proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {  // number:controllers:path
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    for (const Limits& version : versions) {
      if (controllers != version.controller) continue;
      const auto room = room_upwards(sysfs, version, line.substr(second + 1));
      if (room) least = std::min(least.value_or(*room), *room);
    }
  }
  return least ? std::optional(bytes_of(*least)) : std::nullopt;
}

ThreadPolicy policy_of_this_thread() {
  constexpr int flags = 7 << 13;  // MPOL_MODE_FLAGS
  const KeepErrno keep;
  ThreadPolicy policy;
  if (syscall(SYS_get_mempolicy, &policy.mode, policy.nodes.words(), most_nodes, nullptr, 0) != 0) return {};
  policy.mode &= ~flags;
  if (policy.mode == MPOL_PREFERRED && policy.nodes == NodeMask()) policy.mode = MPOL_LOCAL;
  return policy;
}

}  // namespace lbhm::host
