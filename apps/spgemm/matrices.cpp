#include "apps/spgemm/matrices.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/common/line_reader.h"
#include "apps/common/mini_app.h"
#include "apps/common/random_graphs.h"

namespace spgemm {
namespace {

enum class Field : std::uint8_t { real, integer, pattern };
enum class Symmetry : std::uint8_t { general, symmetric, skew_symmetric };

constexpr std::pair<std::string_view, Field> fields[] = {
    {"real", Field::real}, {"integer", Field::integer}, {"pattern", Field::pattern}};
constexpr std::pair<std::string_view, Symmetry> symmetries[] = {
    {"general", Symmetry::general}, {"symmetric", Symmetry::symmetric}, {"skew-symmetric", Symmetry::skew_symmetric}};

struct Header {
  Field field;
  Symmetry symmetry;
};

struct Size {
  Index rows;
  Index columns;
  std::uint64_t entries;
};

Header read_header(apps::LineReader& lines) {
  constexpr const char* expected =
      " Expected: %%MatrixMarket matrix coordinate real|integer|pattern general|symmetric|skew-symmetric.";
  if (!lines.next()) lines.fail(std::string("the file is empty.") + expected);
  std::vector<std::string> words;
  for (const std::string_view word : lines.words()) words.push_back(apps::to_lower(word));
  if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix") {
    lines.fail(std::string("this is not the first line of a Matrix Market matrix.") + expected);
  }
  const auto refuse = [&](const std::string& word) {
    lines.fail(apps::quote(word) + " matrices are not supported." + expected);
  };
  const auto find = [&](const auto& table, const std::string& word) {
    const auto* const entry = std::ranges::find(table, word, [](const auto& e) { return e.first; });
    if (entry == std::end(table)) refuse(word);
    return entry->second;
  };
  if (words[2] != "coordinate") refuse(words[2]);
  const Header header{.field = find(fields, words[3]), .symmetry = find(symmetries, words[4])};
  if (header.field == Field::pattern && header.symmetry == Symmetry::skew_symmetric) {
    lines.fail("a pattern cannot be skew-symmetric: it has no signs. Use 'symmetric' or 'general'.");
  }
  return header;
}

Size read_size(apps::LineReader& lines, const Header& header) {
  const std::vector<std::string_view> words = lines.next_words();
  if (words.size() != 3) lines.fail("expected the size line: number of rows, of columns and of entries.");
  const auto dimension = [&](std::string_view word, const char* what) {
    const auto number = apps::parse_number<std::uint64_t>(lines, word, what);
    if (number == 0 || number > max_dimension) {
      lines.fail(std::string(what) + " " + apps::quote(word) + " must be between 1 and " +
                 std::to_string(max_dimension) + ".");
    }
    return static_cast<Index>(number);
  };
  const Size size{dimension(words[0], "the number of rows"), dimension(words[1], "the number of columns"),
                  apps::parse_number<std::uint64_t>(lines, words[2], "the number of entries")};
  if (header.symmetry != Symmetry::general && size.rows != size.columns) {
    lines.fail("a symmetric matrix must be square, this one has " + std::to_string(size.rows) + " rows and " +
               std::to_string(size.columns) + " columns.");
  }
  return size;
}

double parse_value(const apps::LineReader& lines, std::string_view word, Field field) {
  if (field == Field::integer) return static_cast<double>(apps::parse_number<std::int64_t>(lines, word, "the value"));
  const auto value = apps::parse_number<double>(lines, word, "the value");
  if (!std::isfinite(value)) lines.fail("the value " + apps::quote(word) + " is not finite.");
  return value;
}

Triple parse_entry(const apps::LineReader& lines, const std::vector<std::string_view>& words, const Header& header,
                   const Size& size) {
  const std::size_t expected = header.field == Field::pattern ? 2 : 3;
  if (words.size() != expected) {
    lines.fail("expected row and column" + std::string(expected == 3 ? " and value" : "") + ", that is " +
               std::to_string(expected) + " words, and found " + std::to_string(words.size()) + ".");
  }
  const auto position = [&](std::string_view word, const char* what, Index limit) {
    const auto number = apps::parse_number<std::uint64_t>(lines, word, what);
    if (number < 1 || number > limit) {
      lines.fail(std::string(what) + " " + apps::quote(word) + " must be between 1 and " + std::to_string(limit) + ".");
    }
    return static_cast<Index>(number - 1);
  };
  const Triple entry{position(words[0], "the row", size.rows), position(words[1], "the column", size.columns),
                     header.field == Field::pattern ? 1.0 : parse_value(lines, words[2], header.field)};
  if (header.symmetry != Symmetry::general && entry.column > entry.row) {
    lines.fail("a symmetric file gives the entries on and below the diagonal only, this one is above it.");
  }
  if (header.symmetry == Symmetry::skew_symmetric && entry.column == entry.row) {
    lines.fail("the diagonal of a skew-symmetric matrix is zero and must not be given.");
  }
  return entry;
}

Input make_input(std::string name, Triples entries) {
  Csr a = compress(entries);
  ManagedCsr b = transpose("B", a.view());
  return {std::move(name), std::move(entries), std::move(a), std::move(b)};
}

std::vector<Input> generate(const Options& options) {
  std::vector<Input> inputs;
  for (unsigned i = 0; i < options.inputs; ++i) {
    const std::uint64_t seed = options.seed + i;
    inputs.push_back(make_input("kron " + std::to_string(options.scale) + " seed " + std::to_string(seed),
                                make_kronecker(options.scale, seed)));
  }
  return inputs;
}

std::vector<Input> read(const Options& options) {
  std::vector<Triples> files;
  files.reserve(options.matrices.size());
  for (const std::string& path : options.matrices) files.push_back(read_matrix_market_file(path));
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < options.inputs; ++i) {
    const std::size_t file = i % files.size();
    const bool again = i >= files.size();
    const std::uint64_t seed = options.seed + i;
    inputs.push_back(make_input(options.matrices[file] + (again ? " permuted " + std::to_string(seed) : ""),
                                again ? permute_rows(files[file], seed) : files[file]));
  }
  return inputs;
}

}  // namespace

