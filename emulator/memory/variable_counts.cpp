#include "emulator/memory/variable_counts.h"

#include <errno.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/description/preset.h"

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

/// As JSON has it.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    std::array<char, 8> code{};
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') out += '\\';
    if (byte < 0x20) std::snprintf(code.data(), code.size(), "\\u%04x", byte);
    out += byte < 0x20 ? code.data() : std::string(1, letter);
  }
  return out + '"';
}

}  // namespace

void VariableCounts::write(OutputFile& file) const {
  std::vector<LoadedFile> loaded;
  dl_iterate_phdr(add_file, &loaded);
  for (const LoadedFile& of : loaded) {
    std::map<std::uint32_t, std::string> lines;
    for (const auto& [key, accesses] : accesses_) {
      const auto& [lane, page] = key;
      if (!of.holds(page)) continue;
      std::string& line = lines[lane];
      line += (line.empty() ? "[" : ",[") + std::to_string(page - of.base) + ',' + std::to_string(accesses) + ']';
    }
    for (const auto& [lane, pages] : lines) {
      const std::string text = "{\"variables_of\":" + quoted(of.name) + ",\"lane\":" + std::to_string(lane) +
                               ",\"accesses\":[" + pages + "]}\n";
      file.write(text.data(), text.size());
    }
  }
}

}  // namespace lbhm::emulator
