// Page faults as samples: do they name the address and the thread?
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <thread>

#include "memory.h"

namespace facts {
namespace {

struct Record {  // PERF_RECORD_SAMPLE with PERF_SAMPLE_TID | PERF_SAMPLE_ADDR
  perf_event_header header;
  std::uint32_t process, thread;
  std::uint64_t address;
};

TEST(Faults, ThePageFaultEventNamesAddressAndThread) {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_PAGE_FAULTS;
  attributes.sample_period = 1;
  attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_ADDR;
  attributes.exclude_kernel = 1;
  const int event = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
  ASSERT_GE(event, 0) << errno;
  void* const ring = mmap(nullptr, 9 * page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
  ASSERT_NE(ring, MAP_FAILED);
  const Pages pages(32);
  pages.touch();
  const auto* const head = static_cast<perf_event_mmap_page*>(ring);
  std::size_t found = 0;
  for (std::uint64_t at = 0; at < head->data_head;) {
    const auto* const record = reinterpret_cast<const Record*>(static_cast<char*>(ring) + page_bytes + at);
    const auto first = reinterpret_cast<std::uintptr_t>(pages.at(0));
    if (record->header.type == PERF_RECORD_SAMPLE && record->address - first < pages.bytes()) {
      EXPECT_EQ(record->thread, static_cast<std::uint32_t>(gettid()));
      ++found;
    }
    at += record->header.size;
  }
  EXPECT_EQ(found, 32U);
  munmap(ring, 9 * page_bytes);
  close(event);
}

std::atomic<int> faults = 0;
std::atomic<pid_t> fault_thread = 0;

void open_page(int, siginfo_t* fault, void*) {
  ++faults;
  fault_thread = gettid();
  const auto page = reinterpret_cast<std::uintptr_t>(fault->si_addr) / page_bytes * page_bytes;
  mprotect(reinterpret_cast<void*>(page), page_bytes, PROT_READ | PROT_WRITE);
}

TEST(Faults, AHintFaultRunsOnTheThreadThatTouches) {
  const Pages pages(16);
  pages.touch();
  ASSERT_EQ(mprotect(pages.at(0), pages.bytes(), PROT_NONE), 0);
  struct sigaction ours{}, before{};
  ours.sa_sigaction = open_page;
  ours.sa_flags = SA_SIGINFO;
  ASSERT_EQ(sigaction(SIGSEGV, &ours, &before), 0);
  pid_t toucher = 0;
  std::thread([&] {
    toucher = gettid();
    EXPECT_TRUE(pages.intact());
  }).join();
  sigaction(SIGSEGV, &before, nullptr);
  EXPECT_EQ(faults, 16);
  EXPECT_EQ(fault_thread, toucher);
}

}  // namespace
}  // namespace facts
