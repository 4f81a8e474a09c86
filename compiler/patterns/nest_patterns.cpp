#include "compiler/patterns/nest_patterns.h"

#include "compiler/patterns/neighbours.h"
#include "compiler/patterns/stencil_patterns.h"
#include "llvm/Support/raw_ostream.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Larger nests (generated code) are left alone beyond this many accesses.
constexpr std::size_t most_accesses = 20000;

class NestReader {
 public:
  NestReader(const Nest& of, StandIns& making, BlockFrequencyInfo& with)
      : nest(of),
        stand_ins(making),
        frequencies(with),
        resolver(of, making),
        names(of.function, of.loops, making),
        text(names, of.evolution),
        bases(of, resolver, names) {}

  std::optional<NestPatterns> read() {
    for (BasicBlock* block : nest.outermost.blocks()) {
      for (Instruction& instruction : *block) {
        for (const Access& access : find_accesses(instruction, nest.library).seen) add(access);
      }
    }
    if (accesses.empty()) return std::nullopt;
    std::vector<Family> families = find_families(accesses, nest);
    for (const Family& family : families) find_runs(family, accesses, nest);
    for (NestAccess& access : accesses) classify(access, nest, resolver);
    find_all_stencils(std::move(families));
    return write();
  }

 private:
  void find_all_stencils(std::vector<Family> families) {
    Replaced rows = join_rows(accesses, nest, resolver, stand_ins);
    if (!rows.empty()) families = find_families(accesses, nest);
    add_carried(families, accesses, nest);
    Distances distances(nest.evolution);
    for (const Family& family : families) find_stencils(family, accesses, nest, resolver, text, distances);
    for (auto& [at, address] : rows) accesses[at].address = std::move(address);
  }

  void add(const Access& access) {
    if (accesses.size() == most_accesses) return;
    const Loop* loop = nest.loop_of(*access.instruction);
    NestAccess made;
    made.access = access;
    made.loop = loop;
    made.write = access.write;
    made.element = access.shape == Shape::range && access.bytes == 0 ? 1 : access.bytes;
    made.run = made.element;
    made.address = find_address(*access.pointer, *loop, nest, resolver);
    accesses.push_back(std::move(made));
  }

  NestPatterns write() {
    NestPatterns result{.function = &nest.function, .line = 0, .loops = {}, .bases = {}, .accesses = {}};
    SmallVector<Loop*, 8> order;
    DenseMap<const Loop*, std::size_t> index;
    for (Loop* loop : const_cast<Loop&>(nest.outermost).getLoopsInPreorder()) {
      index[loop] = result.loops.size();
      DebugLoc start = loop->getStartLoc();
      result.loops.push_back({start ? start.getLine() : 0, loop->getLoopDepth(), trip(*loop)});
    }
    result.line = result.loops.front().line;
    for (const NestAccess& access : accesses) result.accesses.push_back(describe(access, index[access.loop]));
    result.bases = std::move(bases.all);
    for (Base& base : result.bases) {
      for (const NotePlace& place : base.places) base.frequency += frequency_of(*place.before, frequencies);
    }
    return result;
  }

  std::optional<std::string> trip(const Loop& loop) {
    const SCEV* back = nest.evolution.getBackedgeTakenCount(&loop);
    if (isa<SCEVCouldNotCompute>(back)) return std::nullopt;
    const SCEV* resolved = resolver.visit(back);
    // x / c + 1 as (x + c) / c, which is what the source says.
    if (const auto* division = dyn_cast<SCEVUDivExpr>(resolved))
      return text.of(nest.evolution.getUDivExpr(nest.evolution.getAddExpr(division->getLHS(), division->getRHS()),
                                                division->getRHS()));
    return text.of(nest.evolution.getAddExpr(resolved, nest.evolution.getOne(resolved->getType())));
  }

  AccessText describe(const NestAccess& access, std::size_t loop) {
    AccessText described{.instruction = access.access.instruction,
                         .pointer = access.access.pointer,
                         .moves_in = access.address.steps.empty() ? access.loop : access.address.steps.front().loop,
                         .base = bases.find(*access.access.pointer, access.address, *access.loop,
                                            access.access.instruction->getType()->isPointerTy()),
                         .line = line_of(*access.access.instruction),
                         .loop = loop,
                         .pattern = access.pattern,
                         .type = type_of(access),
                         .transposed = access.transposed && access.pattern.kind == PatternKind::stream,
                         .sometimes = access.sometimes,
                         .step = std::nullopt,
                         .offsets = access.offsets,
                         .frequency = frequency_of(*access.access.instruction, frequencies)};
    if (access.pair) described.pattern.element = 2 * access.element;
    if (access.symbolic_step) described.step = text.of(access.symbolic_step).value_or("?");
    return described;
  }

  static std::string type_of(const NestAccess& access) {
    Instruction* instruction = access.access.instruction;
    if (access.access.shape == Shape::range) return "bytes";
    Type* type = getLoadStorePointerOperand(instruction) ? getLoadStoreType(instruction) : nullptr;
    if (auto* update = dyn_cast<AtomicRMWInst>(instruction)) type = update->getValOperand()->getType();
    if (auto* swap = dyn_cast<AtomicCmpXchgInst>(instruction)) type = swap->getNewValOperand()->getType();
    if (!type) return "i" + std::to_string(access.element * 8);
    std::string name;
    raw_string_ostream(name) << *type;
    return access.pair ? "{" + name + "," + name + "}" : name;
  }

  const Nest& nest;
  StandIns& stand_ins;
  BlockFrequencyInfo& frequencies;
  Resolver resolver;
  Names names;
  ExpressionText text;
  Bases bases;
  std::vector<NestAccess> accesses;
};

}  // namespace

std::optional<NestPatterns> find_patterns(const Nest& nest, StandIns& stand_ins, BlockFrequencyInfo& frequencies) {
  return NestReader(nest, stand_ins, frequencies).read();
}

}  // namespace lbhm::compiler
