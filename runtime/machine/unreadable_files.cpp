#include "runtime/machine/unreadable_files.h"

#include <cstring>
#include <optional>

namespace lbhm::host {
namespace {

constexpr const char* nodes = "sys/devices/system/node/";  // made by no constructor: liblbhm.so starts early

/// The first of the files that cannot be read, and why.
std::optional<std::string> first_unreadable(const Sysfs& sysfs, const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (const int error = sysfs.refusal(file); error != 0)
      return "/" + file + " cannot be read (" + std::strerror(error) + "): ";
  return std::nullopt;
}

}  // namespace

std::vector<std::string> unreadable_files(const Sysfs& sysfs) {
  const std::string folder = nodes;
  std::vector<std::string> of_nodes{folder + "online"};
  for (const int id : sysfs.list(folder + "online"))
    of_nodes.push_back(folder + "node" + std::to_string(id) + "/meminfo");
  std::vector<std::string> sentences;
  if (const auto file = first_unreadable(sysfs, of_nodes))
    sentences.push_back(*file +
                        "memory that /sys does not tell of is no tier; give this process a readable /sys (containers: "
                        "mount it), and raise the limit of open files (ulimit -n) if that is reached");
  if (const auto file = first_unreadable(sysfs, {"proc/self/status", "proc/self/cgroup"}))
    sentences.push_back(*file +
                        "cpusets and memory limits are not known, and all memory is taken for usable; give this "
                        "process a readable /proc (containers: mount it)");
  return sentences;
}

}  // namespace lbhm::host
