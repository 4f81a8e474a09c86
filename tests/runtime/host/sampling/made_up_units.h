// A made-up /sys/bus/event_source: the units of machines that this one is not.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace lbhm::sampling::made_up {

class Units {
 public:
  Units() {
    std::string name = (std::filesystem::temp_directory_path() / "lbhm-units-XXXXXX").string();
    root_ = mkdtemp(name.data());
  }
  ~Units() { std::filesystem::remove_all(root_); }
  Units(const Units&) = delete;
  Units& operator=(const Units&) = delete;

  const std::string& root() const { return root_; }
  /// `file` below the folder of the units: "cpu/events/mem-loads".
  void write(const std::string& file, const std::string& text) {
    const std::filesystem::path path = root_ + "/sys/bus/event_source/devices/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
  }
  /// As Linux 6.1 shows it on an Ice Lake server.
  void add_intel(const std::string& unit, const std::string& type) {
    write(unit + "/type", type);
    write(unit + "/format/event", "config:0-7");
    write(unit + "/format/umask", "config:8-15");
    write(unit + "/format/ldlat", "config1:0-15");
    write(unit + "/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3");
    write(unit + "/events/mem-stores", "event=0xd0,umask=0x82");
  }

 private:
  std::string root_;
};

}  // namespace lbhm::sampling::made_up
