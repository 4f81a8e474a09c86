// Joins the accesses of a straight piece of code that lie side by side into one site.
//
// An unrolled or vectorised loop reads a[i..i+3], a[i+4..i+7], ... by several instructions. They are one stream for the
// machine, and looking at the first and the last byte of all of them finds every line that they touch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/instrument/accesses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

constexpr std::int64_t line_bytes = 64;

/// One access site: the bytes [low, high) from `access.pointer`. The holes in it are smaller than a line, so every line
/// of the interval is one that is touched.
struct Site {
  Access access;                                          ///< the first one in program order
  llvm::SmallVector<llvm::Instruction*, 2> instructions;  ///< all that it stands for
  std::int64_t low = 0;
  std::int64_t high = 0;
  bool looped = false;  ///< may run again in the same call: keeps its last line
  int direction = 0;    ///< 1, -1: runs upward, downward through memory without leaving out a line; 0: not known to
  std::uint32_t number = 0;        ///< by which the emulator knows it
  std::uint32_t address_from = 0;  ///< number of the site that its addresses are computed from; 0: none
};

/// Entries that the site may push at most.
unsigned entries_of(const Site& site);

/// Offsets from the site's pointer at which to look for new lines, in this order.
struct Probes {
  llvm::SmallVector<std::int64_t, 4> offsets;
  /// Only where the first probe finds a new line: the other end, whose line is new when a sweep begins.
  std::optional<std::int64_t> other_end;
};

Probes probes_of(const Site& site);

/// Makes sites of plain and masked accesses of code without calls, in order of their first access.
std::vector<Site> cluster(llvm::ArrayRef<Access> accesses, llvm::ScalarEvolution& evolution);

// Numbers of sites, and the section that says what there is to say of them.

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
