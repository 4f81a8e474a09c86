#include "runtime/host/sysfs.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>

#include "runtime/base/folder_names.h"

namespace lbhm::host {
namespace {

constexpr std::size_t longest_file = 1 << 20;
/// No kernel has more nodes or processors; a damaged list must not fill memory.
constexpr int largest_number = 1 << 16;

std::optional<int> whole(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool read = error == std::errc() && end == text.data() + text.size();
  return read && number >= 0 && number < largest_number ? std::optional(number) : std::nullopt;
}

/// To the end, or to longest_file. These files tell no size; most fit into one step.
bool read_all(int file, std::string& text) {
  std::size_t filled = 0;
  for (std::size_t step = 4096; filled < longest_file; step *= 2) {
    text.resize(std::min(filled + step, longest_file));
    ssize_t got = 0;
    while (filled < text.size() && (got = read(file, text.data() + filled, text.size() - filled)) > 0)
      filled += static_cast<std::size_t>(got);
    if (got < 0) return false;
    if (got == 0) break;
  }
  text.resize(filled);
  return true;
}

constexpr const char* nodes = "sys/devices/system/node/";  // made by no constructor: liblbhm.so starts early

/// The first of the files that cannot be read, and why.
std::optional<std::string> first_unreadable(const Sysfs& sysfs, const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (const int error = sysfs.refusal(file); error != 0)
      return "/" + file + " cannot be read (" + std::strerror(error) + "): ";
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<int>> parse_list(std::string_view text) {
  std::vector<int> numbers;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const auto dash = part.find('-');
    const auto first = whole(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole(part.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    // Ranges may be named again and again: a few KB of text would be GBs of numbers.
    if (numbers.size() + static_cast<std::size_t>(*last - *first) >= largest_number) return std::nullopt;
    for (int number = *first; number <= *last; ++number) numbers.push_back(number);
    if (comma + 1 == text.size()) return std::nullopt;  // ends with a comma
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return numbers;
}

Bytes bytes_of(double number, double unit) {
  return Bytes(static_cast<std::uint64_t>(std::clamp(number * unit, 0.0, 0x1p60)));
}

bool holds(const std::vector<int>& numbers, int number) { return std::ranges::find(numbers, number) != numbers.end(); }

std::optional<std::string> Sysfs::text(const std::string& path) const {
  const int before = errno;
  const int file = open((root_ + "/" + path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  std::string text;
  const bool read_it = file >= 0 && read_all(file, text);
  if (file >= 0) close(file);
  errno = before;
  if (!read_it) return std::nullopt;
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

int Sysfs::refusal(const std::string& path) const {
  const int before = errno;
  const int file = open((root_ + "/" + path).c_str(), O_RDONLY | O_CLOEXEC);
  const int error = file < 0 ? errno : 0;
  if (file >= 0) close(file);
  errno = before;
  return error;
}

std::optional<double> Sysfs::number(const std::string& path) const {
  const auto read = text(path);
  if (!read) return std::nullopt;
  double number = 0;
  const auto [end, error] = std::from_chars(read->data(), read->data() + read->size(), number);
  const bool right = error == std::errc() && end == read->data() + read->size() && std::isfinite(number);
  return right ? std::optional(number) : std::nullopt;
}

std::vector<int> Sysfs::list(const std::string& path) const {
  const auto read = text(path);
  return read ? parse_list(*read).value_or(std::vector<int>()) : std::vector<int>();
}

std::vector<std::string> Sysfs::entries(const std::string& path) const { return folder_names(root_ + "/" + path); }

std::string Sysfs::resolved(const std::string& path) const {
  std::error_code error;
  const auto target = std::filesystem::canonical(root_ + "/" + path, error);
  return error ? std::string() : target.string();
}

std::optional<double> Sysfs::field(const std::string& path, std::string_view key) const {
  const auto read = text(path);
  if (!read) return std::nullopt;
  const std::string wanted = std::string(key) + ":";
  for (std::size_t at = read->find(wanted); at != std::string::npos; at = read->find(wanted, at + 1)) {
    const bool word_begins = at == 0 || (*read)[at - 1] == ' ' || (*read)[at - 1] == '\n' || (*read)[at - 1] == '\t';
    if (!word_begins) continue;
    const auto digit = read->find_first_not_of(" \t", at + wanted.size());
    double number = 0;
    if (digit == std::string::npos) return std::nullopt;
    const auto [end, error] = std::from_chars(read->data() + digit, read->data() + read->size(), number);
    return error == std::errc() && std::isfinite(number) ? std::optional(number) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> contrary_settings(const Sysfs& sysfs) {
  std::vector<std::string> sentences;
  // Memory with a policy of its own (all that is managed) is passed over by the scan for hint faults, but what
  // LB_HM_config names of other memory is not (kernel/sched/fair.c, task_numa_work).
  if (const auto balancing = sysfs.number("proc/sys/kernel/numa_balancing"); balancing && *balancing != 0)
    sentences.push_back(
        "the kernel balances memory by itself (kernel.numa_balancing=" +
        std::to_string(static_cast<int>(std::clamp(*balancing, -1e9, 1e9))) +
        ") and may move pages back that are not managed; sysctl kernel.numa_balancing=0 leaves them to LB-HM");
  const auto demotion = sysfs.text("sys/kernel/mm/numa/demotion_enabled");
  if (demotion && (*demotion == "true" || *demotion == "1"))
    sentences.push_back(
        "the kernel moves pages to slower memory when fast memory is short, whatever their policy; "
        "echo 0 > /sys/kernel/mm/numa/demotion_enabled leaves them to LB-HM");
  return sentences;
}

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
