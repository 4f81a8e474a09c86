#include "compiler/instrument/push.h"

#include "lbhm/instrumentation.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

/// Half of what a check guarantees: the other half is the sink's when there is no liblbhm.
constexpr unsigned most_entries = LBHM_EMU_SINK / 2;
/// No address of the program's: the first access always differs from it.
constexpr std::uint64_t no_address = ~std::uint64_t{0};

}  // namespace

std::uint64_t entry_flags(const Site& site) {
  std::uint64_t flags = std::uint64_t{site.number} << LBHM_EMU_SITE_SHIFT;
  return site.access.write ? flags | LBHM_EMU_WRITE : flags;
}

Pusher::Pusher(Function& of, Locals& held, Function* refill_function)
    : locals(held),
      function(of),
      refill(refill_function),
      canonical(Triple(of.getParent()->getTargetTriple()).isX86()),
      builder(of.getContext()) {}

void Pusher::push(const CallFreeSegment& segment, const Flush& flush) {
  end = segment.end;
  unsigned room = 0;
  for (const Site& site : segment.sites) {
    unsigned entries = entries_of(site);
    if (room < entries) {
      make_room(flush);
      room = most_entries;
    }
    room -= entries;
    builder.SetInsertPoint(end);
    push_site(site);
  }
}

void Pusher::push_branch(Instruction& before, std::uint32_t source, const Flush& flush) {
  end = &before;
  make_room(flush);
  builder.SetInsertPoint(end);
  Value* next = locals.load(builder, field_next);
  std::uint64_t mispredicted = std::uint64_t{source} << LBHM_EMU_SITE_SHIFT | LBHM_EMU_BRANCH;
  builder.CreateStore(builder.getInt64(mispredicted), next);
  advance(next, builder.getInt64(8));
}

void Pusher::make_room(const Flush& flush) {
  builder.SetInsertPoint(end);
  Value* limit = builder.CreateLoad(builder.getPtrTy(), locals.field(builder, field_limit));
  Value* full = builder.CreateICmpUGE(locals.load(builder, field_next), limit);
  MDNode* unlikely = MDBuilder(function.getContext()).createUnlikelyBranchWeights();
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(full, end, false, unlikely));
  flush(builder);
  locals.write_back(builder);
  builder.CreateCall(refill, {locals.thread_address()})->setCallingConv(refill->getCallingConv());
  locals.reload(builder);
}

void Pusher::push_site(const Site& site) {
  flags = entry_flags(site);
  switch (site.access.shape) {
    case Shape::plain:
      return push_plain(site);
    case Shape::lanes:
      return push_lanes(site);
    default:
      return push_masked(site);
  }
}

void Pusher::push_plain(const Site& site) {
  Value* base = builder.CreatePtrToInt(site.access.pointer, builder.getInt64Ty());
  auto at = [&](std::int64_t offset) {
    return builder.CreateAdd(base, builder.getInt64(static_cast<std::uint64_t>(offset)));
  };
  Probes probes = probes_of(site);
  AllocaInst* last = site.looped || probes.offsets.size() > 1 ? locals.variable("lbhm.last", no_address) : nullptr;
  for (std::size_t index = 0; index < probes.offsets.size(); ++index) {
    bool first = index == 0;
    Value* address = at(probes.offsets[index]);
    if (!first || site.looped) {
      push_if_new(address, last, first && probes.other_end ? at(*probes.other_end) : nullptr);
      continue;
    }
    push_now(address, builder.getInt64(1));
    if (last) builder.CreateStore(address, last);
  }
}

/// The first and the last element that the mask lets through; an empty mask repeats the last address.
void Pusher::push_masked(const Site& site) {
  unsigned count = cast<FixedVectorType>(site.access.mask->getType())->getNumElements();
  Value* bits = builder.CreateBitCast(site.access.mask, builder.getIntNTy(count));
  Value* some = builder.CreateIsNotNull(bits);
  auto width = [&](Value* narrow) { return builder.CreateZExtOrTrunc(narrow, builder.getInt64Ty()); };
  Value* first = builder.getInt64(0);
  Value* after = nullptr;
  if (site.access.shape == Shape::packed) {
    after = width(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits));
  } else {
    first = width(builder.CreateBinaryIntrinsic(Intrinsic::cttz, bits, builder.getFalse()));
    Value* off = width(builder.CreateBinaryIntrinsic(Intrinsic::ctlz, bits, builder.getFalse()));
    after = builder.CreateSub(builder.getInt64(count), off);
  }
  Value* base = builder.CreatePtrToInt(site.access.pointer, builder.getInt64Ty());
  Value* size = builder.getInt64(site.access.bytes);
  Value* low = builder.CreateAdd(base, builder.CreateMul(first, size));
  Value* high = builder.CreateSub(builder.CreateAdd(base, builder.CreateMul(after, size)), builder.getInt64(1));
  AllocaInst* last = locals.variable("lbhm.last", no_address);
  for (Value* address : {low, high}) {
    Value* same = builder.CreateLoad(builder.getInt64Ty(), last);
    push_if_new(builder.CreateSelect(some, address, same), last, nullptr);
  }
}

/// All lanes, without a look at the last line: the entries are one vector. Lanes that are off become 0.
void Pusher::push_lanes(const Site& site) {
  unsigned count = cast<FixedVectorType>(site.access.pointer->getType())->getNumElements();
  auto* type = FixedVectorType::get(builder.getInt64Ty(), count);
  Value* entries = entry(builder.CreatePtrToInt(site.access.pointer, type));
  Value* next = locals.load(builder, field_next);
  Value* kept = builder.CreateSelect(site.access.mask, entries, Constant::getNullValue(type));
  builder.CreateAlignedStore(kept, next, Align(8));
  advance(next, builder.getInt64(std::uint64_t{8} * count));
}

/// if (line of address != line of last) { push; last = address; }
void Pusher::push_if_new(Value* address, AllocaInst* last, Value* other_end) {
  Value* before = builder.CreateLoad(builder.getInt64Ty(), last);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_other_line(address, before), end, false));
  if (other_end) {
    Value* fresh = builder.CreateAnd(is_other_line(other_end, before), is_other_line(other_end, address));
    push_now(other_end, builder.CreateZExt(fresh, builder.getInt64Ty()));
  }
  push_now(address, builder.getInt64(1));
  builder.CreateStore(address, last);
  builder.SetInsertPoint(end);
}

/// Writes the entry, and lets it stand if `kept` is 1, not 0.
void Pusher::push_now(Value* address, Value* kept) {
  Value* next = locals.load(builder, field_next);
  builder.CreateStore(entry(address), next);
  advance(next, builder.CreateShl(kept, 3));
}

void Pusher::advance(Value* from, Value* bytes) {
  locals.store(builder, builder.CreatePtrAdd(from, bytes), field_next);
}

Value* Pusher::is_other_line(Value* left, Value* right) {
  return builder.CreateICmpUGE(builder.CreateXor(left, right), builder.getInt64(line_bytes));
}

Value* Pusher::entry(Value* address) {
  Type* type = address->getType();
  if (!canonical) address = builder.CreateAnd(address, ConstantInt::get(type, LBHM_EMU_ADDRESS_MASK));
  return builder.CreateOr(address, ConstantInt::get(type, flags));
}

}  // namespace lbhm::compiler
