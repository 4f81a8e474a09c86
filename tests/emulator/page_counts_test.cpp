// Are counts by page exact, in the right interval and on the right page, and does counting leave time alone?
#include <dlfcn.h>
#include <errno.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "emulator/machine/emulated_machine.h"
#include "tests/emulator/machine_for_tests.h"

namespace lbhm::emulator {
namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds patience{20};
constexpr std::uint32_t unmanaged = ~std::uint32_t{0};

struct Record {
  std::uint32_t object, page;
  std::uint64_t accesses, stall, read, written;
};

struct Cell {
  Json label;
  std::vector<Record> records;
};

struct File {
  Json header, last;
  std::vector<Cell> cells;
  std::vector<Json> objects, variables;
};

alignas(4096) std::array<char, 2 * 4096> table{};  // a variable of the program

File parsed(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  File file;
  std::string line;
  std::getline(in, line);
  file.header = Json::parse(line);
  while (std::getline(in, line)) {
    const Json entry = Json::parse(line);
    if (entry.contains("epochs")) file.last = entry;
    if (entry.contains("object_pages")) file.objects.push_back(entry);
    if (entry.contains("variables_of")) file.variables.push_back(entry);
    if (!entry.contains("epoch")) continue;
    Cell cell{.label = entry, .records = std::vector<Record>(entry.at("pages").get<std::size_t>())};
    in.read(reinterpret_cast<char*>(cell.records.data()),
            static_cast<std::streamsize>(cell.records.size() * sizeof(Record)));
    file.cells.push_back(std::move(cell));
  }
  return file;
}

/// A small machine whose slow tier moves less than one core can ask for.
MachineDescription narrow_machine() {
  MachineDescription machine = small_machine();
  machine.topology.tiers[1].read_bandwidth = machine.topology.tiers[1].write_bandwidth = BytesPerNanosecond(0.5);
  return machine;
}

class PageCountsTest : public testing::Test {
 protected:
  /// A machine that counts, with everything in slow memory.
  EmulatedMachine& machine(bool contention = true) {
    MachineDescription description = narrow_machine();
    description.page_counts = true;
    description.contention = contention;
    std::unique_ptr<PageCountLog> log(new PageCountLog);
    EXPECT_TRUE(log->open(path_, description).ok());
    machine_ = std::make_unique<EmulatedMachine>(description, patience, std::move(log));
    const TierId order[] = {TierId(1), TierId(0)};
    EXPECT_TRUE(machine_->prefer_default(order).ok());
    return *machine_;
  }

  std::uint64_t object(std::uint64_t pages) {
    return reinterpret_cast<std::uint64_t>(*machine_->reserve(Bytes(pages * 4096), Bytes(4096)));
  }

  File file() {
    EXPECT_TRUE(machine_->page_counts()->save(regions_).ok());
    return parsed(path_);
  }

  const std::string path_ = testing::TempDir() + "page-counts-" + std::to_string(getpid());
  const std::vector<std::string> regions_{"app+0x10", "lib\"q\".so+0x20"};
  std::unique_ptr<EmulatedMachine> machine_;

