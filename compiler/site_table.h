// Numbers of sites, and the section that says what there is to say of them.
#pragma once

#include <cstdint>
#include <vector>

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// A struct lbhm_emu_site.
struct SiteRecord {
  std::uint32_t number;
  std::uint32_t address_from;
  std::uint32_t flags;
};

constexpr const char* site_section = "lbhm_sites";

/// The number by which the emulator knows the function's site: a hash to 14 bits, the same in every build, never 0.
std::uint32_t site_number(const llvm::Function& function, unsigned index);

/// Adds the records to the module's part of the section.
void add_site_table(llvm::Module& module, const std::vector<SiteRecord>& records);

}  // namespace lbhm::compiler
