#include "compiler/push.h"

#include "lbhm/instrumentation.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/xxhash.h"
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

std::uint64_t entry_flags(const Function& function, const Site& site) {
  std::uint64_t hash = xxh3_64bits((function.getName() + "#" + Twine(site.number)).str());
  return (hash >> LBHM_EMU_SITE_SHIFT) << LBHM_EMU_SITE_SHIFT | (site.access.write ? LBHM_EMU_WRITE : 0) |
         (site.access.serial ? LBHM_EMU_SERIAL : 0);
}

Pusher::Pusher(Function& of, Locals& held, Function* refill_function)
    : function(of),
      locals(held),
      refill(refill_function),
      canonical(Triple(of.getParent()->getTargetTriple()).isX86()) {}

void Pusher::push(const Segment& segment, const std::function<void(IRBuilder<>&)>& flush) {
  ArrayRef<Site> rest = segment.sites;
  while (!rest.empty()) {
    std::size_t count = 0;
    for (unsigned entries = 0; count < rest.size(); ++count) {
      entries += entries_of(rest[count]);
      if (entries > most_entries) break;
    }
    push_group(segment.end, rest.take_front(count), flush);
    rest = rest.drop_front(count);
  }
}

void Pusher::push_group(Instruction* end, ArrayRef<Site> sites, const std::function<void(IRBuilder<>&)>& flush) {
  locals.next();
  IRBuilder<> builder(end);
  std::vector<Probe> probes;
  for (const Site& site : sites) {
    for (const Probe& probe : probes_of(builder, site)) probes.push_back(probe);
  }
  // Usually nothing changed in a loop: one branch around everything, the check for room included.
  bool filtered = all_of(probes, [](const Probe& probe) { return probe.last != nullptr; });
  if (filtered) end = SplitBlockAndInsertIfThen(any_changed(builder, probes), end, false);
  make_room(end, flush);
  builder.SetInsertPoint(end);
  for (const Probe& probe : probes) {
    if (probe.mask)
      push_lanes(builder, probe);
    else
      push_one(builder, probe, filtered && probes.size() == 1);
  }
}

std::vector<Pusher::Probe> Pusher::probes_of(IRBuilder<>& builder, const Site& site) {
  if (site.access.shape == Shape::plain) return plain_probes(builder, site);
  if (site.access.shape != Shape::lanes) return masked_probes(builder, site);
  auto* type = cast<FixedVectorType>(site.access.pointer->getType());
  Value* addresses =
      builder.CreatePtrToInt(site.access.pointer, FixedVectorType::get(builder.getInt64Ty(), type->getNumElements()));
  return {{addresses, site.access.mask, nullptr, entry_flags(function, site)}};
}

std::vector<Pusher::Probe> Pusher::plain_probes(IRBuilder<>& builder, const Site& site) {
  std::vector<Probe> probes;
  Value* base = builder.CreatePtrToInt(site.access.pointer, builder.getInt64Ty());
  AllocaInst* last = nullptr;
  for (std::int64_t offset : probe_offsets(site)) {
    // Upward, the first probe comes to where the last one was before: with one memory they push each line once.
    if (site.looped && !(last && site.ascending)) last = locals.variable("lbhm.last", no_address);
    Value* address = builder.CreateAdd(base, builder.getInt64(static_cast<std::uint64_t>(offset)));
    probes.push_back({address, nullptr, last, entry_flags(function, site)});
  }
  return probes;
}

