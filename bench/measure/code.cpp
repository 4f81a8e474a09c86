#include "bench/measure/code.h"

#include <sys/mman.h>

#include <cstring>
#include <limits>

#include "bench/measure/figure.h"

namespace measure {

Code::Code() {
  append({0x31, 0xc0, 0xb9, 1, 0, 0, 0});        // xor eax, eax; mov ecx, 1
  append({0x4d, 0x31, 0xc0, 0x4d, 0x31, 0xc9});  // xor r8, r8; xor r9, r9
  append({0x4d, 0x31, 0xd2, 0x4d, 0x31, 0xdb});  // xor r10, r10; xor r11, r11
  loop_ = bytes_.size();
}

Code::~Code() {
  if (memory_ != nullptr) munmap(memory_, mapped_);
}

void Code::append(Bytes instruction, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) bytes_.insert(bytes_.end(), instruction);
}

bool Code::make() {
  append({0x48, 0xff, 0xca, 0x0f, 0x85});  // dec rdx; jnz, back to the body
  const auto back = static_cast<std::int32_t>(loop_) - static_cast<std::int32_t>(bytes_.size() + 4);
  const auto* distance = reinterpret_cast<const std::uint8_t*>(&back);
  bytes_.insert(bytes_.end(), distance, distance + 4);
  append({0xc3});  // ret
  mapped_ = bytes_.size();
  void* memory = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = memory;
  std::memcpy(memory_, bytes_.data(), bytes_.size());
  return mprotect(memory_, mapped_, PROT_READ | PROT_EXEC) == 0;
}

double Code::run(const void* rdi, const void* rsi, std::uint64_t rounds) {
#ifdef __x86_64__
  if (memory_ == nullptr && !make()) return std::numeric_limits<double>::quiet_NaN();
  const auto function = reinterpret_cast<void (*)(const void*, const void*, std::uint64_t)>(memory_);
  return seconds_of([&] { function(rdi, rsi, rounds); });
#else
  static_cast<void>(rdi), static_cast<void>(rsi), static_cast<void>(rounds);
  return std::numeric_limits<double>::quiet_NaN();
#endif
}

}  // namespace measure
