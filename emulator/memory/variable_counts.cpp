#include "emulator/memory/variable_counts.h"

#include <errno.h>
#include <link.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/description/preset.h"
#include "emulator/memory/json_text.h"

namespace lbhm::emulator {
namespace {

/// A file that the loader has put into the process.
struct LoadedFile {
  std::string name;
  PageNumber base = 0;
  std::vector<std::pair<PageNumber, PageNumber>> parts{};  // first page and the one behind the last

  bool holds(PageNumber page) const {
    return std::ranges::any_of(parts, [&](const auto& part) { return page >= part.first && page < part.second; });
  }
};

int add_file(dl_phdr_info* info, std::size_t, void* data) {
  std::string_view name = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : program_invocation_short_name;
  name.remove_prefix(name.rfind('/') + 1);
  LoadedFile file{.name = std::string(name), .base = info->dlpi_addr >> page_bits};
  for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (part.p_type != PT_LOAD || part.p_memsz == 0) continue;
    const std::uintptr_t first = info->dlpi_addr + part.p_vaddr;
    file.parts.emplace_back(first >> page_bits, ((first + part.p_memsz - 1) >> page_bits) + 1);
  }
  static_cast<std::vector<LoadedFile>*>(data)->push_back(std::move(file));
  return 0;
}

}  // namespace

void VariableCounts::write(OutputFile& file) const {
  std::vector<LoadedFile> loaded;
  dl_iterate_phdr(add_file, &loaded);
  for (const LoadedFile& of : loaded) {
    std::map<User, std::string> lines;
    for (const auto& [key, accesses] : accesses_) {
      const auto& [user, page] = key;
      if (!of.holds(page)) continue;
      std::string& line = lines[user];
      line += (line.empty() ? "[" : ",[") + std::to_string(page - of.base) + ',' + std::to_string(accesses) + ']';
    }
    for (const auto& [user, pages] : lines) {
      const std::string text = "{\"variables_of\":" + json_text(of.name) +
                               ",\"region\":" + std::to_string(user.region) + ",\"lane\":" + std::to_string(user.lane) +
                               ",\"accesses\":[" + pages + "]}\n";
      file.write(text.data(), text.size());
    }
  }
}

}  // namespace lbhm::emulator
