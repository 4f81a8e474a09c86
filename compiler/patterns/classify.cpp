#include "compiler/patterns/classify.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// More values than this are not looked at: real addresses are computed in few steps.
constexpr unsigned walk_limit = 128;

using Values = SmallSetVector<const Value*, 32>;

bool is_read(const Value* value) { return isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(value); }

/// Not comparisons: which way a condition goes is no address.
bool computes(const Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) return intrinsic->doesNotAccessMemory();
  return !isa<CallBase, AllocaInst, CmpInst>(instruction);
}

/// All within the loop from which the values are computed, they included. `stop`: what is not looked behind.
Values sources(ArrayRef<const Value*> of, const Loop& loop, function_ref<bool(const Value*)> stop) {
  Values all(of.begin(), of.end());
  for (unsigned at = 0; at < all.size() && at < walk_limit; ++at) {
    const auto* instruction = dyn_cast<Instruction>(all[at]);
    if (!instruction || !loop.contains(instruction) || stop(instruction) || !computes(*instruction)) continue;
    if (const auto* load = dyn_cast<LoadInst>(instruction)) {
      all.insert(load->getPointerOperand());
      continue;
    }
    for (const Use& operand : instruction->operands()) {
      if (!isa<BasicBlock>(operand)) all.insert(operand.get());
    }
  }
  return all;
}

bool nothing(const Value*) { return false; }

/// What the phi gets from the iteration before.
SmallVector<const Value*, 4> next_values(const PHINode& phi, const Loop& loop) {
  SmallVector<const Value*, 4> values;
  for (unsigned at = 0; at < phi.getNumIncomingValues(); ++at) {
    if (loop.contains(phi.getIncomingBlock(at))) values.push_back(phi.getIncomingValue(at));
  }
  return values;
}

/// Whether a load makes the phi's next value whose own address needs the phi.
bool is_chased(const PHINode& phi, const Loop& loop) {
  return any_of(sources(next_values(phi, loop), loop, is_read), [&](const Value* value) {
    const auto* load = dyn_cast<LoadInst>(value);
    return load && loop.contains(load) && sources({load->getPointerOperand()}, loop, nothing).contains(&phi);
  });
}

std::optional<std::int64_t> constant(const SCEV* bytes) {
  const auto* known = dyn_cast<SCEVConstant>(bytes);
  if (!known || known->getAPInt().getSignificantBits() > 63) return std::nullopt;
  return known->getAPInt().getSExtValue();
}

bool is_within(const SCEV* bytes, std::uint64_t run) {
  auto known = constant(bytes);
  return known && *known != 0 && static_cast<std::uint64_t>(std::abs(*known)) <= run;
}

void classify_random(NestAccess& access, const Loop& loop, const Nest& nest, const Resolver& resolver) {
  auto rests = [&](const Value* value) {
    return any_of(access.address.leaves, [&](const Value* leaf) {
      const StandIn* other = resolver.stand_in(leaf);
      return other && other->of == value && other->level->contains(&loop);
    });
  };
  const Value* pointer = access.access.pointer;
  if (!access.write && is_chase(*access.access.instruction, *pointer, loop, nest))
    access.pattern.kind = PatternKind::chase;
  else if (needs_loaded_value({pointer}, nest.outermost, rests))
    access.pattern.kind = access.write ? PatternKind::scatter : PatternKind::gather;
  else
    access.pattern.kind = PatternKind::unknown;
}

/// Whether another loop goes on beside what this one touches: by one element, or (in triangles, where the inner loop
/// begins with the outer one's counter) by one element and one step.
bool fills_in(const Step& other, const Step& moved, std::uint64_t run, ScalarEvolution& evolution) {
  return is_within(other.bytes, run) || is_within(evolution.getMinusSCEV(other.bytes, moved.bytes), run) ||
         is_within(evolution.getAddExpr(other.bytes, moved.bytes), run);
}

