// The functions that formulas can call, by name. Files add theirs before main.
#pragma once

#include <map>
#include <string>

#include "nodes.h"

struct FunctionEntry {
  std::size_t parameters;  ///< 0: any number
  Function function;
};

std::map<std::string, FunctionEntry, std::less<>>& function_table();

/// A static object of this class adds a function before main.
class AddFunction {
 public:
  AddFunction(std::string name, std::size_t parameters, Function function);
};
