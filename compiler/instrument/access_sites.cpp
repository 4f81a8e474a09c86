#include "compiler/instrument/access_sites.h"

#include <algorithm>
#include <optional>

#include "compiler/link/merged_symbols.h"
#include "lbhm/instrumentation.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/xxhash.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

/// How many of the sites found last are looked at: keeps long blocks linear.
constexpr std::size_t window = 32;
/// Bytes; keeps the entries of one site far below the room that a check of the buffer gives.
constexpr std::int64_t longest_site = 32 * line_bytes;

/// Bytes from the first access of the site to this one, if that is a constant.
std::optional<std::int64_t> distance(const Site& site, const Access& access, ScalarEvolution& evolution) {
  if (access.shape != Shape::plain || site.access.shape != Shape::plain) return std::nullopt;
  if (access.write != site.access.write || access.nontemporal != site.access.nontemporal ||
      access.address_from != site.access.address_from)
    return std::nullopt;
  if (access.pointer == site.access.pointer) return 0;
  const SCEV* here = evolution.getSCEV(access.pointer);
  const SCEV* there = evolution.getSCEV(site.access.pointer);
  if (evolution.getPointerBase(here) != evolution.getPointerBase(there)) return std::nullopt;
  const auto* constant = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(here, there));
  if (!constant || constant->getAPInt().getSignificantBits() > 32) return std::nullopt;
  return constant->getAPInt().getSExtValue();
}

/// Probes a line apart, at least one, that leave no line between them out.
std::int64_t lines_of(const Site& site) { return (site.high - site.low + line_bytes - 1) / line_bytes; }

/// The sign of the step from one iteration to the next, if the steps are so small that the site's probes meet every
/// line.
int direction_of(const Site& site, ScalarEvolution& evolution) {
  if (site.access.shape != Shape::plain) return 0;
  const auto* recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(site.access.pointer));
  if (!recurrence || !recurrence->isAffine()) return 0;
  const auto* step = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(evolution));
  if (!step || step->getAPInt().abs().ugt(static_cast<std::uint64_t>(lines_of(site) * line_bytes))) return 0;
  return step->getAPInt().isNegative() ? -1 : 1;
}

/// Whether the bytes from `low` on, of which there are `size`, are in one line for certain.
bool is_in_one_line(const Site& site, std::int64_t low, std::int64_t size) {
  auto alignment = static_cast<std::int64_t>(std::min<std::uint64_t>(site.access.align.value(), line_bytes));
  return size <= 1 || (low % alignment == 0 && size <= alignment);
}

/// Takes the access into the site if the hole between them is smaller than a line.
bool join(Site& site, const Access& access, ScalarEvolution& evolution) {
  auto from = distance(site, access, evolution);
  if (!from) return false;
  std::int64_t to = *from + static_cast<std::int64_t>(access.bytes);
  if (*from >= site.high + line_bytes || to <= site.low - line_bytes) return false;
  if (std::max(site.high, to) - std::min(site.low, *from) > longest_site) return false;
  site.low = std::min(site.low, *from);
  site.high = std::max(site.high, to);
  site.instructions.push_back(access.instruction);
  return true;
}

}  // namespace

Probes probes_of(const Site& site) {
  Probes probes;
  std::int64_t lines = lines_of(site);
  if (site.looped && site.direction != 0 && !is_in_one_line(site, site.low, site.high - site.low)) {
    std::int64_t front = site.direction > 0 ? site.high - 1 : site.low;
    for (std::int64_t behind = lines - 1; behind >= 0; --behind) {
      probes.offsets.push_back(front - site.direction * behind * line_bytes);
    }
    probes.other_end = site.direction > 0 ? site.low : site.high - 1;
    return probes;
  }
  for (std::int64_t line = 0; line < lines; ++line) probes.offsets.push_back(site.low + line * line_bytes);
  if (!is_in_one_line(site, probes.offsets.back(), site.high - probes.offsets.back())) {
    probes.offsets.push_back(site.high - 1);
  }
  return probes;
}

unsigned entries_of(const Site& site) {
  if (site.access.shape == Shape::plain) return static_cast<unsigned>(probes_of(site).offsets.size()) + 1;
  if (site.access.shape != Shape::lanes) return 2;
  return cast<FixedVectorType>(site.access.pointer->getType())->getNumElements();
}

std::vector<Site> cluster(ArrayRef<Access> accesses, ScalarEvolution& evolution) {
  std::vector<Site> sites;
  for (const Access& access : accesses) {
    auto oldest = sites.size() > window ? sites.end() - window : sites.begin();
    auto near = std::find_if(oldest, sites.end(), [&](Site& site) { return join(site, access, evolution); });
    if (near != sites.end()) continue;
    sites.push_back(
        {.access = access, .instructions = {access.instruction}, .high = static_cast<std::int64_t>(access.bytes)});
  }
  for (Site& site : sites) site.direction = direction_of(site, evolution);
  return sites;
}

static_assert(sizeof(SiteRecord) == sizeof(lbhm_emu_site));

std::uint32_t site_number(const Function& function, unsigned index) {
  std::uint64_t hash = xxh3_64bits((function.getName() + "#" + Twine(index)).str());
  return static_cast<std::uint32_t>(hash % (LBHM_EMU_SITES - 1)) + 1;
}

void add_site_table(Module& module, const std::vector<SiteRecord>& records) {
  if (records.empty()) return;
  std::vector<std::uint32_t> words;
  for (const SiteRecord& record : records) {
    words.insert(words.end(), {record.number, record.address_from, record.flags});
  }
  add_to_section(module, site_section, ConstantDataArray::get(module.getContext(), words), Align(4), "sites");
}

}  // namespace lbhm::compiler
