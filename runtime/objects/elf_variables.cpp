#include "runtime/objects/elf_variables.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <tuple>
#include <utility>

namespace lbhm {
namespace {

// More than these no file has that a linker made; one that says so is damaged.
constexpr std::uint64_t most_symbols = std::uint64_t{1} << 26, longest_name = 4096;

std::unexpected<Status> damaged(const char* what) {
  return failure(StatusCode::invalid_argument, std::string("the ELF file is damaged (") + what + ")");
}

template <class T>
std::optional<T> read(const ReadAt& file, std::uint64_t offset) {
  T value;
  if (!file(offset, std::span(reinterpret_cast<char*>(&value), sizeof value))) return std::nullopt;
  return value;
}

bool is_ours(const Elf64_Ehdr& header) {
  constexpr int order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
         header.e_ident[EI_DATA] == order;
}

/// Empty: there are none.
Result<std::vector<Elf64_Shdr>> sections_of(const ReadAt& file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  if (header.e_shoff == 0) return sections;
  if (header.e_shentsize != sizeof(Elf64_Shdr)) return damaged("size of its section headers");
  const auto first = read<Elf64_Shdr>(file, header.e_shoff);
  if (!first) return damaged("its section headers are behind its end");
  // More than 65,279 sections: their number stands in the first one.
  const std::uint64_t count = header.e_shnum != 0 ? header.e_shnum : first->sh_size;
  if (count > most_symbols) return damaged("number of its sections");
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto section = read<Elf64_Shdr>(file, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) return damaged("its section headers are behind its end");
    sections.push_back(*section);
  }
  return sections;
}

Result<std::string> name_at(const ReadAt& file, const Elf64_Shdr& names, std::uint64_t offset) {
  std::array<char, 256> piece;
  for (std::string name; name.size() < longest_name; offset += piece.size()) {
    const std::uint64_t left = offset < names.sh_size ? names.sh_size - offset : 0;
    const auto letters = std::span(piece).first(std::min<std::uint64_t>(piece.size(), left));
    if (letters.empty() || !file(names.sh_offset + offset, letters))
      return damaged("a name is behind the end of its table");
    const auto end = std::ranges::find(letters, '\0');
    name.append(letters.begin(), end);
    if (end != letters.end()) return name;
  }
  return damaged("a name without end");
}

bool is_variable(const Elf64_Sym& symbol, Bytes least) {
  return ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
         symbol.st_size >= least.value && symbol.st_value <= UINT64_MAX - symbol.st_size;
}

/// The first and longest of those that share bytes.
void drop_overlaps(std::vector<ElfVariable>& variables) {
  std::ranges::sort(variables, [](const ElfVariable& a, const ElfVariable& b) {
    return std::tie(a.begin, b.bytes, a.name) < std::tie(b.begin, a.bytes, b.name);
  });
  std::uint64_t end = 0;
  std::erase_if(variables, [&](const ElfVariable& variable) {
    if (variable.begin < end) return true;
    end = variable.begin + variable.bytes.value;
    return false;
  });
}

Result<std::vector<ElfVariable>> variables_of(const ReadAt& file, const Elf64_Shdr& table, const Elf64_Shdr& names,
                                              Bytes least) {
  constexpr std::size_t at_once = 1024;
  if (table.sh_entsize != sizeof(Elf64_Sym)) return damaged("size of its symbols");
  const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
  if (count > most_symbols) return damaged("number of its symbols");
  std::vector<ElfVariable> found;
  std::vector<Elf64_Sym> symbols;
  for (std::uint64_t i = 0; i < count; i += symbols.size()) {
    symbols.resize(std::min<std::uint64_t>(at_once, count - i));
    const std::span bytes(reinterpret_cast<char*>(symbols.data()), symbols.size() * sizeof(Elf64_Sym));
    if (!file(table.sh_offset + i * sizeof(Elf64_Sym), bytes)) return damaged("its symbols are behind its end");
    for (const Elf64_Sym& symbol : symbols) {
      if (!is_variable(symbol, least)) continue;
      auto name = name_at(file, names, symbol.st_name);
      if (!name) return std::unexpected(name.error());
      found.push_back({.begin = symbol.st_value, .bytes = Bytes(symbol.st_size), .name = std::move(*name)});
    }
  }
  drop_overlaps(found);
  return found;
}

}  // namespace

Result<std::vector<ElfVariable>> large_variables(const ReadAt& file, Bytes least) {
  const auto header = read<Elf64_Ehdr>(file, 0);
  if (!header || !is_ours(*header)) return std::vector<ElfVariable>();
  const auto sections = sections_of(file, *header);
  if (!sections) return std::unexpected(sections.error());
  for (const auto type : {SHT_SYMTAB, SHT_DYNSYM}) {
    const auto table = std::ranges::find(*sections, static_cast<Elf64_Word>(type), &Elf64_Shdr::sh_type);
    if (table == sections->end()) continue;
    if (table->sh_link >= sections->size()) return damaged("its symbols have no table of names");
    return variables_of(file, *table, (*sections)[table->sh_link], least);
  }
  return std::vector<ElfVariable>();
}

}  // namespace lbhm
