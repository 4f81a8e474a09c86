// The tree of a formula.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// A formula cannot be evaluated for a row: division by zero, root of a negative number.
class EvaluationError : public std::runtime_error {
 public:
  EvaluationError(const std::string& what, double value) : std::runtime_error(what), value_(value) {}
  double value() const { return value_; }

 private:
  double value_;
};

using Row = std::vector<double>;

class Node {
 public:
  virtual ~Node() = default;
  virtual double evaluate(const Row& row) const = 0;
  virtual std::string text() const = 0;
  /// Nodes below and with this one.
  virtual std::size_t size() const { return 1; }
};

using NodePointer = std::unique_ptr<Node>;
using Function = std::function<double(const std::vector<double>&)>;

NodePointer make_number(double value);
NodePointer make_column(std::size_t index, std::string name);
/// `operation` is one of + - * / ^.
NodePointer make_binary(char operation, NodePointer left, NodePointer right);
NodePointer make_negation(NodePointer operand);
NodePointer make_call(std::string name, Function function, std::vector<NodePointer> arguments);
