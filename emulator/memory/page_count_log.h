// Exact counts of a whole run: what every lane did to every page between two barriers, written to a file.
//
// Schema lbhm.page-counts/2, docs/files.md. Intervals with the same label are added up; those of an epoch are kept in
// memory and written when the next one begins. All tables are private memory, so that counting moves nothing in the
// program's heap.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <tuple>

#include "emulator/base/private_memory.h"
#include "emulator/description/preset.h"
#include "emulator/memory/preferences.h"
#include "emulator/memory/variable_counts.h"
#include "emulator/parts/page_counter.h"
#include "runtime/base/files.h"
#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

class PageCountLog : public PrivatelyAllocated {
 public:
  PageCountLog() = default;
  PageCountLog(const PageCountLog&) = delete;
  PageCountLog& operator=(const PageCountLog&) = delete;

  /// Errors: unavailable (the file cannot be made).
  Status open(const std::string& path, const MachineDescription& machine);

  // By the page map, under its lock.
  void object_appears(PageNumber first, PageNumber last);
  void object_goes(PageNumber first);
  /// From `page` on it is a part of its own, which goes by itself: the object goes with its last part.
  void object_splits(PageNumber first, PageNumber page);
  void page_appears(PageId id, PageNumber number);
  /// It appeared before the object that it belongs to now.
  void page_is_adopted(PageId id, PageNumber number);

  /// Of one that appeared: where the program got it from. No lock of the page map.
  void name_object(PageNumber first, std::uint64_t site, std::uint64_t nth);

  /// The uses of the pages by one core are those of this interval.
  void add(const CountedInterval& interval, const PrivateHashMap<PageId, PageUse>& uses);
  /// Writes what is left; now the file appears. `regions`: names of the parallel constructs, by number. Errors:
  /// unavailable (the file could not be written).
  Status close(std::span<const std::string> regions);

 private:
  /// A page as the file names it: number of the reserve() that made it, and its place there.
  struct Owner {
    std::uint32_t object = 0;
    std::uint32_t page = 0;
    auto operator<=>(const Owner&) const = default;
  };
  struct Object {
    PageNumber first = 0;
    PageNumber last = 0;
    std::uint32_t born = 0;  // epochs
    std::uint32_t died = 0;
    std::uint32_t parts = 1;  // alive
    std::uint64_t site = 0, nth = 0;
  };
  using Label = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;  // epoch, region, stretch, lane
  struct Cell {
    Nanoseconds time;
    std::uint32_t instances = 0;
    PrivateMap<Owner, PageUse> uses;
  };

  void write_text(const char* format, auto... values);
  void write_cells();

  std::mutex lock_;
  OutputFile file_;
  std::uint32_t epoch_ = 0;
  std::uint64_t unmanaged_ = 0;
  PrivateVector<Object> objects_;
  PrivateMap<PageNumber, std::uint32_t> alive_;  // first page -> object
  PrivateVector<Owner> owners_;                  // by PageId
  PrivateVector<PageNumber> numbers_;            // by PageId
  VariableCounts variables_;
  PrivateMap<Label, Cell> cells_;  // of the current epoch
};

}  // namespace lbhm::emulator
