#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "parser.h"

/// Rows of numbers under named columns.
struct Table {
  std::vector<std::string> names;
  std::vector<Row> rows;

  Columns columns() const;
};

/// Comma-separated values; the first line has the names. Throws std::runtime_error with the number of the bad line.
Table read_table(std::istream& in);
void write_table(std::ostream& out, const Table& table);
/// Values that look random and are the same everywhere; about one in 50 of column d is 0.
Table made_up_table(std::size_t rows);
