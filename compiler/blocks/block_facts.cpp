#include "compiler/blocks/block_facts.h"

#include <algorithm>
#include <limits>

#include "compiler/access.h"
#include "compiler/own.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

std::uint32_t narrow(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, std::numeric_limits<std::uint32_t>::max()));
}

/// Bytes of one access; of masked ones as if all elements were on.
std::uint64_t bytes_of(const Access& access) {
  if (access.shape == Shape::range) {
    const auto* size = dyn_cast<ConstantInt>(access.size);
    return size ? size->getZExtValue() : 0;
  }
  if (access.shape == Shape::plain) return access.bytes;
  const Instruction& instruction = *access.instruction;
  Type* type = access.write ? instruction.getOperand(0)->getType() : instruction.getType();
  return instruction.getDataLayout().getTypeStoreSize(type).getKnownMinValue();
}

/// The line in the function's own source of what may have been inlined into it; 0: none.
std::uint32_t line_of(const Instruction& instruction) {
  const DILocation* location = instruction.getDebugLoc();
  while (location && location->getInlinedAt()) location = location->getInlinedAt();
  return location ? location->getLine() : 0;
}

void add_line(BlockFacts& facts, std::uint32_t line) {
  if (line == 0) return;
  facts.first_line = facts.first_line == 0 ? line : std::min(facts.first_line, line);
  facts.last_line = std::max(facts.last_line, line);
}

}  // namespace

BlockFacts facts_of(const PieceClass& pieces, const CostModel& model, const TargetLibraryInfo& library) {
  BlockFacts facts;
  BlockCost cost;
  std::uint64_t bytes = 0;
  for (const Piece& piece : pieces.pieces) {
    Instruction* first = piece.from ? piece.from : &piece.block->front();
    for (Instruction* each = first; each != piece.end; each = each->getNextNode()) {
      if (is_own(*each)) continue;
      cost += model.cost(*each);
      for (const Access& access : find_accesses(*each, library).seen) bytes += bytes_of(access);
      add_line(facts, line_of(*each));
    }
  }
  facts.instructions = narrow(cost.instructions);
  facts.slots = narrow(cost.slots());
  facts.bytes = narrow(bytes);
  facts.depth = model.loops().getLoopDepth(&pieces.leader());
  return facts;
}

}  // namespace lbhm::compiler
