// The hidden symbols that the plugin adds to a module: the thread's buffer and the ways out of the fast path.
#pragma once

#include <cstdint>

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// The fields of struct lbhm_emu_thread, in its order.
enum ThreadField : std::uint8_t {
  field_next,
  field_limit,
  field_instructions,
  field_slots,
  field_chain,
  field_additions,
  field_units,
  field_accesses,
  field_vectors,
  field_branches,
  field_mispredictions,
  field_history,
  field_owner,
  field_predictor,
  field_sink
};

/// The prefix of all our own symbols. With the version of the interface: parts of a program that were built by plugins
/// of two versions must not share a buffer.
constexpr const char* plugin_prefix = "__lbhm_emu2_";
/// Functions whose names begin so are ours, of any part and version, and not instrumented.
constexpr const char* any_plugin_prefix = "__lbhm_";

struct ModuleSymbols {
  llvm::StructType* thread_type;
  llvm::GlobalVariable* thread;  ///< struct lbhm_emu_thread, thread-local
  llvm::Function* refill;        ///< void (thread): makes room in the buffer
  llvm::Function* range;         ///< void (thread, address, bytes, flags)
  llvm::Function* order;         ///< void (thread): before an atomic operation whose result is used
  llvm::Function* order_end;     ///< void (thread): behind it
};

/// Adds the symbols. They are the same in every module and merge when the modules are linked.
ModuleSymbols add_symbols(llvm::Module& module);

/// Adds the struct lbhm_emu_module by which a program is recognised; it survives strip and --gc-sections.
void add_module_record(llvm::Module& module, unsigned sites, unsigned skipped);

}  // namespace lbhm::compiler
