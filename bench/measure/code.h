// Machine code put together at run time: a loop around a body of which every instruction is known. A compiler would
// leave out or reorder what these measurements are made of. x86-64 only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace measure {

/// Instructions by their encodings. Registers: rdi and rsi come from run(), rdx counts the rounds; rax, rcx and r8 to
/// r11 are free, 0 at the start except for rcx, which is 1.
using Bytes = std::initializer_list<std::uint8_t>;
namespace op {
inline constexpr Bytes nop{0x90};
inline constexpr Bytes add_rax_rcx{0x48, 0x01, 0xc8};
inline constexpr Bytes addsd_xmm0_xmm1{0xf2, 0x0f, 0x58, 0xc1};
inline constexpr Bytes follow_rdi{0x48, 0x8b, 0x3f};                // mov rdi, [rdi]
inline constexpr Bytes follow_rsi{0x48, 0x8b, 0x36};                // mov rsi, [rsi]
inline constexpr Bytes store_rax{0x48, 0x89, 0x44, 0x24, 0xf8};     // mov [rsp - 8], rax
inline constexpr Bytes branch_on_rdi{0x80, 0x3f, 0x00, 0x74, 0x03,  // cmp byte [rdi], 0; je over the add
                                     0x48, 0x01, 0xc8};             // add rax, rcx
inline constexpr Bytes next_rdi{0x48, 0xff, 0xc7};                  // inc rdi
}  // namespace op

class Code {
 public:
  Code();
  ~Code();
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  /// Appends an instruction to the body, `times` times.
  void append(Bytes instruction, std::size_t times = 1);
  /// Runs the body `rounds` times; seconds. Not a number where code cannot be made (another processor, a system that
  /// forbids it).
  double run(const void* rdi, const void* rsi, std::uint64_t rounds);

 private:
  bool make();

  std::vector<std::uint8_t> bytes_;
  std::size_t loop_ = 0;    // where the body begins
  void* memory_ = nullptr;  // executable, once made
  std::size_t mapped_ = 0;
};

}  // namespace measure
