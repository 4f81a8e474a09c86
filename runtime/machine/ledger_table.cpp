#include "runtime/machine/ledger_table.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <sstream>

#include "runtime/machine/sysfs.h"

namespace lbhm::host {
namespace {

LedgerTable* map_file(int file) {
  void* memory = mmap(nullptr, sizeof(LedgerTable), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<LedgerTable*>(memory);
}

/// A complete table appears under its name at once, so that nobody sees half of one.
bool make_file(const std::string& name) {
  const std::string fresh = name + "." + std::to_string(getpid());
  unlink(fresh.c_str());
  const int file = open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  // With its memory: a full /dev/shm shows here and not when the table is written to.
  const int full = posix_fallocate(file, 0, sizeof(LedgerTable));
  LedgerTable* const table = full == 0 ? map_file(file) : nullptr;
  close(file);
  bool made = table && make_table(*table);
  if (table) munmap(table, sizeof(LedgerTable));
  if (made) made = link(fresh.c_str(), name.c_str()) == 0 || errno == EEXIST;
  const int error = full ? full : errno;
  unlink(fresh.c_str());
  errno = error;
  return made;
}

bool ours(int file) {
  struct stat about{};
  return fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
         about.st_size == static_cast<off_t>(sizeof(LedgerTable));
}

}  // namespace

std::uint64_t start_of(pid_t process) {
  const auto line = Sysfs().text("proc/" + std::to_string(process) + "/stat");
  if (!line) return kill(process, 0) == 0 || errno == EPERM ? 1 : 0;  // no /proc here
  const auto name_ends = line->rfind(')');                            // the name may hold anything
  if (name_ends == std::string::npos) return 0;
  std::istringstream fields(line->substr(name_ends + 1));
  std::string field;
  for (int number = 3; number <= 22; ++number) fields >> field;
  return fields ? std::strtoull(field.c_str(), nullptr, 10) : 0;
}

LedgerLock::LedgerLock(LedgerTable& table, std::chrono::milliseconds patience) : table_(table) {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += patience.count() * 1'000'000;
  until.tv_sec += until.tv_nsec / 1'000'000'000;
  until.tv_nsec %= 1'000'000'000;
  const int got = pthread_mutex_timedlock(&table.lock, &until);
  // Whoever died with the lock may have left one number half-way; settle() and bury_the_dead() put it right.
  if (got == EOWNERDEAD) pthread_mutex_consistent(&table.lock);
  held_ = got == 0 || got == EOWNERDEAD;
}

LedgerLock::~LedgerLock() {
  if (held_) pthread_mutex_unlock(&table_.lock);
}

bool make_table(LedgerTable& table) {
  pthread_mutexattr_t attributes;
  if (pthread_mutexattr_init(&attributes) != 0) return false;
  const bool made = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
                    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
                    pthread_mutex_init(&table.lock, &attributes) == 0;
  pthread_mutexattr_destroy(&attributes);
  table.format = LedgerTable::version;
  return made;
}

LedgerTable* map_table(const std::string& name, std::string& why) {
  int file = open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0 && errno == ENOENT && make_file(name)) file = open(name.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) {
    why = name + " could not be opened (" + std::strerror(errno) +
          "); make /dev/shm writable and not full (containers: --shm-size), or give each process its part by "
          "LBHM_FAST_CAPACITY";
    return nullptr;
  }
  const bool is_ours = ours(file);
  LedgerTable* table = is_ours ? map_file(file) : nullptr;
  const int error = errno;
  close(file);
  if (is_ours && !table) {
    why = name + " could not be mapped (" + std::strerror(error) + "); allow more address space (ulimit -v)";
    return nullptr;
  }
  if (table && table->format == LedgerTable::version) return table;
  if (table) munmap(table, sizeof(LedgerTable));
  why = name + " is not a ledger of this LB-HM and user; remove it";
  return nullptr;
}

void bury_the_dead(LedgerTable& table) {
  for (LedgerRecord& record : table.record) {
    if (record.process != 0 && start_of(static_cast<pid_t>(record.process)) != record.started) record = {};
  }
}

}  // namespace lbhm::host
