// libFuzzer target: whatever the kernel's files say of the fields of an event, a field is at most 64 bits of a word,
// and terms set those or give one complaint. The input is a format, a zero byte, and the terms of an event.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/host/sampling/event_source.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// An event source "fuzz" whose field "a" has the format that was written last.
class Source {
 public:
  Source() {
    std::string name = "/dev/shm/lbhm-fuzz-XXXXXX";
    require(mkdtemp(name.data()) != nullptr);
    root_ = name;
    const std::filesystem::path folder = root_ + "/sys/bus/event_source/devices/fuzz";
    std::filesystem::create_directories(folder / "format");
    const int type = open((folder / "type").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    require(write(type, "9\n", 2) == 2 && close(type) == 0);
    format_ = open((folder / "format/a").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  }
  ~Source() { std::filesystem::remove_all(root_); }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  lbhm::sampling::EventSource with(std::string_view format) const {
    require(ftruncate(format_, 0) == 0);
    require(pwrite(format_, format.data(), format.size(), 0) == static_cast<ssize_t>(format.size()));
    return lbhm::sampling::EventSource::find(root_, "fuzz").value();
  }

 private:
  std::string root_;
  int format_ = -1;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Source source;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view format = input.substr(0, input.find('\0'));
  if (const auto field = lbhm::sampling::parse_field(format)) {
    require(field->word < 3 && field->bits.size() <= 64);
    require(std::ranges::all_of(field->bits, [](unsigned bit) { return bit < 64; }));
  }
  perf_event_attr attr{};
  const auto status = source.with(format).apply(input.substr(std::min(format.size() + 1, size)), attr);
  require(status.ok() || !status.message().empty());
  return 0;
}
