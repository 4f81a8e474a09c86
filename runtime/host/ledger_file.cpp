#include "runtime/host/ledger_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <sstream>
#include <thread>

#include "runtime/host/sysfs.h"

namespace lbhm::host {
namespace {

// The file is the table as it is in memory, without what is after the last record in use.
constexpr std::size_t header_bytes = offsetof(LedgerTable, record);
constexpr std::size_t up_to(std::size_t records) { return header_bytes + records * sizeof(LedgerRecord); }

/// Few computers have more processes that place data; so they take one call.
constexpr std::size_t read_at_once = 16;

constexpr int how = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;  // it may be a FIFO or a terminal

/// What the file has from there on; zeros where it ends. False: it cannot be read.
bool read_part(int file, LedgerTable& table, std::size_t begin, std::size_t end) {
  auto* const bytes = reinterpret_cast<std::byte*>(&table);
  const ssize_t got = pread(file, bytes + begin, end - begin, static_cast<off_t>(begin));
  if (got < 0) return false;
  std::fill(bytes + begin + got, bytes + end, std::byte{0});
  return true;
}

}  // namespace

std::uint64_t LedgerTable::sum(std::size_t tier) const {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < used; ++i) {
    if (record[i].process != 0 && __builtin_add_overflow(all, record[i].bytes[tier], &all))
      return std::numeric_limits<std::uint64_t>::max();
  }
  return all;
}

std::optional<std::size_t> LedgerTable::enter(const LedgerRecord& fresh) {
  std::size_t place = 0;
  while (place < used && record[place].process != 0) ++place;
  if (place == records) return std::nullopt;
  if (place == used) ++used;
  record[place] = fresh;
  return place;
}

void LedgerTable::bury_the_dead(const LedgerRecord& own) {
  const auto lives = [](const LedgerRecord& one) {
    const std::uint64_t started = start_of(static_cast<pid_t>(one.process));
    return started != 0 && started == one.started;
  };
  if (!lives(own)) return;
  for (std::size_t i = 0; i < used; ++i) {
    if (record[i].process != 0 && !lives(record[i])) record[i] = {};
  }
  while (used > 0 && record[used - 1].process == 0) --used;
}

