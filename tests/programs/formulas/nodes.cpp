#include "nodes.h"

#include <cmath>
#include <sstream>
#include <utility>

namespace {

class Number final : public Node {
 public:
  explicit Number(double value) : value_(value) {}
  double evaluate(const Row&) const override { return value_; }
  std::string text() const override {
    std::ostringstream out;
    out << value_;
    return out.str();
  }

 private:
  double value_;
};

class Column final : public Node {
 public:
  Column(std::size_t index, std::string name) : index_(index), name_(std::move(name)) {}
  double evaluate(const Row& row) const override { return row.at(index_); }
  std::string text() const override { return name_; }

 private:
  std::size_t index_;
  std::string name_;
};

class Binary : public Node {
 public:
  Binary(NodePointer left, NodePointer right) : left_(std::move(left)), right_(std::move(right)) {}
  double evaluate(const Row& row) const final { return combine(left_->evaluate(row), right_->evaluate(row)); }
  std::string text() const final { return "(" + left_->text() + symbol() + right_->text() + ")"; }
  std::size_t size() const final { return 1 + left_->size() + right_->size(); }

 protected:
  virtual double combine(double left, double right) const = 0;
  virtual char symbol() const = 0;

 private:
  NodePointer left_;
  NodePointer right_;
};

template <class Operation, char Symbol>
class Simple final : public Binary {
 public:
  using Binary::Binary;

 protected:
  double combine(double left, double right) const override { return Operation{}(left, right); }
  char symbol() const override { return Symbol; }
};

class Division final : public Binary {
 public:
  using Binary::Binary;

 protected:
  double combine(double left, double right) const override {
    if (right == 0) throw EvaluationError("division by zero", left);
    return left / right;
  }
  char symbol() const override { return '/'; }
};

class Power final : public Binary {
 public:
  using Binary::Binary;

 protected:
  double combine(double left, double right) const override {
    if (left < 0 && right != std::floor(right)) throw EvaluationError("root of a negative number", left);
    return std::pow(left, right);
  }
  char symbol() const override { return '^'; }
};

class Negation final : public Node {
 public:
  explicit Negation(NodePointer operand) : operand_(std::move(operand)) {}
  double evaluate(const Row& row) const override { return -operand_->evaluate(row); }
  std::string text() const override { return "-" + operand_->text(); }
  std::size_t size() const override { return 1 + operand_->size(); }

 private:
  NodePointer operand_;
};

class Call final : public Node {
 public:
  Call(std::string name, Function function, std::vector<NodePointer> arguments)
      : name_(std::move(name)), function_(std::move(function)), arguments_(std::move(arguments)) {}
  double evaluate(const Row& row) const override {
    // Calls nest: each level takes its own part of the thread's stack of values.
    thread_local std::vector<std::vector<double>> spare;
    std::vector<double> values;
    if (!spare.empty()) {
      values = std::move(spare.back());
      spare.pop_back();
    }
    values.clear();
    for (const NodePointer& argument : arguments_) values.push_back(argument->evaluate(row));
    const double result = function_(values);
    spare.push_back(std::move(values));
    return result;
  }
  std::string text() const override {
    std::string result = name_ + "(";
    for (std::size_t i = 0; i < arguments_.size(); ++i) result += (i ? "," : "") + arguments_[i]->text();
    return result + ")";
  }
  std::size_t size() const override {
    std::size_t sum = 1;
    for (const NodePointer& argument : arguments_) sum += argument->size();
    return sum;
  }

 private:
  std::string name_;
  Function function_;
  std::vector<NodePointer> arguments_;
};

}  // namespace

NodePointer make_number(double value) { return std::make_unique<Number>(value); }
NodePointer make_column(std::size_t index, std::string name) {
  return std::make_unique<Column>(index, std::move(name));
}
NodePointer make_negation(NodePointer operand) { return std::make_unique<Negation>(std::move(operand)); }
NodePointer make_call(std::string name, Function function, std::vector<NodePointer> arguments) {
  return std::make_unique<Call>(std::move(name), std::move(function), std::move(arguments));
}

NodePointer make_binary(char operation, NodePointer left, NodePointer right) {
  switch (operation) {
    case '+':
      return std::make_unique<Simple<std::plus<>, '+'>>(std::move(left), std::move(right));
    case '-':
      return std::make_unique<Simple<std::minus<>, '-'>>(std::move(left), std::move(right));
    case '*':
      return std::make_unique<Simple<std::multiplies<>, '*'>>(std::move(left), std::move(right));
    case '/':
      return std::make_unique<Division>(std::move(left), std::move(right));
    case '^':
      return std::make_unique<Power>(std::move(left), std::move(right));
    default:
      throw std::invalid_argument(std::string("no operation ") + operation);
  }
}
