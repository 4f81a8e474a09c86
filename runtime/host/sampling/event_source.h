// What /sys/bus/event_source/devices says of a unit that counts or samples: its number, its events, the bits of its
// fields (Documentation/ABI/testing/sysfs-bus-event_source-devices-{events,format} of the kernel).
#pragma once

#include <linux/perf_event.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"

namespace lbhm::sampling {

/// The bits that one field of an event is made of, lowest first.
struct FieldBits {
  unsigned word = 0;  ///< 0: config, 1: config1, 2: config2
  std::vector<unsigned> bits{};
};

/// "config1:0-15" or "config:0-7,21". Nothing if it is neither.
std::optional<FieldBits> parse_field(std::string_view text);

class EventSource {
 public:
  /// Nothing if there is no such unit. `root`: of /sys, "/" but in tests.
  static std::optional<EventSource> find(const std::string& root, const std::string& name);
  /// All units whose name is `prefix` or begins with "prefix_" ("cpu": cpu, cpu_core, cpu_atom), by name.
  static std::vector<EventSource> all(const std::string& root, const std::string& prefix);

  const std::string& name() const { return name_; }
  std::uint32_t type() const { return type_; }
  /// What the file events/NAME says; nothing if there is none.
  std::optional<std::string> event(const std::string& name) const;
  bool has_field(const std::string& name) const;
  /// Puts "event=0xcd,umask=0x1,ldlat=3" into the words of `attr`; later terms win.
  /// Errors: malformed (a term that is no term, a field that the unit does not have, a value that is too large).
  Status apply(std::string_view terms, perf_event_attr& attr) const;

 private:
  EventSource(std::string folder, std::string name, std::uint32_t type);
  Status set(const std::string& field, std::uint64_t value, perf_event_attr& attr) const;

  std::string folder_;
  std::string name_;
  std::uint32_t type_;
};

}  // namespace lbhm::sampling
