#include "runtime/objects/elf_variables.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace lbhm {
namespace {

constexpr Bytes large{100'000};
[[gnu::used]] char a_large_variable[150'000];
[[gnu::used]] char a_small_variable[100];

std::string own_file() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ReadAt reader(const std::string& file) {
  return [&file](std::uint64_t offset, std::span<char> out) {
    if (offset > file.size() || out.size() > file.size() - offset) return false;
    std::memcpy(out.data(), file.data() + offset, out.size());
    return true;
  };
}

TEST(ElfVariables, LargeOnesAreFoundAndSmallOnesAreNot) {
  const std::string file = own_file();
  const auto found = large_variables(reader(file), large);
  ASSERT_TRUE(found) << found.error().message();
  const auto named = [&](std::string_view part) {
    return std::ranges::find_if(*found, [&](const ElfVariable& v) { return v.name.find(part) != std::string::npos; });
  };
  ASSERT_NE(named("a_large_variable"), found->end());
  EXPECT_GE(named("a_large_variable")->bytes, Bytes(150'000));
  EXPECT_LT(named("a_large_variable")->bytes, Bytes(200'000)) << "AddressSanitizer puts space behind it";
  EXPECT_EQ(named("a_small_variable"), found->end());
  EXPECT_TRUE(std::ranges::is_sorted(*found, {}, &ElfVariable::begin));
}

TEST(ElfVariables, OtherFilesHaveNone) {
  for (const std::string file : {"", "#!/bin/sh\n",
                                 "\x7f"
                                 "ELF\x01\x01 32 bits"}) {
    const auto found = large_variables(reader(file), large);
    EXPECT_TRUE(found && found->empty()) << file;
  }
}

/// Whatever is cut off or overwritten: an answer or one sentence, and no end of the program.
TEST(ElfVariables, DamageIsSaid) {
  const std::string whole = own_file();
  Elf64_Ehdr header;
  std::memcpy(&header, whole.data(), sizeof header);
  const std::string cut = whole.substr(0, header.e_shoff + 10);
  const auto refused = large_variables(reader(cut), large);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("damaged"), std::string::npos);
  for (std::size_t at = header.e_shoff; at < whole.size(); at += 37) {
    std::string file = whole;
    std::memset(file.data() + at, 0xff, std::min<std::size_t>(8, whole.size() - at));
    (void)large_variables(reader(file), large);
  }
}

}  // namespace
}  // namespace lbhm
