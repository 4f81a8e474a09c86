#include "compiler/patterns/carried.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Phis that hand on from one to the next: more are no stencil that a person would write.
constexpr unsigned longest_hand = 4;

struct Place {
  std::size_t family, member;
};

class Carrier {
 public:
  Carrier(std::vector<Family>& in, std::vector<NestAccess>& all, const Nest& of)
      : families(in), accesses(all), nest(of) {
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (isa<LoadInst>(all[at].access.instruction)) index[all[at].access.instruction] = at;
    }
    for (std::size_t family = 0; family < families.size(); ++family) {
      for (std::size_t member = 0; member < families[family].members.size(); ++member) {
        Instruction* by = accesses[families[family].members[member].access].access.instruction;
        if (isa<LoadInst>(by)) read[by] = {family, member};
        if (auto* store = dyn_cast<StoreInst>(by)) written[store->getValueOperand()] = {family, member};
      }
    }
  }

  void add(PHINode& phi, const Loop& loop) {
    const BasicBlock* latch = loop.getLoopLatch();
    if (!latch || loop.getHeader() != phi.getParent()) return;
    const Value* value = &phi;
    for (std::int64_t hands = 1; hands <= longest_hand; ++hands) {
      const auto* from = dyn_cast<PHINode>(value);
      if (!from || from->getParent() != phi.getParent()) return;
      value = from->getIncomingValueForBlock(latch);
      if (add(value, phi, loop, hands)) return;
    }
  }

 private:
  bool add(const Value* value, const PHINode& phi, const Loop& loop, std::int64_t hands) {
    auto found = read.find(value);
    bool stored = found == read.end();
    if (stored) found = written.find(value);
    if (found == (stored ? written.end() : read.end())) return false;
    Family& family = families[found->second.family];
    const Member from = family.members[found->second.member];
    const NestAccess& access = accesses[from.access];
    const SCEV* step = access.address.step_in(loop);
    if (!step || access.loop != &loop || (stored && !begins_there(phi, loop, access))) return false;
    ScalarEvolution& evolution = nest.evolution;
    const SCEV* back =
        evolution.getMulExpr(step, evolution.getConstant(step->getType(), static_cast<std::uint64_t>(hands)));
    family.members.push_back({from.access, evolution.getMinusSCEV(from.distance, back), true});
    add_beginnings(phi, loop, family);
    return true;
  }

  void add_beginnings(const PHINode& phi, const Loop& loop, Family& family) {
    for (const BasicBlock* from : phi.blocks()) {
      auto found = loop.contains(from) ? index.end() : index.find(phi.getIncomingValueForBlock(from));
      if (found == index.end()) continue;
      family.beginnings.push_back(found->second);
      accesses[found->second].beginning = true;
    }
  }

  /// A sum that begins with a constant and is stored is not read from there.
  bool begins_there(const PHINode& phi, const Loop& loop, const NestAccess& access) const {
    return any_of(phi.blocks(), [&](const BasicBlock* from) {
      const auto* first = dyn_cast<LoadInst>(phi.getIncomingValueForBlock(from));
      return !loop.contains(from) && first &&
             base_value(first->getPointerOperand()) == base_value(access.access.pointer);
    });
  }

  std::vector<Family>& families;
  std::vector<NestAccess>& accesses;
  const Nest& nest;
  DenseMap<const Value*, Place> read, written;
  DenseMap<const Value*, std::size_t> index;  ///< of the reads
};

}  // namespace

void add_carried(std::vector<Family>& families, std::vector<NestAccess>& accesses, const Nest& nest) {
  Carrier carrier(families, accesses, nest);
  for (Loop* loop : nest.loops.getLoopsInPreorder()) {
    if (!nest.outermost.contains(loop)) continue;
    for (PHINode& phi : loop->getHeader()->phis()) carrier.add(phi, *loop);
  }
}

}  // namespace lbhm::compiler