/// The first and the last element that the mask lets through; an empty mask repeats the last address.
std::vector<Pusher::Probe> Pusher::masked_probes(IRBuilder<>& builder, const Site& site) {
  auto* type = cast<FixedVectorType>(site.access.mask->getType());
  unsigned count = type->getNumElements();
  Value* bits = builder.CreateBitCast(site.access.mask, builder.getIntNTy(count));
  Value* some = builder.CreateIsNotNull(bits);
  auto width = [&](Value* narrow) { return builder.CreateZExtOrTrunc(narrow, builder.getInt64Ty()); };
  bool packed = site.access.shape == Shape::packed;
  Value* first = builder.getInt64(0);
  Value* after;
  if (packed) {
    after = width(builder.CreateUnaryIntrinsic(Intrinsic::ctpop, bits));
  } else {
    first = width(builder.CreateBinaryIntrinsic(Intrinsic::cttz, bits, builder.getFalse()));
    after = builder.CreateSub(builder.getInt64(count),
                              width(builder.CreateBinaryIntrinsic(Intrinsic::ctlz, bits, builder.getFalse())));
  }
  Value* base = builder.CreatePtrToInt(site.access.pointer, builder.getInt64Ty());
  Value* size = builder.getInt64(site.access.bytes);
  Value* low = builder.CreateAdd(base, builder.CreateMul(first, size));
  Value* high = builder.CreateSub(builder.CreateAdd(base, builder.CreateMul(after, size)), builder.getInt64(1));
  std::vector<Probe> probes;
  for (Value* address : {low, high}) {
    AllocaInst* last = locals.variable("lbhm.last", no_address);
    Value* same = builder.CreateLoad(builder.getInt64Ty(), last);
    probes.push_back({builder.CreateSelect(some, address, same), nullptr, last, entry_flags(function, site)});
  }
  return probes;
}

Value* Pusher::difference(IRBuilder<>& builder, const Probe& probe) {
  return builder.CreateXor(probe.address, builder.CreateLoad(builder.getInt64Ty(), probe.last));
}

Value* Pusher::any_changed(IRBuilder<>& builder, ArrayRef<Probe> probes) {
  Value* all = builder.getInt64(0);
  for (const Probe& probe : probes) all = builder.CreateOr(all, difference(builder, probe));
  return builder.CreateICmpUGE(all, builder.getInt64(line_bytes));
}

void Pusher::make_room(Instruction* end, const std::function<void(IRBuilder<>&)>& flush) {
  IRBuilder<> builder(end);
  Value* limit = builder.CreateLoad(builder.getPtrTy(), locals.field(builder, field_limit));
  Value* full = builder.CreateICmpUGE(builder.CreateLoad(builder.getPtrTy(), locals.next()), limit);
  MDNode* unlikely = MDBuilder(function.getContext()).createUnlikelyBranchWeights();
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(full, end, false, unlikely));
  flush(builder);
  locals.write_back(builder);
  builder.CreateCall(refill, {locals.thread_address()})->setCallingConv(refill->getCallingConv());
  locals.reload(builder);
}

Value* Pusher::entry(IRBuilder<>& builder, Value* address, std::uint64_t flags) {
  Type* type = address->getType();
  if (!canonical) address = builder.CreateAnd(address, ConstantInt::get(type, LBHM_EMU_ADDRESS_MASK));
  return builder.CreateOr(address, ConstantInt::get(type, flags));
}

void Pusher::advance(IRBuilder<>& builder, Value* from, Value* bytes) {
  builder.CreateStore(builder.CreatePtrAdd(from, bytes), locals.next());
}

/// Without a branch: the entry is always written, and kept only if its line is another one.
void Pusher::push_one(IRBuilder<>& builder, const Probe& probe, bool changed) {
  Value* next = builder.CreateLoad(builder.getPtrTy(), locals.next());
  builder.CreateStore(entry(builder, probe.address, probe.flags), next);
  Value* kept = builder.getInt64(1);
  if (probe.last && !changed) {
    Value* other = builder.CreateICmpUGE(difference(builder, probe), builder.getInt64(line_bytes));
    kept = builder.CreateZExt(other, builder.getInt64Ty());
  }
  if (probe.last) builder.CreateStore(probe.address, probe.last);
  advance(builder, next, builder.CreateShl(kept, 3));
}

void Pusher::push_lanes(IRBuilder<>& builder, const Probe& probe) {
  auto* type = cast<FixedVectorType>(probe.address->getType());
  Value* next = builder.CreateLoad(builder.getPtrTy(), locals.next());
  Value* entries =
      builder.CreateSelect(probe.mask, entry(builder, probe.address, probe.flags), Constant::getNullValue(type));
  builder.CreateAlignedStore(entries, next, Align(8));
  advance(builder, next, builder.getInt64(8 * type->getNumElements()));
}

}  // namespace lbhm::compiler
