#include "runtime/objects/call_stack.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstring>

extern "C" void* __libc_stack_end;  // of glibc's loader

namespace lbhm {
namespace {

/// A call as it is kept: words that any thread may read while another one writes them.
struct Entry {
  std::uintptr_t address, base;
  std::uint64_t identity, gone;
  FrameRule rule;
  const char* file;
  std::uint32_t file_bytes;
  Code code;
};
using Words = std::array<std::uint64_t, 7>;

struct alignas(64) Slot {
  std::atomic<std::uint64_t> version;  ///< odd: somebody writes
  std::array<std::atomic<std::uint64_t>, std::tuple_size_v<Words>> words;
};
constinit std::array<Slot, 4096> slots{};

bool read(const Slot& slot, Entry& entry) {
  Words words;
  const std::uint64_t version = slot.version.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = slot.words[i].load(std::memory_order_acquire);
  entry = std::bit_cast<Entry>(words);
  return version % 2 == 0 && slot.version.load(std::memory_order_relaxed) == version;
}

/// Not while another thread does, or what this signal handler has interrupted.
void write(Slot& slot, const Entry& entry) {
  const auto words = std::bit_cast<Words>(entry);
  std::uint64_t version = slot.version.load(std::memory_order_relaxed);
  if (version % 2 != 0 || !slot.version.compare_exchange_strong(version, version + 1, std::memory_order_acquire))
    return;
  for (std::size_t i = 0; i < words.size(); ++i) slot.words[i].store(words[i], std::memory_order_release);
  slot.version.store(version + 2, std::memory_order_release);
}

Entry find_out(std::uintptr_t address, std::uint64_t gone) {
  const Module module = module_of(address);
  return {.address = address,
          .base = module.base,
          .identity = module.identity,
          .gone = gone,
          .rule = frame_rule(address),
          .file = module.file.data(),
          .file_bytes = static_cast<std::uint32_t>(module.file.size()),
          .code = module.code};
}

Call call_of(const Entry& entry) {
  return {
      .address = entry.address,
      .rule = entry.rule,
      .module = {
          .base = entry.base, .identity = entry.identity, .file = {entry.file, entry.file_bytes}, .code = entry.code}};
}

/// Where this thread's stack ends: the first thread's where the loader began, another one's at what the thread itself
/// is known by. On a stack that the program made for itself: where the cursor is.
std::uintptr_t end_of_stack(std::uintptr_t stack) {
  constexpr std::uintptr_t largest = std::uintptr_t{64} << 20;  // nothing else lies so near to the first thread's
  for (void* const end : {__libc_stack_end, __builtin_thread_pointer()}) {
    const auto address = reinterpret_cast<std::uintptr_t>(end);
    if (stack < address && address - stack < largest) return address;
  }
  return stack;
}

}  // namespace

Call known_call(std::uintptr_t address, std::uint64_t gone) {
  // Two places each: two calls of one program that fall on one would throw each other out for ever.
  const std::size_t home = address * 0x9e3779b97f4a7c15ULL >> 52;
  Slot &first = slots[home], &second = slots[home ^ 1];
  Entry entry, other;
  const auto is_it = [&](const Slot& slot, Entry& found) {
    return read(slot, found) && found.address == address && found.gone == gone;
  };
  if (is_it(first, entry)) return call_of(entry);
  if (is_it(second, other)) return call_of(other);
  const bool replaces = entry.address == 0 || entry.gone != gone;
  entry = find_out(address, gone);
  write(replaces ? first : second, entry);
  return call_of(entry);
}

StackCursor::StackCursor(const void* frame)
    : stack_(reinterpret_cast<std::uintptr_t>(frame)), frame_pointer_(stack_), end_(end_of_stack(stack_)) {
  // As any function does that keeps a frame pointer.
  rule_ = {.base = FrameRule::Base::frame_pointer, .saves_frame_pointer = true, .saved = -16, .size = 16};
}

bool StackCursor::read(std::uintptr_t at, std::uintptr_t& value) {
  if (at < stack_ || at % sizeof value != 0 || at + sizeof value > end_) return false;
  std::memcpy(&value, reinterpret_cast<const void*>(at), sizeof value);
  return true;
}

std::optional<Call> StackCursor::next() {
  if (rule_.base == FrameRule::Base::outermost) return {};
  lost_ = true;
  if (rule_.base == FrameRule::Base::unknown) return {};
  const std::uintptr_t from = rule_.base == FrameRule::Base::stack_pointer ? stack_ : frame_pointer_;
  const std::uintptr_t next = from + static_cast<std::uintptr_t>(std::intptr_t{rule_.size});
  std::uintptr_t address = 0;
  if (!read(next - sizeof address, address)) return {};
  if (rule_.saves_frame_pointer &&
      !read(next + static_cast<std::uintptr_t>(std::intptr_t{rule_.saved}), frame_pointer_))
    return {};
  stack_ = next;
  const Call call = known_call(address, gone_);
  rule_ = call.rule;
  lost_ = false;
  return call;
}

}  // namespace lbhm
