#include "emulator/memory/page_count_log.h"

#include <array>
#include <cstdio>
#include <iterator>
#include <limits>

#include "emulator/memory/bandwidth.h"
#include "emulator/memory/json_text.h"

namespace lbhm::emulator {
namespace {

constexpr std::uint32_t unmanaged = std::numeric_limits<std::uint32_t>::max();  // all pages of no object, as one

/// A record of the file, little-endian.
struct Record {
  std::uint32_t object, page;
  std::uint64_t accesses, stall, read, written;
};
static_assert(sizeof(Record) == 40);

/// As a list of JSON.
std::string listed(std::span<const std::string> names) {
  std::string list = "[";
  for (const std::string& name : names) list += (list.size() > 1 ? "," : "") + json_text(name);
  return list + "]";
}

}  // namespace

Status PageCountLog::open(const std::string& path, const MachineDescription& machine) {
  if (Status status = file_.open(path); !status.ok()) {
    return {status.code(), "LBHM_PAGE_COUNTS=" + path + ": the file cannot be made (" + status.message() +
                               "); give a path in a folder that you may write to"};
  }
  const std::size_t slow = machine.topology.tiers.size() - 1;
  const Picoseconds promote = machine.migration.page + page_copy(machine, slow, 0).time;
  const Picoseconds demote = machine.migration.page + page_copy(machine, 0, slow).time;
  write_text(
      "{\"schema\":\"lbhm.page-counts/2\",\"page_bytes\":%llu,\"contention\":%s,\"slow_tier\":%zu,\"promote_ps\":%llu,"
      "\"demote_ps\":%llu,\"fast_overlap\":%.17g,\"slow_overlap\":%.17g}\n",
      static_cast<unsigned long long>(machine.topology.page.value), machine.contention ? "true" : "false", slow,
      static_cast<unsigned long long>(promote), static_cast<unsigned long long>(demote), machine.detail(0).overlap,
      machine.detail(slow).overlap);
  return {};
}

void PageCountLog::write_text(const char* format, auto... values) {
  std::array<char, 512> line;
  const int length = std::snprintf(line.data(), line.size(), format, values...);
  file_.write(line.data(), static_cast<std::size_t>(length));
}

void PageCountLog::object_appears(PageNumber first, PageNumber last) {
  const std::lock_guard guard(lock_);
  alive_[first] = static_cast<std::uint32_t>(objects_.size());
  objects_.push_back({.first = first, .last = last, .born = epoch_, .died = epoch_});
}

void PageCountLog::name_object(PageNumber first, std::uint64_t site, std::uint64_t nth) {
  const std::lock_guard guard(lock_);
  const auto found = alive_.find(first);
  if (found == alive_.end()) return;
  objects_[found->second].site = site;
  objects_[found->second].nth = nth;
}

void PageCountLog::object_goes(PageNumber first) {
  const std::lock_guard guard(lock_);
  const auto found = alive_.find(first);
  if (found == alive_.end()) return;
  Object& object = objects_[found->second];
  object.died = epoch_;
  --object.parts;
  alive_.erase(found);
}

void PageCountLog::object_splits(PageNumber first, PageNumber page) {
  const std::lock_guard guard(lock_);
  const auto found = alive_.find(first);
  if (found == alive_.end()) return;
  alive_[page] = found->second;
  ++objects_[found->second].parts;
}

void PageCountLog::page_is_adopted(PageId id, PageNumber number) {
  page_appears(id, number);
  const std::lock_guard guard(lock_);
  --unmanaged_;  // as it was counted
}

void PageCountLog::page_appears(PageId id, PageNumber number) {
  const std::lock_guard guard(lock_);
  Owner owner{.object = unmanaged, .page = 0};
  if (auto next = alive_.upper_bound(number); next != alive_.begin()) {
    const std::uint32_t object = std::prev(next)->second;
    if (number < objects_[object].last)
      owner = {.object = object, .page = static_cast<std::uint32_t>(number - objects_[object].first)};
  }
  if (owner.object == unmanaged) ++unmanaged_;
  if (owners_.size() <= id) {
    owners_.resize(id + std::size_t{1});
    numbers_.resize(id + std::size_t{1});
  }
  owners_[id] = owner;
  numbers_[id] = number;
}

void PageCountLog::add(const CountedInterval& interval, const PrivateHashMap<PageId, PageUse>& uses) {
  const std::lock_guard guard(lock_);
  if (interval.epoch > epoch_) {
    write_cells();
    epoch_ = interval.epoch;
  }
  Cell& cell = cells_[{interval.epoch, interval.region, interval.stretch, interval.lane.value}];
  cell.time += interval.time;
  ++cell.instances;
  for (const auto& [id, use] : uses) {
    cell.uses[owners_[id]] += use;
    const bool of_task = interval.region != CountedInterval::no_region;
    if (of_task && owners_[id].object == unmanaged && use.accesses > 0)
      variables_.add({.region = interval.region, .lane = interval.lane.value}, numbers_[id], use.accesses);
  }
}

void PageCountLog::write_cells() {
  PrivateVector<Record> records;
  for (const auto& [label, cell] : cells_) {
    const auto& [epoch, region, stretch, lane] = label;
    records.clear();
    for (const auto& [owner, use] : cell.uses)
      records.push_back({owner.object, owner.page, use.accesses, use.stall, use.read, use.written});
    write_text(
        "{\"epoch\":%u,\"region\":%u,\"phase\":%u,\"lane\":%u,\"instances\":%u,\"time_ps\":%.0f,\"pages\":%zu}\n",
        epoch, region, stretch, lane, cell.instances, cell.time.value * 1e3, records.size());
    file_.write(records.data(), records.size() * sizeof(Record));
  }
  cells_.clear();
}

Status PageCountLog::close(std::span<const std::string> regions) {
  const std::lock_guard guard(lock_);
  write_cells();
  for (const Object& object : objects_) {
    write_text("{\"object_pages\":%llu,\"site\":\"%016llx\",\"nth\":%llu,\"born\":%u,\"died\":%u}\n",
               static_cast<unsigned long long>(object.last - object.first),
               static_cast<unsigned long long>(object.site), static_cast<unsigned long long>(object.nth), object.born,
               object.parts > 0 ? unmanaged : object.died);
  }
  variables_.write(file_);
  const std::string last = "{\"unmanaged_pages\":" + std::to_string(unmanaged_) +
                           ",\"epochs\":" + std::to_string(epoch_ + 1) + ",\"regions\":" + listed(regions) + "}\n";
  file_.write(last.data(), last.size());
  const Status status = file_.close();
  if (status.ok()) return {};
  return {status.code(), "LBHM_PAGE_COUNTS: the counts could not be written (" + status.message() +
                             "); make room in that folder, or use a smaller input"};
}

}  // namespace lbhm::emulator
