// Are the records of a linked file read right, and do different loops keep different ids?
#include "runtime/record/region_book.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace lbhm {
namespace {

/// A section as the linker lays it out.
class Section {
 public:
  void add(std::uint64_t id, const std::string& file, const std::string& function, std::uint16_t flags = 0) {
    const std::string text = file + '\0' + function + '\0';
    const std::size_t bytes = (offsetof(lbhm_code_region, text) + text.size() + 7) / 8 * 8;
    const std::size_t at = words_.size() * sizeof(std::uint64_t);
    words_.resize(words_.size() + bytes / 8);
    const lbhm_code_region head{.bytes = static_cast<std::uint32_t>(bytes),
                                .line = 7,
                                .id = id,
                                .slot = 0,
                                .kind = LBHM_REGION_WORKSHARING,
                                .flags = flags,
                                .text = {}};
    char* record = reinterpret_cast<char*>(words_.data()) + at;
    std::memcpy(record, &head, offsetof(lbhm_code_region, text));
    std::memcpy(record + offsetof(lbhm_code_region, text), text.data(), text.size());
    offsets_.push_back(at);
  }
  lbhm_code_region* record(std::size_t number) {
    return reinterpret_cast<lbhm_code_region*>(reinterpret_cast<char*>(words_.data()) + offsets_[number]);
  }
  lbhm_code_region* end() { return reinterpret_cast<lbhm_code_region*>(words_.data() + words_.size()); }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> offsets_;
};

TEST(RegionBook, RecordsOfAnyLengthAreRead) {
  Section section;
  section.add(11, "a.c", "f");
  section.add(12, "src/a/rather/long/name.cpp", "_ZN5space8functionEv");
  RegionBook book;
  book.add(section.record(0), section.end());
  ASSERT_EQ(book.size(), 2u);
  const CodeRegion region = book.region(book.slot(*section.record(1)));
  EXPECT_EQ(region.id, 12u);
  EXPECT_EQ(region.file, "src/a/rather/long/name.cpp");
  EXPECT_EQ(region.function, "_ZN5space8functionEv");
  EXPECT_EQ(region.line, 7u);
  EXPECT_EQ(region.kind, LBHM_REGION_WORKSHARING);
}

TEST(RegionBook, LocalLoopsOfOneIdAreToldApartAndOthersAreOne) {
  Section section;
  section.add(20, "a.c", "f", LBHM_REGION_LOCAL);
  section.add(20, "a.c", "f", LBHM_REGION_LOCAL);
  section.add(30, "a.h", "g");
  section.add(30, "a.h", "g");
  RegionBook book;
  book.add(section.record(0), section.end());
  EXPECT_EQ(book.region(book.slot(*section.record(0))).id, 20u);
  EXPECT_EQ(book.region(book.slot(*section.record(1))).id, 21u);
  EXPECT_EQ(book.slot(*section.record(2)), book.slot(*section.record(3)));
}

TEST(RegionBook, ALibraryLoadedTwiceHasItsRegionsOnce) {
  Section first, again;
  first.add(40, "l.c", "f", LBHM_REGION_LOCAL);
  again.add(40, "l.c", "f", LBHM_REGION_LOCAL);
  RegionBook book;
  book.add(first.record(0), first.end());
  book.add(again.record(0), again.end());
  EXPECT_EQ(book.slot(*first.record(0)), book.slot(*again.record(0)));
}

TEST(RegionBook, ARegionThatRunsBeforeItsFileIsKnownIsTakenAlone) {
  Section section;
  section.add(50, "early.c", "f");
  RegionBook book;
  EXPECT_EQ(book.slot(*section.record(0)), 1u);
  book.add(section.record(0), section.end());
  EXPECT_EQ(book.size(), 1u);
}

}  // namespace
}  // namespace lbhm
