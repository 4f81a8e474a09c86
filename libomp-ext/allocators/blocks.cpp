#include "libomp-ext/allocators/blocks.h"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/real_openmp.h"
#include "runtime/own_memory/inside.h"

namespace lbhm::allocators {
namespace {

using BlockMap = std::unordered_map<const void*, Block>;

/// Under map_mutex. Never destroyed: static destructors of the program still free memory. Throws std::bad_alloc.
BlockMap& block_map() {
  static constinit BlockMap* map = nullptr;
  if (map == nullptr) map = new BlockMap;
  return *map;
}

/// A handler of a signal must not come here while its thread is here. The thread that forks has the lock already.
class Turn {
 public:
  Turn() : lock_(map_mutex, std::defer_lock) {
    if (!forking_here()) lock_.lock();
  }

 private:
  Inside here_;
  std::unique_lock<std::mutex> lock_;
};

void* page_aligned(const Request& request) {
  constexpr std::uint64_t address_space = std::uint64_t{1} << 47;  // no larger alignment can be had
  void* address = nullptr;
  if (request.alignment > address_space || request.bytes > address_space) return nullptr;
  return posix_memalign(&address, request.alignment, request.bytes) == 0 ? address : nullptr;
}

void* cleared(void* memory, const Request& request) {
  if (memory != nullptr && request.zeroed) std::memset(memory, 0, request.bytes);
  return memory;
}

/// Who did not ask LB-HM to place memory gets that of the tier or none, and it stays there.
engine::MemoryTraits engine_traits(const Server& server) {
  engine::MemoryTraits result = *server.wanted;
  result.tier_hint = server.tier;
  result.exact = !result.managed;
  result.migratable = result.managed && result.migratable;
  return result;
}

/// Memory as its source has it.
[[gnu::always_inline]] inline void* memory_of(Source source, const Server& server, const Request& request) {
  const Bytes bytes(request.bytes);
  switch (source) {
    case Source::malloc:
      if (request.alignment >= page_bytes) return cleared(page_aligned(request), request);
      return request.zeroed ? std::calloc(1, request.bytes) : std::malloc(request.bytes);
    case Source::tier:
      return cleared(engine::allocate_block(bytes, server.tier), request);
    case Source::object:  // zeroed
      return engine::allocate_object(bytes, Bytes(std::max(request.alignment, page_bytes)), engine_traits(server));
    case Source::runtime:
      return cleared(runtime_allocate(server.runtime, request.alignment, request.bytes), request);
    case Source::heap:
    case Source::nobody:
      break;
  }
  return nullptr;
}

/// `bytes`: as memory_of was asked for them.
void give_back(Source source, void* memory, std::uint64_t bytes, Handle giver) {
  switch (source) {
    case Source::malloc:
      return std::free(memory);
    case Source::tier:
      return engine::release_block(memory, Bytes(bytes));
    case Source::object:
      if (!engine::release_object(memory)) unmap_pages(memory, bytes);
      return;
    case Source::runtime:
      return runtime_release(memory, giver);
    case Source::heap:  // free's
    case Source::nobody:
      break;
  }
}

/// Space for a shifted block: the base's address, the header and what it takes to come to a multiple of `step`.
constexpr std::uint64_t shifted_extra(std::uint64_t step) { return header_bytes + sizeof(void*) + 2 * step; }

/// What malloc returned for a shifted block stands right before its header (base_of).
void write_base(char* user, char* base) {
  std::memcpy(user - header_bytes - sizeof base, static_cast<const void*>(&base), sizeof base);
}

void* shifted_block(Source source, const Server& server, const Request& request, std::uint64_t step) {
  constexpr std::uint64_t in_front = header_bytes + sizeof(void*);
  Request whole{.bytes = 0, .alignment = 0, .zeroed = request.zeroed};
  if (__builtin_add_overflow(request.bytes, shifted_extra(step), &whole.bytes)) return nullptr;
  auto* base = static_cast<char*>(memory_of(source, server, whole));
  if (base == nullptr) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(base) + in_front;
  char* user = base + in_front + (-first & (step - 1));  // step is a power of two
  if (on_page_boundary(user)) user += step;
  write_base(user, base);
  write_header(user, request.bytes, log2_of(request.alignment), BlockLayout::shifted, server.owner, source);
  return user;
}

void* block_with_header(Source source, const Server& server, const Request& request) {
  if (request.alignment > header_bytes) return shifted_block(source, server, request, request.alignment);
  if (request.bytes > UINT64_MAX - header_bytes) return nullptr;
  const Request whole{.bytes = request.bytes + header_bytes, .alignment = 0, .zeroed = request.zeroed};
  auto* base = static_cast<char*>(memory_of(source, server, whole));
  if (base == nullptr) return nullptr;
  char* user = base + header_bytes;
  if (on_page_boundary(user)) [[unlikely]] {
    give_back(source, base, whole.bytes, null_handle);
    return shifted_block(source, server, request, header_bytes);
  }
  write_header(user, request.bytes, log2_of(request.alignment), BlockLayout::direct, server.owner, source);
  return user;
}

void* block_in_map(Source source, const Server& server, const Request& request) {
  void* address = memory_of(source, server, request);
  if (address == nullptr) return nullptr;
  const Block block{.source = source,
                    .log2_alignment = log2_of(request.alignment),
                    .owner = server.owner,
                    .bytes = request.bytes,
                    .giver = server.runtime};
  if (remember(address, block)) return address;
  give_back(source, address, request.bytes, server.runtime);
  return nullptr;
}

Block known_by(BlockHeader* header) {
  if (header == nullptr) return {};
  return {.source = header->in_tier() ? Source::tier : Source::malloc,
          .log2_alignment = header->log2_alignment(),
          .owner = header->owner(),
          .bytes = header->bytes,
          .header = header};
}

/// False: nobody can read there. A program may ask of an address that is not mapped, or no more.
bool read_safely(const void* from, void* to, std::size_t bytes) {
  if (engine::silent_process) {  // without the question: programs that are right do not need it
    std::memcpy(to, from, bytes);
    return true;
  }
  const int before = errno;
  const iovec source{const_cast<void*>(from), bytes}, target{to, bytes};
  const bool read = process_vm_readv(getpid(), &target, 1, &source, 1, 0) == static_cast<ssize_t>(bytes);
  errno = before;
  return read;
}

}  // namespace

bool remember(void* address, const Block& block) try {
  const Turn turn;
  block_map().insert_or_assign(address, block);
  if (block.source == Source::runtime) any_runtime.store(true, std::memory_order_relaxed);
  return true;
} catch (const std::bad_alloc&) { return false; }

Block recall(const void* address) try {
  if (!may_be_remembered(address)) return {};
  const Turn turn;
  const auto found = block_map().find(address);
  return found == block_map().end() ? Block{} : found->second;
} catch (const std::bad_alloc&) { return {}; }  // nothing was remembered yet

Block forget(const void* address, Of giver) try {
  if (!may_be_remembered(address)) return {};
  const Turn turn;
  const auto found = block_map().find(address);
  if (found == block_map().end() || (found->second.source == Source::heap) != (giver == Of::malloc)) return {};
  const Block block = found->second;
  block_map().erase(found);
  return block;
} catch (const std::bad_alloc&) { return {}; }

void for_each_remembered(const std::function<void(const void*, const Block&)>& look) try {
  const Turn turn;
  for (const auto& [address, block] : block_map()) look(address, block);
} catch (const std::bad_alloc&) { return; }  // nothing was remembered yet

Block find_block(void* address) {
  const Block block = recall(address);
  return block.source == Source::nobody || block.source == Source::heap ? known_by(find_header(address)) : block;
}

Block take_block(void* address) {
  if (may_be_remembered(address)) [[unlikely]] {
    if (const Block block = forget(address, Of::openmp); block.source != Source::nobody) return block;
  }
  BlockHeader* header = find_header(address);
  if (header != nullptr) mark_freed(header);
  return known_by(header);
}

void* give_block(const Server& server, const Request& request) {
  for (const Source source : server.sources) {
    const bool header = source != Source::object && source != Source::runtime && request.alignment < page_bytes;
    if (void* address = header ? block_with_header(source, server, request) : block_in_map(source, server, request))
      return address;
  }
  return nullptr;
}

void release_block(const Block& block, void* address) {
  if (block.header == nullptr) return give_back(block.source, address, block.bytes, block.giver);
  const std::uint64_t step = std::max<std::uint64_t>(block.alignment(), header_bytes);
  const std::uint64_t more = block.header->shifted() ? shifted_extra(step) : header_bytes;
  give_back(block.source, base_of(block.header), block.bytes + more, null_handle);
}

void* resize_block(const Block& block, std::uint64_t bytes) {
  constexpr std::uint64_t spare = header_bytes;  // to step off a page boundary where realloc leaves no choice
  if (block.header == nullptr || block.header->shifted() || block.source == Source::tier) return nullptr;
  if (bytes > UINT64_MAX - header_bytes - spare) return nullptr;
  auto* base = static_cast<char*>(std::realloc(block.header, bytes + header_bytes + spare));
  if (base == nullptr) return nullptr;
  char* user = base + header_bytes;
  auto layout = BlockLayout::direct;
  if (on_page_boundary(user)) [[unlikely]] {
    std::memmove(user + spare, user, bytes);
    user += spare;
    layout = BlockLayout::shifted;
    write_base(user, base);
  }
  write_header(user, bytes, block.log2_alignment, layout, block.owner);
  return user;
}

void unmap_pages(void* address, std::uint64_t bytes, std::uint64_t front) {
  if (engine::silent_process) return;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  munmap(static_cast<char*>(address) - front, front + (bytes + page - 1) / page * page);
}

std::optional<std::uint64_t> block_size(const void* address) {
  if (const Block block = recall(address); block.source != Source::nobody) return block.bytes;
  const auto user = reinterpret_cast<std::uintptr_t>(address);
  BlockHeader header;
  if (user < header_bytes || user % header_bytes != 0 || user % page_bytes == 0) return std::nullopt;
  if (!read_safely(static_cast<const char*>(address) - header_bytes, &header, sizeof header)) return std::nullopt;
  return header.check == block_checksum(address, header) ? std::optional(header.bytes) : std::nullopt;
}

}  // namespace lbhm::allocators