void classify_step(NestAccess& access, const Step& moved, ScalarEvolution& evolution, const Resolver& resolver) {
  const Address& address = access.address;
  access.sometimes =
      is_counted_from(*access.access.pointer, *moved.loop, [&](const Value* phi) { return resolver.halts(phi); });
  auto stride = constant(moved.bytes);
  access.pattern.stride = stride.value_or(0);
  access.pair &= any_of(address.steps, [&](const Step& step) {
    auto bytes = constant(step.bytes);
    return bytes && static_cast<std::uint64_t>(std::abs(*bytes)) == 2 * access.element;
  });
  if (!stride) access.symbolic_step = moved.bytes;
  if (is_within(moved.bytes, access.run)) {
    access.pattern.kind = PatternKind::stream;
    return;
  }
  access.transposed = any_of(address.steps, [&](const Step& other) {
    return &other != &moved && fills_in(other, moved, access.run, evolution);
  });
  access.pattern.kind = access.transposed ? PatternKind::stream : PatternKind::strided;
}

/// Whether all that changes is where the OpenMP runtime says that the next chunk begins: it puts that on the stack.
bool moves_by_chunks(const NestAccess& access, const Loop& loop, const Resolver& resolver) {
  return !access.address.scrambled.contains(&loop) && all_of(access.address.leaves, [&](const Value* leaf) {
    if (resolver.stand_in(leaf)) return true;
    const auto* instruction = dyn_cast<Instruction>(leaf);
    if (!instruction || !loop.contains(instruction)) return true;
    const auto* load = dyn_cast<LoadInst>(instruction);
    return load && isa<AllocaInst>(load->getPointerOperand());
  });
}

/// A copy goes on from where it begins, however its beginning moves.
void classify_range(NestAccess& access) {
  if (access.access.shape != Shape::range || is_random(access.pattern.kind)) return;
  if (access.pattern.kind == PatternKind::strided && access.access.bytes != 0) return;
  access.pattern.kind = PatternKind::stream;
}

}  // namespace

bool needs_loaded_value(ArrayRef<const Value*> values, const Loop& loop, function_ref<bool(const Value*)> rests) {
  return any_of(sources(values, loop, is_read), [&](const Value* value) {
    if (!is_read(value) || !loop.contains(cast<Instruction>(value)) || rests(value)) return false;
    const auto* load = dyn_cast<LoadInst>(value);
    return !load || !isa<AllocaInst>(load->getPointerOperand()->stripInBoundsConstantOffsets());
  });
}

bool is_counted_from(const Value& pointer, const Loop& loop, function_ref<bool(const Value*)> is) {
  return any_of(sources({&pointer}, loop, is_read), [&](const Value* value) {
    const auto* phi = dyn_cast<PHINode>(value);
    return phi && phi->getParent() == loop.getHeader() && is(phi);
  });
}

bool is_chase(const Instruction& access, const Value& pointer, const Loop& loop, const Nest& nest) {
  if (!is_read(&access)) return false;
  for (const Value* value : sources({&pointer}, loop, nothing)) {
    const auto* phi = dyn_cast<PHINode>(value);
    const Loop* headed = phi ? nest.loop_headed_by(*phi) : nullptr;
    if (!headed || !loop.contains(headed)) continue;
    const Values next = sources(next_values(*phi, *headed), *headed, nothing);
    if (next.contains(&access)) return true;
    const Values directly = sources({&pointer}, loop, is_read);
    if (directly.contains(phi) && is_chased(*phi, *headed)) return true;
    if (any_of(directly, [&](const Value* from) { return is_read(from) && next.contains(from); })) return true;
  }
  return false;
}

void classify(NestAccess& access, const Nest& nest, const Resolver& resolver) {
  const Address& address = access.address;
  access.pattern.element = access.element;
  access.pattern.write = access.write;
  if (!address.expression) {
    classify_random(access, *access.loop, nest, resolver);
    return;
  }
  access.pattern.kind = PatternKind::fixed;
  for (const Loop* loop = access.loop; loop; loop = loop->getParentLoop()) {
    if (address.scrambled.contains(loop) || address.changes_by_value(*loop, resolver)) {
      classify_random(access, *loop, nest, resolver);
      if (access.pattern.kind == PatternKind::unknown && moves_by_chunks(access, *loop, resolver))
        access.pattern.kind = PatternKind::strided;
      break;
    }
    const auto* moved = find_if(address.steps, [&](const Step& step) { return step.loop == loop; });
    if (moved != address.steps.end()) {
      classify_step(access, *moved, nest.evolution, resolver);
      break;
    }
  }
  classify_range(access);
}

}  // namespace lbhm::compiler
