// The file of the ledger, for as long as one look at it takes: opened, checked, locked, read, written, closed.
#pragma once

#include <chrono>
#include <string>

#include "runtime/machine/ledger_table.h"

namespace lbhm::host {

/// It is not mapped: who truncates a mapped file kills all that look at it (SIGBUS). It does not stay open: programs
/// close descriptors that they do not know, and the next file that they open has our number. The lock is the process's
/// (fcntl(2), F_SETLK): a child of a fork does not have it, and nobody has it when the process is dead. Closing the
/// file gives it back.
class LedgerFile {
 public:
  enum class State : std::uint8_t {
    held,   ///< open and locked
    busy,   ///< somebody else holds the lock, or there is no descriptor left; may work later
    unfit,  ///< cannot be used; why() says what to do
  };

  LedgerFile() = default;
  ~LedgerFile();
  LedgerFile(const LedgerFile&) = delete;
  LedgerFile& operator=(const LedgerFile&) = delete;

  /// Once. Makes the file if there is none, and waits for the lock at most so long. `name` stays as long as this.
  State open(const std::string& name, std::chrono::milliseconds patience);
  /// One sentence; "": nothing is wrong with the file.
  std::string why() const;

  // Held only. False: it is unfit.

  /// A file that ends early has no records after that.
  bool read(LedgerTable& table);
  bool write(const LedgerTable& table);  ///< all records in use
  bool write(const LedgerTable& table, std::size_t place);

 private:
  enum class Fault : std::uint8_t { none, open, foreign, lock, access, size };

  void open_it();
  bool ours();
  void lock(std::chrono::milliseconds patience);
  bool put(const void* data, std::size_t bytes, std::size_t offset);
  bool fail(Fault fault, int error = 0);

  const std::string* name_ = nullptr;
  int file_ = -1;
  State state_ = State::unfit;
  Fault fault_ = Fault::none;
  int error_ = 0;
};

}  // namespace lbhm::host
