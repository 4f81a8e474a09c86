#include "table.h"

#include <cstdint>
#include <iomanip>
#include <istream>
#include <limits>
#include <ostream>
#include <sstream>

Columns Table::columns() const {
  Columns result;
  for (std::size_t i = 0; i < names.size(); ++i) result.emplace(names[i], i);
  return result;
}

Table read_table(std::istream& in) {
  Table table;
  std::string line;
  std::getline(in, line);
  std::istringstream heads(line);
  for (std::string name; std::getline(heads, name, ',');) table.names.push_back(name);
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    std::istringstream cells(line);
    Row row;
    for (std::string cell; std::getline(cells, cell, ',');) {
      std::istringstream text(cell);
      double value = 0;
      if (!(text >> value)) throw std::runtime_error("line " + std::to_string(number) + ": no number: " + cell);
      row.push_back(value);
    }
    if (row.size() != table.names.size())
      throw std::runtime_error("line " + std::to_string(number) + ": wrong number of cells");
    table.rows.push_back(std::move(row));
  }
  return table;
}

void write_table(std::ostream& out, const Table& table) {
  for (std::size_t i = 0; i < table.names.size(); ++i) out << (i ? "," : "") << table.names[i];
  out << '\n' << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (const Row& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out << (i ? "," : "") << row[i];
    out << '\n';
  }
}

Table made_up_table(std::size_t rows) {
  Table table{.names = {"a", "b", "c", "d"}, .rows = std::vector<Row>(rows)};
  std::uint64_t state = 1;
  const auto next = [&state] {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state >> 40) / 65536.0;
  };
  for (Row& row : table.rows) {
    row = {next(), next() - 128, next(), next()};
    if (row[3] < 256.0 / 50) row[3] = 0;
  }
  return table;
}
