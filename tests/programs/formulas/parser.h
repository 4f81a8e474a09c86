#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "nodes.h"

class ParseError : public std::runtime_error {
 public:
  ParseError(const std::string& what, std::size_t position)
      : std::runtime_error(what + " at " + std::to_string(position)) {}
};

using Columns = std::map<std::string, std::size_t, std::less<>>;

/// Throws ParseError.
NodePointer parse(std::string_view formula, const Columns& columns);
