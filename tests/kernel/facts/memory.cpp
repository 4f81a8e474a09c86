#include "memory.h"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace facts {

Pages::Pages(std::size_t count, int extra_flags) : count_(count) {
  void* const mapped =
      mmap(nullptr, count * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | extra_flags, -1, 0);
  if (mapped == MAP_FAILED) throw std::runtime_error("mmap failed");
  begin_ = static_cast<char*>(mapped);
}

Pages::~Pages() { munmap(begin_, bytes()); }

void Pages::touch() const {
  for (std::size_t page = 0; page < count_; ++page) std::memcpy(at(page), &page, sizeof page);
}

bool Pages::intact() const {
  for (std::size_t page = 0; page < count_; ++page) {
    if (std::memcmp(at(page), &page, sizeof page) != 0) return false;
  }
  return true;
}

std::vector<void*> Pages::addresses() const {
  std::vector<void*> all;
  for (std::size_t page = 0; page < count_; ++page) all.push_back(at(page));
  return all;
}

std::vector<int> Pages::nodes() const { return nodes_of(begin_, bytes()); }

OtherOwner::OtherOwner(const Pages& pages) {
  int ends[2] = {-1, -1};
  if (pipe(ends) != 0) std::abort();
  child_ = fork();
  if (child_ < 0) std::abort();
  if (child_ == 0) {
    char byte = 0;
    close(ends[1]);
    _exit(read(ends[0], &byte, 1) == 0 && pages.intact() ? 0 : 1);
  }
  close(ends[0]);
  wake_ = ends[1];
}

OtherOwner::~OtherOwner() { finish(); }

bool OtherOwner::finish() {
  if (wake_ < 0) return false;
  close(wake_);
  wake_ = -1;
  int status = 1;
  return waitpid(child_, &status, 0) == child_ && status == 0;
}

std::vector<int> nodes_of(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address) / page_bytes * page_bytes;
  std::vector<void*> pages;
  for (std::size_t at = 0; at < bytes; at += page_bytes) pages.push_back(reinterpret_cast<void*>(first + at));
  std::vector<int> status(pages.size(), not_written);
  if (syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, status.data(), 0) != 0) {
    throw std::runtime_error("move_pages refuses to query");
  }
  return status;
}

int bind(const Pages& pages, int mode, std::vector<int> nodes, unsigned flags) {
  unsigned long mask = 0;
  for (const int node : nodes) mask |= 1UL << node;
  // The kernel reads one bit less than it is told.
  const long result = syscall(SYS_mbind, pages.at(0), pages.bytes(), mode, &mask, 8 * sizeof mask + 1, flags);
  return result == 0 ? 0 : -errno;
}

long move(const std::vector<void*>& pages, int node, std::vector<int>& status, int flags) {
  const std::vector<int> nodes(pages.size(), node);
  status.assign(pages.size(), not_written);
  const long result = syscall(SYS_move_pages, 0, pages.size(), pages.data(), nodes.data(), status.data(), flags);
  return result < 0 ? -errno : result;
}

std::string text(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool set(const std::string& path, const std::string& value) {
  std::ofstream file(path);
  file << value << std::endl;
  return file.good();
}

long free_kib(int node) {
  std::ifstream file("/sys/devices/system/node/node" + std::to_string(node) + "/meminfo");
  for (std::string line; std::getline(file, line);) {
    if (const auto at = line.find("MemFree:"); at != std::string::npos) return std::stol(line.substr(at + 8));
  }
  return 0;
}

long huge_kib(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  std::ifstream maps("/proc/self/smaps");
  bool inside = false;
  long sum = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2) inside = begin < first + bytes && first < end;
    if (inside && line.starts_with("AnonHugePages:")) sum += std::stol(line.substr(14));
  }
  return sum;
}

std::unique_ptr<Pages> fill(int node, long left_kib) {
  if (!set(huge_pages, "madvise")) throw std::runtime_error("no huge pages");
  auto filler = std::make_unique<Pages>(static_cast<std::size_t>(free_kib(node) - left_kib) / 4);
  madvise(filler->at(0), filler->bytes(), MADV_HUGEPAGE);
  bind(*filler, MPOL_BIND, {node});
  filler->touch();
  std::printf("%ld MiB of node %d are left\n", free_kib(node) / 1024, node);
  return filler;
}

std::unique_ptr<Pages> fill_slow_memory() { return fill(slow, 40 * 1024); }

}  // namespace facts
