#include "parser.h"

#include <cctype>
#include <charconv>

#include "functions.h"

namespace {

/// sum := product (('+'|'-') product)*   product := power (('*'|'/') power)*   power := unary ('^' power)?
class Parser {
 public:
  Parser(std::string_view text, const Columns& columns) : text_(text), columns_(columns) {}

  NodePointer formula() {
    NodePointer result = sum();
    if (skip() < text_.size()) throw ParseError("unexpected text", at_);
    return result;
  }

 private:
  std::size_t skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_;
  }
  bool accept(char c) {
    if (skip() >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw ParseError(std::string("expected ") + c, at_);
  }

  NodePointer sum() {
    NodePointer left = product();
    while (true) {
      if (accept('+'))
        left = make_binary('+', std::move(left), product());
      else if (accept('-'))
        left = make_binary('-', std::move(left), product());
      else
        return left;
    }
  }
  NodePointer product() {
    NodePointer left = power();
    while (true) {
      if (accept('*'))
        left = make_binary('*', std::move(left), power());
      else if (accept('/'))
        left = make_binary('/', std::move(left), power());
      else
        return left;
    }
  }
  NodePointer power() {
    NodePointer base = unary();
    return accept('^') ? make_binary('^', std::move(base), power()) : std::move(base);
  }
  NodePointer unary() {
    if (accept('-')) return make_negation(unary());
    if (accept('(')) {
      NodePointer inner = sum();
      expect(')');
      return inner;
    }
    skip();
    if (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) return name();
    return number();
  }
  NodePointer number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) throw ParseError("expected a number", at_);
    at_ = static_cast<std::size_t>(end - text_.data());
    return make_number(value);
  }
  NodePointer name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
    std::string word(text_.substr(begin, at_ - begin));
    if (accept('(')) return call(std::move(word), begin);
    const auto column = columns_.find(word);
    if (column == columns_.end()) throw ParseError("no column " + word, begin);
    return make_column(column->second, std::move(word));
  }
  NodePointer call(std::string word, std::size_t begin) {
    const auto entry = function_table().find(word);
    if (entry == function_table().end()) throw ParseError("no function " + word, begin);
    std::vector<NodePointer> arguments;
    do { arguments.push_back(sum()); } while (accept(','));
    expect(')');
    const std::size_t wanted = entry->second.parameters;
    if (wanted != 0 && wanted != arguments.size()) throw ParseError("wrong number of arguments of " + word, begin);
    return make_call(std::move(word), entry->second.function, std::move(arguments));
  }

  std::string_view text_;
  const Columns& columns_;
  std::size_t at_ = 0;
};

}  // namespace

NodePointer parse(std::string_view formula, const Columns& columns) { return Parser(formula, columns).formula(); }
