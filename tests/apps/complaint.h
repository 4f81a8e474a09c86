// What programs say of input that they cannot use.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "apps/common/mini_app.h"

namespace apps {

/// The sentence of the InputError that `call` throws; empty if it throws none.
template <class Call>
std::string complaint_of(Call call) {
  try {
    call();
    return "";
  } catch (const InputError& error) { return error.what(); }
}

/// A text that a reader must refuse.
struct BadText {
  std::string text;
  const char* position;  ///< file and line that the sentence begins with
  const char* reason;    ///< that it gives

  friend void PrintTo(const BadText& bad, std::ostream* out) { *out << bad.position << ": " << bad.reason; }
};

inline void expect_refused(const std::string& complaint, const BadText& bad) {
  EXPECT_THAT(complaint, ::testing::StartsWith(std::string(bad.position) + ": "));
  EXPECT_THAT(complaint, ::testing::HasSubstr(bad.reason));
}

}  // namespace apps
