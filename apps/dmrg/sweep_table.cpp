#include "apps/dmrg/sweep_table.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "apps/common/line_reader.h"
#include "apps/common/mini_app.h"

namespace dmrg {
namespace {

using Words = std::vector<std::string_view>;

constexpr const char* columns = "'maxdim mindim cutoff niter noise'";

std::size_t whole(const apps::LineReader& lines, std::string_view word, const char* what, std::size_t least,
                  std::size_t most) {
  const auto number = apps::parse_number<std::uint64_t>(lines, word, what);
  if (number < least || number > most) {
    lines.fail(std::string(what) + " " + apps::quote(word) + " must be from " + std::to_string(least) + " to " +
               std::to_string(most) + ".");
  }
  return number;
}

Sweep parse_sweep(const apps::LineReader& lines, const Words& words) {
  if (words.size() != 5) {
    lines.fail("a sweep has 5 values, " + std::string(columns) + ", and here are " + std::to_string(words.size()) +
               ".");
  }
  Sweep sweep;
  sweep.truncation.max_dimension = whole(lines, words[0], "maxdim", 1, max_dimension);
  sweep.truncation.min_dimension = whole(lines, words[1], "mindim", 1, sweep.truncation.max_dimension);
  sweep.truncation.cutoff = apps::parse_number<double>(lines, words[2], "cutoff");
  if (!(sweep.truncation.cutoff >= 0 && sweep.truncation.cutoff < 1)) {
    lines.fail("cutoff " + apps::quote(words[2]) + " must be at least 0 and less than 1.");
  }
  sweep.iterations = whole(lines, words[3], "niter", 1, max_iterations);
  if (apps::parse_number<double>(lines, words[4], "noise") != 0) {
    lines.fail("noise " + apps::quote(words[4]) + " is not supported: write 0.");
  }
  return sweep;
}

/// "sweeps {", on one line or two.
void expect_group(apps::LineReader& lines) {
  Words words = lines.next_words();
  if (!words.empty() && words[0] == "sweeps") {
    if (words.size() == 2 && words[1] == "{") return;
    if (words.size() == 1) {
      words = lines.next_words();
      if (words.size() == 1 && words[0] == "{") return;
    }
  }
  lines.fail("the table must begin with 'sweeps {'.");
}

}  // namespace

std::vector<Sweep> read_sweep_table(std::istream& stream, const std::string& name) {
  apps::LineReader lines(stream, name);
  expect_group(lines);
  const Words header = lines.next_words();
  if (header != Words{"maxdim", "mindim", "cutoff", "niter", "noise"}) {
    lines.fail("the names of the columns must follow: " + std::string(columns) + ".");
  }
  std::vector<Sweep> sweeps;
  for (;;) {
    const Words words = lines.next_words();
    if (words.empty()) lines.fail("the file ends within the table: close it with '}'.");
    if (words == Words{"}"}) break;
    if (sweeps.size() == max_sweeps) lines.fail("there are more than " + std::to_string(max_sweeps) + " sweeps.");
    sweeps.push_back(parse_sweep(lines, words));
  }
  if (sweeps.empty()) lines.fail("the table has no sweeps: there must be at least one.");
  if (!lines.next_words().empty()) lines.fail("nothing may follow the table's '}'.");
  return sweeps;
}

std::vector<Sweep> read_sweep_table(const std::string& path) {
  std::ifstream stream = apps::open_text(path, "table of sweeps", "--sweeps");
  return read_sweep_table(stream, path);
}

}  // namespace dmrg
