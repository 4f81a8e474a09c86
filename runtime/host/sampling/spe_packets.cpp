#include "runtime/host/sampling/spe_packets.h"

#include <algorithm>

namespace lbhm::sampling {
namespace {

enum class Packet : std::uint8_t {
  padding,
  end,
  timestamp,
  events,
  source,
  operation,
  address,
  counter,
  context,
  alignment,
  unknown
};

struct Header {
  Packet packet = Packet::unknown;
  std::size_t bytes = 1;    // of the header
  std::size_t payload = 0;  // bytes behind it
  unsigned index = 0;       // which address or counter; the class of an operation
};

constexpr unsigned address_of_data = 2;
constexpr unsigned counter_total_latency = 0;
constexpr unsigned class_memory = 1;

unsigned byte_at(std::span<const std::byte> bytes, std::size_t i) { return std::to_integer<unsigned>(bytes[i]); }

/// The kinds that the last (or only) byte of a header tells.
Packet kind_of(unsigned byte) {
  if ((byte & 0xcf) == 0x42) return Packet::events;
  if ((byte & 0xcf) == 0x43) return Packet::source;
  if ((byte & 0xfc) == 0x64) return Packet::context;
  if ((byte & 0xfc) == 0x48) return Packet::operation;
  if ((byte & 0xf8) == 0xb0) return Packet::address;
  if ((byte & 0xf8) == 0x98) return Packet::counter;
  return Packet::unknown;
}

Header alignment(std::span<const std::byte> bytes, std::size_t position) {
  // Up to the next multiple of 2^(n+1) bytes from the beginning of the buffer.
  const std::size_t boundary = std::size_t{2} << (byte_at(bytes, position) & 0xf);
  const std::size_t here = position + 2;
  return {.packet = Packet::alignment, .bytes = 2, .payload = (boundary - here % boundary) % boundary};
}

Header read_header(std::span<const std::byte> bytes, std::size_t position) {
  const unsigned first = byte_at(bytes, position);
  if (first == 0x00) return {.packet = Packet::padding};
  if (first == 0x01) return {.packet = Packet::end};
  if (first == 0x71) return {.packet = Packet::timestamp, .payload = 8};
  Header header;
  unsigned last = first;
  unsigned high_index = 0;
  if ((first & 0xfc) == 0x20) {  // the extended form: one more byte
    if (position + 1 >= bytes.size()) return {.packet = Packet::unknown, .bytes = 2};
    last = byte_at(bytes, position + 1);
    if (last == 0x00) return alignment(bytes, position);
    high_index = (first & 3) << 3;
    header.bytes = 2;
  }
  header.packet = kind_of(last);
  header.payload = header.packet == Packet::unknown ? 0 : std::size_t{1} << (last >> 4 & 3);
  header.index = header.packet == Packet::operation ? last & 3 : high_index | (last & 7);
  return header;
}

std::uint64_t number_at(std::span<const std::byte> bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | byte_at(bytes, i);
  return number;
}

void note(SpeRecord& record, const Header& header, std::uint64_t payload) {
  switch (header.packet) {
    case Packet::timestamp:
      record.time = payload;
      break;
    case Packet::events:
      record.events = payload;
      break;
    case Packet::source:
      record.source = payload;
      record.has_source = true;
      break;
    case Packet::operation:
      record.memory_operation = header.index == class_memory;
      record.store = record.memory_operation && (payload & 1);
      break;
    case Packet::address:
      // The top byte may hold a tag of the program's.
      if (header.index == address_of_data) record.address = payload & ((std::uint64_t{1} << 56) - 1);
      break;
    case Packet::counter:
      if (header.index == counter_total_latency) record.latency = payload;
      break;
    default:
      break;
  }
}

}  // namespace

std::uint64_t parse_spe(std::span<const std::byte> bytes, const std::function<void(const SpeRecord&)>& take) {
  SpeRecord record;
  bool begun = false, broken = false;
  std::uint64_t given_up = 0;
  std::size_t position = 0;
  while (position < bytes.size()) {
    const Header header = read_header(bytes, position);
    if (header.bytes + header.payload > bytes.size() - position) break;  // cut
    const auto payload = bytes.subspan(position + header.bytes, header.payload);
    position += header.bytes + header.payload;
    if (header.packet == Packet::padding || header.packet == Packet::alignment) continue;
    begun = true;
    broken |= header.packet == Packet::unknown;
    note(record, header, number_at(payload));
    if (header.packet != Packet::end && header.packet != Packet::timestamp) continue;
    if (broken) {
      ++given_up;
    } else {
      take(record);
    }
    record = {};
    begun = broken = false;
  }
  return given_up + (begun || position < bytes.size() ? 1 : 0);
}

}  // namespace lbhm::sampling