Triples read_matrix_market(std::istream& stream, const std::string& name) {
  apps::LineReader lines(stream, name);
  const Header header = read_header(lines);
  const Size size = read_size(lines, header);
  Triples matrix{size.rows, size.columns, {}};
  // The promised number is not trusted with memory before the entries are there.
  matrix.entries.reserve(std::min<std::uint64_t>(size.entries, 1U << 20));
  for (std::uint64_t read = 0; read < size.entries; ++read) {
    const std::vector<std::string_view> words = lines.next_words();
    if (words.empty()) {
      lines.fail("the file ends after " + std::to_string(read) + " of the " + std::to_string(size.entries) +
                 " entries that its size line promises.");
    }
    const Triple entry = parse_entry(lines, words, header, size);
    matrix.entries.push_back(entry);
    if (header.symmetry != Symmetry::general && entry.row != entry.column) {
      const double sign = header.symmetry == Symmetry::skew_symmetric ? -1.0 : 1.0;
      matrix.entries.push_back({entry.column, entry.row, sign * entry.value});
    }
  }
  if (!lines.next_words().empty()) {
    lines.fail("more entries than the " + std::to_string(size.entries) + " that the size line promises.");
  }
  if (stream.bad()) lines.fail("the file cannot be read any further.");
  return matrix;
}

Triples read_matrix_market_file(const std::string& path) {
  std::ifstream stream = apps::open_text(path, "matrix file", "--matrix");
  return read_matrix_market(stream, path);
}

Triples make_kronecker(unsigned scale, std::uint64_t seed) {
  const Index vertices = Index{1} << scale;
  Triples graph{vertices, vertices, {}};
  graph.entries.resize(apps::kronecker_edges(scale), Triple{0, 0, 1.0});
  apps::fill_kronecker(scale, seed, graph.entries);
  return graph;
}

std::vector<Input> make_inputs(const Options& options) {
  return options.matrices.empty() ? generate(options) : read(options);
}

}  // namespace spgemm
