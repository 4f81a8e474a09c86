// A folder with made-up files of /sys and /proc.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace lbhm::host {

class MadeUpTree {
 public:
  MadeUpTree() {
    std::string name = (std::filesystem::temp_directory_path() / "lbhm-tree-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~MadeUpTree() { std::filesystem::remove_all(root_); }
  MadeUpTree(const MadeUpTree&) = delete;
  MadeUpTree& operator=(const MadeUpTree&) = delete;

  std::string root() const { return root_.string(); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }

  void link(const std::string& path, const std::string& target) {
    std::filesystem::create_directories(root_ / target);
    std::filesystem::create_directories((root_ / path).parent_path());
    std::filesystem::create_directory_symlink(root_ / target, root_ / path);
  }

  /// Nodes 0 to count-1 are online; those of `cpus` have processors.
  void nodes(const std::string& online, const std::string& cpus) {
    write(node_ + "online", online);
    write(node_ + "has_cpu", cpus);
  }

  void node(int id, int gibibytes, const std::string& distances) {
    const std::string kb = std::to_string(static_cast<long long>(gibibytes) << 20), n = std::to_string(id);
    write(node_ + "node" + n + "/meminfo",
          "Node " + n + " MemTotal:       " + kb + " kB\nNode " + n + " MemFree:        " + kb + " kB");
    write(node_ + "node" + n + "/distance", distances);
  }

  /// HMAT: MB/s and ns, seen from the processors of `initiator`.
  /// `bandwidth` in MiB/s, `latency` in ns.
  void performance(int id, int initiator, int bandwidth, int latency) {
    const std::string folder = node_ + "node" + std::to_string(id) + "/access1/initiators/";
    write(folder + "read_bandwidth", std::to_string(bandwidth));
    write(folder + "write_bandwidth", std::to_string(bandwidth));
    write(folder + "read_latency", std::to_string(latency));
    write(folder + "write_latency", std::to_string(latency));
    link(folder + "node" + std::to_string(initiator), node_ + "node" + std::to_string(initiator));
  }

  void kernel_tier(int number, const std::string& nodes) {
    write("sys/devices/virtual/memory_tiering/memory_tier" + std::to_string(number) + "/nodelist", nodes);
  }

  /// The memory of a device that became a node.
  void dax(const std::string& name, const std::string& device, int node) {
    write(device + "/" + name + "/target_node", std::to_string(node));
    link("sys/bus/dax/devices/" + name, device + "/" + name);
  }

 private:
  std::filesystem::path root_;
  const std::string node_ = "sys/devices/system/node/";
};

}  // namespace lbhm::host
