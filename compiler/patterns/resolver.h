// Whether the loops of a nest write to the place from which a pointer or a bound is loaded.
//
// LLVM's alias analysis has to assume that a store through char* or void** changes every pointer in memory. For what
// pattern an access has it is enough that nobody writes through the same base: an aliasing store would have to be a
// trick that the source does not show either.
#pragma once

#include "compiler/patterns/nest.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace lbhm::compiler {

class Writes {
 public:
  explicit Writes(const Nest& in);

  /// Whether a store in the loop goes, or a call that gets the base as an argument may go, to the bytes that are
  /// loaded.
  bool may_change(const llvm::LoadInst& load, const llvm::Loop& loop);

 private:
  struct Write {
    const llvm::Instruction* by;
    const llvm::Value* pointer;  ///< null: anywhere behind the base
    llvm::Type* type;
  };

  const llvm::Value* identity(const llvm::Value* pointer);
  bool may_hit(const Write& write, const llvm::LoadInst& load) const;

  const Nest& nest;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<Write, 2>> writes;  ///< by base
  llvm::DenseMap<const llvm::Value*, const llvm::Value*> loads;            ///< by the place that they load from
};

/// The value from which the pointer is computed by offsets alone.
const llvm::Value* base_value(const llvm::Value* pointer);

// Symbolic addresses as a person would write them: ScalarEvolution's expressions, with what it cannot prove but every
// source means.
//   - a load whose place nobody in the loop writes to is one value there (captured pointers, members, row lengths);
//   - indices of 32 bits do not overflow;
//   - a quotient by an invariant (collapse, i / m) moves slowly, the remainder as the dividend does;
//   - a counter that only some iterations increase moves by its step;
//   - of a choice between a moving and a resting index (borders, clamps) the moving one counts.

class Resolver : public llvm::SCEVRewriteVisitor<Resolver> {
 public:
  Resolver(const Nest& in, StandIns& with) : SCEVRewriteVisitor(in.evolution), nest(in), writes(in), stand_ins(with) {}

  /// The resolved address or number.
  const llvm::SCEV* resolve(llvm::Value* value) { return visit(SE.getSCEV(value)); }
  /// Whether it is a counter that has been resolved, and some iterations do not step.
  bool halts(const llvm::Value* value) const { return halting.contains(value); }
  const StandIn* stand_in(const llvm::Value* value) const { return stand_ins.find(value); }

  const llvm::SCEV* visit(const llvm::SCEV* expression);
  const llvm::SCEV* visitUnknown(const llvm::SCEVUnknown* unknown);
  const llvm::SCEV* visitSignExtendExpr(const llvm::SCEVSignExtendExpr* cast);
  const llvm::SCEV* visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr* cast);
  const llvm::SCEV* visitTruncateExpr(const llvm::SCEVTruncateExpr* cast);
  const llvm::SCEV* visitUDivExpr(const llvm::SCEVUDivExpr* division);
  const llvm::SCEV* visitSMaxExpr(const llvm::SCEVSMaxExpr* limit) { return choose(limit); }
  const llvm::SCEV* visitSMinExpr(const llvm::SCEVSMinExpr* limit) { return choose(limit); }
  const llvm::SCEV* visitUMaxExpr(const llvm::SCEVUMaxExpr* limit) { return choose(limit); }
  const llvm::SCEV* visitUMinExpr(const llvm::SCEVUMinExpr* limit) { return choose(limit); }

 private:
  const llvm::SCEV* resolve_instruction(llvm::Instruction& instruction);
  const llvm::SCEV* resolve_load(llvm::LoadInst& load);
  const llvm::SCEV* resolve_phi(llvm::PHINode& phi);
  const llvm::SCEV* resolve_division(llvm::BinaryOperator& division);
  const llvm::SCEV* quotient(const llvm::SCEV* dividend, const llvm::SCEV* divisor, const llvm::Instruction* of);
  const llvm::SCEV* choose(const llvm::SCEVMinMaxExpr* limit);
  const llvm::SCEV* moving_one(llvm::ArrayRef<const llvm::SCEV*> of);
  const llvm::SCEV* map(const llvm::SCEV* expression, llvm::function_ref<const llvm::SCEV*(const llvm::SCEV*)> change);
  const llvm::SCEV* widen(const llvm::SCEV* expression, llvm::Type* type);
  const llvm::SCEV* narrow(const llvm::SCEV* expression, llvm::Type* type);
  bool rests(const llvm::SCEV* expression) const;

  const Nest& nest;
  Writes writes;
  StandIns& stand_ins;
  llvm::DenseMap<const llvm::SCEV*, const llvm::SCEV*> known;
  llvm::DenseMap<std::pair<const llvm::SCEV*, const llvm::SCEV*>, const llvm::SCEV*> quotients;
  llvm::DenseMap<std::pair<const llvm::SCEV*, const llvm::Loop*>, const llvm::SCEV*> loaded;
  llvm::SmallPtrSet<const llvm::Value*, 8> under_way;
  llvm::SmallPtrSet<const llvm::Value*, 4> halting;
};

/// The unknown values that the expression is made of.
llvm::SmallVector<const llvm::Value*, 4> leaves(const llvm::SCEV* expression);

}  // namespace lbhm::compiler