std::uint64_t start_of(pid_t process) {
  const auto line = process > 0 ? Sysfs().text("proc/" + std::to_string(process) + "/stat") : std::nullopt;
  if (!line) return process > 0 && (kill(process, 0) == 0 || errno == EPERM) ? 1 : 0;  // no /proc here
  const auto name_ends = line->rfind(')');                                             // the name may hold anything
  if (name_ends == std::string::npos) return 0;
  std::istringstream fields(line->substr(name_ends + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  return fields ? std::strtoull(field.c_str(), nullptr, 10) : 0;
}

LedgerFile::State LedgerFile::open(const std::string& name, std::chrono::milliseconds patience) {
  name_ = &name;
  open_it();
  if (file_ >= 0 && ours()) lock(patience);
  return state_;
}

LedgerFile::~LedgerFile() {
  if (file_ >= 0) close(file_);
}

void LedgerFile::open_it() {
  for (int tries = 0; file_ < 0 && tries < 2; ++tries) {
    file_ = ::open(name_->c_str(), how);
    if (file_ < 0 && errno == ENOENT) file_ = ::open(name_->c_str(), how | O_CREAT | O_EXCL, 0600);
    if (file_ < 0 && errno != EEXIST && errno != ENOENT) break;  // those two: another process was quicker
  }
  if (file_ < 0) fail(Fault::open, errno);
  if (error_ == EMFILE || error_ == ENFILE) state_ = State::busy;
}

bool LedgerFile::ours() {
  struct stat about{};
  const bool is = fstat(file_, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid();
  return is || fail(Fault::foreign);
}

void LedgerFile::lock(std::chrono::milliseconds patience) {
  using namespace std::chrono_literals;
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const auto end = std::chrono::steady_clock::now() + patience;
  for (auto nap = 50us; fcntl(file_, F_SETLK, &whole) != 0; nap = std::min(2 * nap, 2000us)) {
    if (errno != EAGAIN && errno != EACCES) {
      fail(Fault::lock, errno);
      return;
    }
    state_ = State::busy;
    if (std::chrono::steady_clock::now() + nap > end) return;
    std::this_thread::sleep_for(nap);
  }
  state_ = State::held;
}

bool LedgerFile::read(LedgerTable& table) {
  if (!read_part(file_, table, 0, up_to(read_at_once))) return fail(Fault::access, errno);
  if (table.empty()) table.format = LedgerTable::version;
  if (table.format != LedgerTable::version) return fail(Fault::foreign);
  table.used = std::min<std::uint64_t>(table.used, LedgerTable::records);
  if (table.used <= read_at_once || read_part(file_, table, up_to(read_at_once), up_to(table.used))) return true;
  return fail(Fault::access, errno);
}

bool LedgerFile::write(const LedgerTable& table) { return put(&table, up_to(table.used), 0); }

bool LedgerFile::write(const LedgerTable& table, std::size_t place) {
  return put(&table.record[place], sizeof(LedgerRecord), up_to(place));
}

bool LedgerFile::put(const void* data, std::size_t bytes, std::size_t offset) {
  rlimit limit{};
  // Beyond the limit a write does not only fail, it ends the program (SIGXFSZ).
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < offset + bytes) return fail(Fault::size);
  const ssize_t put = pwrite(file_, data, bytes, static_cast<off_t>(offset));
  return put == static_cast<ssize_t>(bytes) || fail(Fault::access, put < 0 ? errno : ENOSPC);
}

bool LedgerFile::fail(Fault fault, int error) {
  state_ = State::unfit;
  fault_ = fault;
  error_ = error;
  return false;
}

std::string LedgerFile::why() const {
  const std::string because = std::string(" (") + std::strerror(error_) + ")";
  switch (fault_) {
    case Fault::none:
      return "";
    case Fault::foreign:
      return *name_ + " is not a ledger of this LB-HM and user; remove it";
    case Fault::lock:
      return *name_ + " could not be locked" + because + "; give each process its part by LBHM_FAST_CAPACITY";
    case Fault::size:
      return *name_ + " may not be written to: the limit of file sizes is too small; raise it (ulimit -f)";
    default:
      return *name_ + (fault_ == Fault::open ? " could not be opened" : " could not be read or written") + because +
             "; make /dev/shm writable and not full (containers: --shm-size), or give each process its part by "
             "LBHM_FAST_CAPACITY";
  }
}

void LedgerTurn::bury() {
  const auto now = std::chrono::steady_clock::now();
  if (!state_.shared() || now - state_.buried < std::chrono::milliseconds(100)) return;
  state_.buried = now;
  state_.table.bury_the_dead(state_.own);
  if (!file_.write(state_.table)) alone();
}

void LedgerTurn::put(const LedgerWords& bytes) {
  state_.own.bytes = bytes;
  state_.table.record[state_.place] = state_.own;
  if (state_.shared() && !file_.write(state_.table, state_.place)) alone();
}

void LedgerTurn::leave() {
  state_.table.record[state_.place] = {};
  if (state_.shared()) (void)file_.write(state_.table, state_.place);
}

std::chrono::milliseconds LedgerTurn::patience() const {
  return std::chrono::milliseconds(std::chrono::steady_clock::now() < state_.impatient_until ? 0 : 100);
}

bool LedgerTurn::look() {
  const LedgerFile::State got = file_.open(state_.file, patience());
  // No descriptor was left: for a member that may change, to a new one it is said.
  if (got == LedgerFile::State::busy && (state_.has_place() || file_.why().empty())) return missed();
  if (got != LedgerFile::State::held || !file_.read(state_.table)) return alone();
  if (!state_.entered()) return enter();
  state_.table.record[state_.place] = state_.own;  // whatever somebody has written there
  return true;
}

bool LedgerTurn::missed() {
  ++state_.misses;
  state_.impatient_until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  return false;
}

bool LedgerTurn::alone() {
  state_.go_on_alone(file_.why());
  return true;
}

/// The first time, or again where somebody has truncated or removed the file.
bool LedgerTurn::enter() {
  if (state_.has_place())
    state_.remark = state_.file + " was truncated or removed by somebody: what processes have was entered again";
  state_.table.bury_the_dead(state_.own);
  state_.place = state_.table.enter(state_.own).value_or(LedgerState::nowhere);
  if (!state_.has_place()) return false;
  return file_.write(state_.table) || alone();
}

}  // namespace lbhm::host