  void TearDown() override { std::filesystem::remove(path_); }
};

TEST_F(PageCountsTest, EveryAccessIsOnItsPageInItsInterval) {
  EmulatedMachine& m = machine();
  const std::uint64_t first = object(2), second = object(3);
  for (const std::uint64_t line : {9, 4, 30, 1, 17}) instrumented().access(first + 4096 + line * 64);
  m.page_counts()->end_interval({.epoch = 0, .lane = LaneId(0), .time = Nanoseconds(7)});
  instrumented().access(second + 2 * 4096);
  m.page_counts()->end_interval({.epoch = 2, .region = 4, .stretch = 1, .lane = LaneId(3), .time = Nanoseconds(9)});
  const File f = file();
  ASSERT_EQ(f.cells.size(), 2u);
  ASSERT_EQ(f.cells[0].records.size(), 1u);
  EXPECT_EQ(f.cells[0].records[0].object, 0u);
  EXPECT_EQ(f.cells[0].records[0].page, 1u);
  EXPECT_EQ(f.cells[0].records[0].accesses, 5u);
  EXPECT_EQ(f.cells[0].label.at("time_ps"), 7000);
  ASSERT_EQ(f.cells[1].records.size(), 1u);
  EXPECT_EQ(f.cells[1].records[0].object, 1u);
  EXPECT_EQ(f.cells[1].records[0].page, 2u);
  EXPECT_EQ(f.cells[1].label.at("epoch"), 2);
  EXPECT_EQ(f.cells[1].label.at("region"), 4);
  EXPECT_EQ(f.cells[1].label.at("lane"), 3);
  EXPECT_EQ(f.objects.at(1).at("object_pages"), 3);
  EXPECT_EQ(f.last.at("epochs"), 3);
}

TEST_F(PageCountsTest, RegionsHaveTheirNamesByNumber) {
  machine();
  EXPECT_EQ(file().last.at("regions"), Json(regions_));
}

TEST_F(PageCountsTest, EqualIntervalsAddUp) {
  EmulatedMachine& m = machine();
  const std::uint64_t address = object(1);
  const CountedInterval interval{.region = 1, .lane = LaneId(0), .time = Nanoseconds(5)};
  for (std::uint64_t line = 0; line < 2; ++line) {
    instrumented().access(address + line * 64);
    m.page_counts()->end_interval(interval);
  }
  const File f = file();
  ASSERT_EQ(f.cells.size(), 1u);
  EXPECT_EQ(f.cells[0].records.at(0).accesses, 2u);
  EXPECT_EQ(f.cells[0].label.at("instances"), 2);
  EXPECT_EQ(f.cells[0].label.at("time_ps"), 10'000);
}

TEST_F(PageCountsTest, PagesOfVariablesAreThoseOfTheirFile) {
  EmulatedMachine& m = machine();
  const auto address = reinterpret_cast<std::uint64_t>(table.data());
  const auto block = std::make_unique<std::array<char, 64>>();
  for (const std::uint64_t line : {3, 40, 9}) instrumented().access(address + 4096 + line * 64);
  instrumented().access(reinterpret_cast<std::uint64_t>(block->data()));
  m.page_counts()->end_interval({.region = 1, .lane = LaneId(2), .time = Nanoseconds(7)});
  instrumented().access(address + 32 * 64);
  m.page_counts()->end_interval({.lane = LaneId(0), .time = Nanoseconds(9)});  // of no task
  instrumented().access(address + 4096 + 50 * 64);
  m.page_counts()->end_interval({.region = 7, .lane = LaneId(2), .time = Nanoseconds(9)});
  const File f = file();
  ASSERT_EQ(f.variables.size(), 2u) << "blocks of malloc are of no file; a line a region";
  EXPECT_EQ(f.variables[0].at("variables_of"), program_invocation_short_name);
  EXPECT_EQ(f.variables[0].at("lane"), 2);
  Dl_info info;
  ASSERT_NE(dladdr(table.data(), &info), 0);
  const std::uint64_t page = (address - reinterpret_cast<std::uint64_t>(info.dli_fbase)) / 4096 + 1;
  EXPECT_EQ(f.variables[0].at("region"), 1);
  EXPECT_EQ(f.variables[0].at("accesses"), Json::array({Json::array({page, 3})}));
  EXPECT_EQ(f.variables[1].at("region"), 7);
  EXPECT_EQ(f.variables[1].at("accesses"), Json::array({Json::array({page, 1})}));
}

TEST_F(PageCountsTest, AChaseStallsOnEveryPageForItsLatency) {
  EmulatedMachine& m = machine();
  const std::uint64_t address = object(40);
  for (std::uint64_t page = 0; page < 40; ++page) instrumented().access((address + page * 4096) | chase());
  m.execution().wait_begin(Wait::tasks, nullptr);  // all loads are waited for
  m.page_counts()->end_interval({.lane = LaneId(0)});
  std::uint64_t stall = 0, read = 0;
  for (const Record& record : file().cells.at(0).records) {
    stall += record.stall;
    read += record.read;
  }
  EXPECT_NEAR(static_cast<double>(stall), 40.0 * 400 * ns, 40.0 * 10 * ns) << "400 ns each, one after the other";
  EXPECT_EQ(read, 40u * 128 * ns) << "64 bytes at 0.5 GB/s";
}

TEST_F(PageCountsTest, PagesOfReleasedObjectsKeepTheirNumber) {
  EmulatedMachine& m = machine();
  const std::uint64_t first = object(1);
  instrumented().access(first);
  m.release(reinterpret_cast<void*>(first), Bytes(4096));
  const std::uint64_t second = object(1);
  EXPECT_EQ(second, first) << "the lowest hole";
  instrumented().access(second);
  m.page_counts()->end_interval({.lane = LaneId(0)});
  const File f = file();
  ASSERT_EQ(f.cells.at(0).records.size(), 2u);
  EXPECT_EQ(f.cells[0].records[0].object, 0u);
  EXPECT_EQ(f.cells[0].records[1].object, 1u);
  EXPECT_EQ(f.objects.at(0).at("died"), 0);
  EXPECT_EQ(f.objects.at(1).at("died"), unmanaged) << "never";
}

/// The clock after a stream that asks for more than 0.5 GB/s.
double stream(Machine& m) {
  const auto address = reinterpret_cast<std::uint64_t>(*m.reserve(Bytes(1024 * 4096), Bytes(4096)));
  for (std::uint64_t line = 0; line < 1024 * 64; ++line) instrumented().access(address + line * 64);
  return m.execution().now().value;
}

TEST_F(PageCountsTest, CountingTakesNoTime) {
  const double counted = stream(machine());
  machine_.reset();
  const MachineDescription description = narrow_machine();
  EmulatedMachine plain(description, patience);
  const TierId order[] = {TierId(1), TierId(0)};
  ASSERT_TRUE(plain.prefer_default(order).ok());
  EXPECT_EQ(plain.page_counts(), nullptr);
  EXPECT_DOUBLE_EQ(stream(plain), counted);
}

TEST_F(PageCountsTest, WithoutContentionNobodyWaitsForBandwidth) {
  const double contended = stream(machine());
  machine_.reset();
  EXPECT_LT(stream(machine(false)), 0.9 * contended);
}

TEST(PageCountLog, AFileThatCannotBeMadeIsNamed) {
  PageCountLog log;
  const Status status = log.open("/no/such/folder/counts", small_machine());
  EXPECT_EQ(status.code(), StatusCode::unavailable);
  EXPECT_THAT(status.message(), testing::HasSubstr("LBHM_PAGE_COUNTS=/no/such/folder/counts"));
}

}  // namespace
}  // namespace lbhm::emulator
