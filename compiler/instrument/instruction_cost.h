// What the program's instructions cost a processor: from LLVM's tables (TargetTransformInfo), as far as they go.
//
// Instructions are those that a core dispatches: what the code generator folds into others (addresses, loads into the
// operation that uses them, a comparison into its branch, extensions into loads) counts nothing.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"

namespace lbhm::compiler {

/// Instructions a cycle of the core whose slots are counted.
constexpr std::uint64_t dispatch_width = 4;
/// Cycles of a floating-point addition in its chains (Skylake).
constexpr std::uint64_t addition_latency = 4;

/// What one run of a block adds to the counters. Counted in the program's own code, before the instrumentation.
struct BlockCost {
  std::uint64_t instructions = 0;
  std::uint64_t accesses = 0;  ///< that the emulator sees
  std::uint64_t vectors = 0;
  std::uint64_t branches = 0;
  std::uint64_t loads = 0;  ///< all, those from the stack too
  std::uint64_t stores = 0;
  std::uint64_t wide_loads = 0;       ///< of floating-point and vector registers
  std::uint64_t arithmetic = 0;       ///< of floating-point numbers
  std::uint64_t additions = 0;        ///< of them
  std::uint64_t products = 0;         ///< of them, those with an addition included
  std::uint64_t vector_integers = 0;  ///< arithmetic of them
  std::uint64_t vector_shifts = 0;    ///< of that, shifts and multiplications
  std::uint64_t multiplies = 0;       ///< of integers
  std::uint64_t divisions = 0;        ///< cycles of the divider
  std::uint64_t conversions = 0;      ///< between integer and floating-point registers

  BlockCost& operator+=(const BlockCost& other);

  /// Dispatch slots: the instructions, or what the units let through in their time. A core of four slots a cycle has
  /// two load ports, one store port, two pipes for floating point, one integer multiplier and one divider
  /// (Intel 64 and IA-32 Architectures Optimization Reference Manual, Skylake; Software Optimization Guide for AMD
  /// Family 17h, which has two pipes each for additions and multiplications). Vectors of integers have as many pipes as
  /// nearly fill the dispatch. Wider cores have more of all these, but not of the units below.
  std::uint64_t slots() const;
  /// Quarters of cycles that the busiest of those units is busy which cores of 4 to 8 slots have alike: two load ports
  /// for vectors and floating point, four pipes for their arithmetic, of which two add floating-point numbers and two
  /// multiply them, and two shift and multiply integers; an integer multiplier, a divider, one way between integer and
  /// floating-point registers (the same manual and guide; X86ScheduleZnver4.td; Fog, The microarchitecture of Intel,
  /// AMD and VIA CPUs, Zen 5; measured on an AMD of family 1Ah).
  std::uint64_t units() const;
};

class CostModel {
 public:
  struct Analyses {
    const llvm::TargetTransformInfo& target;
    /// Of a processor whose latencies stand for all: those of the plain x86-64 that is compiled for by default are a
    /// Pentium 4's.
    const llvm::TargetTransformInfo& reference;
    const llvm::TargetLibraryInfo& library;
    const llvm::LoopInfo& loops;
    const llvm::DominatorTree& dominators;
    llvm::ScalarEvolution& evolution;
  };

  explicit CostModel(const Analyses& with) : analyses(with) {}

  /// All but accesses and branches.
  BlockCost cost(const llvm::Instruction& instruction) const;
  /// Cycles from this operand to the result.
  std::uint64_t latency(const llvm::Use& operand) const;
  /// Whether it goes through a floating-point adder, whose latency differs most from one processor to another.
  bool is_addition(const llvm::Use& operand) const;

  const llvm::LoopInfo& loops() const { return analyses.loops; }
  const llvm::DominatorTree& dominators() const { return analyses.dominators; }

 private:
  std::uint64_t instructions(const llvm::Instruction& instruction) const;
  std::uint64_t copies(const llvm::Instruction& instruction) const;
  bool has_avx() const;
  void add_units(const llvm::Instruction& instruction, BlockCost& to) const;
  void add_vector_integers(const llvm::Instruction& instruction, BlockCost& to) const;
  void add_arithmetic(const llvm::Instruction& instruction, BlockCost& to) const;
  std::uint64_t pieces(llvm::Type* type) const;
  bool is_strength_reduced(const llvm::Instruction& instruction) const;
  bool is_split(const llvm::Instruction& fused) const;
  std::uint64_t fused_multiply_latency(const llvm::Use& operand) const;
  std::uint64_t divider_cycles(const llvm::Instruction& instruction) const;

  Analyses analyses;
};

// What calls of the mathematical library cost.

struct LibraryCost {
  std::uint64_t instructions;
  std::uint64_t latency;  ///< cycles
};

/// Of functions that are more than an instruction or two; nothing for others. Nominal values (an assumption) in three
/// classes. They follow glibc 2.36 on an AMD EPYC: instructions by callgrind, cycles by a loop of dependent calls.
std::optional<LibraryCost> library_cost(const llvm::CallBase& call, const llvm::TargetLibraryInfo& library);

/// Whether the call is a square root, which is an instruction.
bool is_square_root(const llvm::CallBase& call, const llvm::TargetLibraryInfo& library);

}  // namespace lbhm::compiler
