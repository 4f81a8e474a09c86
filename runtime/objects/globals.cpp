#include "runtime/objects/globals.h"

#include <link.h>

#include <algorithm>
#include <fstream>

#include "runtime/objects/elf_variables.h"
#include "runtime/objects/loaded_code.h"
#include "runtime/own_memory/no_fork.h"

namespace lbhm {
namespace {

std::uintptr_t round_down(std::uintptr_t address, std::uintptr_t page) { return address / page * page; }
std::uintptr_t round_up(std::uintptr_t address, std::uintptr_t page) { return (address + page - 1) / page * page; }

int add_module(dl_phdr_info* info, std::size_t, void* data) {
  // A name of the loader's own (linux-vdso.so.1) is no file, and has no variables either.
  LoadedModule module{.base = info->dlpi_addr, .identity = identity_of(*info), .path = info->dlpi_name, .writable = {}};
  if (is_system_file(info->dlpi_name) || is_own(info->dlpi_addr)) return 0;
  for (const ElfW(Phdr) & part : std::span(info->dlpi_phdr, info->dlpi_phnum)) {
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_W)) continue;
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    module.writable.push_back({begin, begin + part.p_memsz});
  }
  static_cast<std::vector<LoadedModule>*>(data)->push_back(std::move(module));
  return 0;
}

ReadAt reader_of(std::ifstream& file) {
  return [&file](std::uint64_t offset, std::span<char> out) {
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(out.data(), static_cast<std::streamsize>(out.size()));
    return static_cast<bool>(file);
  };
}

/// The pages of a variable that are not taken by the one before; empty if it is not where variables are.
LoadedModule::Part pages_of(const LoadedModule& module, LoadedModule::Part variable, std::uintptr_t taken, Bytes page) {
  const auto holds = [&](const LoadedModule::Part& part) {
    return variable.begin >= part.begin && variable.end <= part.end && variable.begin < variable.end;
  };
  if (std::ranges::none_of(module.writable, holds)) return {};
  return {std::max(round_down(variable.begin, page.value), taken), round_up(variable.end, page.value)};
}

}  // namespace

std::vector<LoadedModule> loaded_modules() {
  std::vector<LoadedModule> modules;
  const NoFork whole;
  dl_iterate_phdr(add_module, &modules);
  return modules;
}

std::uint64_t modules_loaded() {
  std::uint64_t loaded = 0;
  const auto first = [](dl_phdr_info* info, std::size_t, void* out) {
    *static_cast<std::uint64_t*>(out) = info->dlpi_adds;
    return 1;
  };
  const NoFork whole;
  dl_iterate_phdr(first, &loaded);
  return loaded;
}

Result<std::vector<Object>> globals_of(const LoadedModule& module, Bytes page) {
  const Bytes least = page * std::uint64_t{2};
  std::vector<Object> objects;
  const auto is_large = [&](const LoadedModule::Part& part) { return part.end - part.begin >= least.value; };
  if (std::ranges::none_of(module.writable, is_large)) return objects;
  std::ifstream file(module.path.empty() ? "/proc/self/exe" : module.path, std::ios::binary);
  const auto variables = large_variables(reader_of(file), least);
  if (!variables) return std::unexpected(variables.error());
  std::uintptr_t taken = 0;
  for (const ElfVariable& variable : *variables) {
    const std::uintptr_t begin = module.base + variable.begin;
    const auto [first, last] = pages_of(module, {begin, begin + variable.bytes.value}, taken, page);
    if (first >= last) continue;
    taken = last;
    objects.push_back({.id = {},
                       .address = first,
                       .bytes = Bytes(last - first),
                       .name = variable.name,
                       .site = site_of_variable(reinterpret_cast<const void*>(begin)),
                       .variable = true});
  }
  return objects;
}

}  // namespace lbhm
