// formulas: evaluates formulas over a table in parallel and checks the results against one thread.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "matrix.h"
#include "statistics.h"
#include "table.h"

namespace {

int failures = 0;

void check(bool good, const std::string& what) {
  if (good) return;
  std::cerr << "formulas: wrong: " << what << '\n';
  ++failures;
}

bool same(const Outcome& a, const Outcome& b) { return a.sum == b.sum && a.good == b.good && a.failures == b.failures; }

void evaluate_formulas(const Table& table) {
  const Columns columns = table.columns();
  const std::vector<std::string> formulas = {"a + b * c - 2.5",
                                             "a / d",
                                             "sqrt(b) + c ^ 0.5",
                                             "max(a, b, mean(c, d, -a))",
                                             "step(a) * fib(b)",
                                             "-(a - b) ^ 3 / (c + 1)",
                                             "max(sqrt(a * a + c * c), fib(mean(a, step(c))))"};
  for (const std::string& text : formulas) {
    const NodePointer formula = parse(text, columns);
    const Outcome parallel = evaluate_all(*formula, table.rows);
    check(same(parallel, evaluate_serially(*formula, table.rows)), text);
    std::cout << formula->text() << " [" << formula->size() << "] = " << static_cast<std::int64_t>(parallel.sum)
              << " over " << parallel.good;
    for (const auto& [what, count] : parallel.failures) std::cout << ", " << count << ' ' << what;
    std::cout << '\n';
  }
}

void bad_formulas(const Columns& columns) {
  for (const char* text : {"a +", "sqrt(a, b)", "x * 2", "(a", "sin(a)", "a b"}) {
    try {
      parse(text, columns);
      check(false, std::string("accepted ") + text);
    } catch (const ParseError& error) { std::cout << text << ": " << error.what() << '\n'; }
  }
}

/// Words counted by all threads into maps of their own, then joined.
void count_words() {
  std::vector<std::string> words;
  for (unsigned i = 0; i < 40'000; ++i) words.push_back("word" + std::to_string(i * i % 977));
  std::unordered_map<std::string, unsigned> total;
#pragma omp parallel
  {
    std::unordered_map<std::string, unsigned> mine;
#pragma omp for nowait
    for (std::size_t i = 0; i < words.size(); ++i) ++mine[words[i]];
#pragma omp critical(join_words)
    for (const auto& [word, count] : mine) total[word] += count;
  }
  const std::set<std::string> distinct(words.begin(), words.end());
  std::size_t sum = 0;
  for (const auto& entry : total) sum += entry.second;
  check(sum == words.size() && total.size() == distinct.size(), "words");
  std::cout << total.size() << " words\n";
}

/// Fibonacci numbers by matrices, modulo 2^64.
void matrices() {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (unsigned n = 1; n <= 2000; ++n) {
    Matrix<std::uint64_t, 2, 2> step;
    step(0, 0) = step(0, 1) = step(1, 0) = 1;
    sum += power(step, n)(0, 1);
  }
  std::uint64_t a = 0, b = 1, expected = 0;
  for (unsigned n = 1; n <= 2000; ++n) {
    expected += b;
    a = std::exchange(b, a + b);
  }
  check(sum == expected, "matrices");
  std::cout << "matrices " << sum << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const Table made = made_up_table(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20'000);
  std::stringstream file;
  write_table(file, made);
  const Table table = read_table(file);
  check(table.rows == made.rows && table.names == made.names, "table written and read");
  try {
    std::istringstream broken("a,b\n1,2\n3,x\n");
    read_table(broken);
    check(false, "accepted a broken table");
  } catch (const std::runtime_error& error) { std::cout << error.what() << '\n'; }
  evaluate_formulas(table);
  bad_formulas(table.columns());
  count_words();
  matrices();
  std::cout << (failures == 0 ? "verified" : "FAILED") << std::endl;
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
