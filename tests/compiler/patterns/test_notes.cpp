// Does a running program say where its bases lie, once for each and only if it is asked?
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/compiler/patterns/pattern_table.h"

namespace lbhm::test {
namespace {

const std::string program = R"(
#include <cstdio>
#include <vector>
#define APART __attribute__((noinline))
double table[50];
struct node { node* next; long value; };
struct holder { char* bytes; int count; APART void clear(char c); };
void holder::clear(char c) { for (int i = 0; i < count; ++i) bytes[i] += c; }
APART void argument(double* array, int n) { for (int i = 0; i < n; ++i) array[i] += 1; }
APART void fill(char* filled, int n) { for (int i = 0; i < n; ++i) filled[i] = 0; }
APART void global(int n) { for (int i = 0; i < n; ++i) table[i] += 1; }
APART void rows(double** lines, int n) { for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) lines[i][j] += 1; }
APART long list(node* head) { long s = 0; for (; head; head = head->next) s += head->value; return s; }
APART void region(char* shared, int n) {
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < n; ++i) shared[i] ^= 1;
}
APART double container(const std::vector<double>& values) { double s = 0; for (double x : values) s += x; return s; }
APART long local(int n) {
  long* block = new long[n];
  for (int i = 0; i < n; ++i) block[i] = i * i;
  std::printf("lies block %p\n", (void*)block);
  return block[n / 2];
}
int main() {
  static double array[50], first[2], second[2];
  double* lines[2] = {first, second};
  static node nodes[3] = {{nodes + 1, 1}, {nodes + 2, 2}, {nullptr, 3}};
  static char bytes[50], shared[50], filled[5000];
  holder h{bytes, 50};
  std::vector<double> values(50, 1.0);
  std::printf("lies array %p\nlies table %p\nlies lines %p\nlies head %p\nlies shared %p\nlies values %p\n", (void*)array,
              (void*)table, (void*)lines, (void*)nodes, (void*)shared, (void*)values.data());
  std::printf("lies lines[] %p\nlies lines[] %p\nlies this->bytes %p\n", (void*)first, (void*)second, (void*)bytes);
  std::printf("lies filled %p\n", (void*)filled);
  argument(array, 50);
  fill(filled, 5000);
  global(50);
  rows(lines, 2);
  h.clear(1);
  region(shared, 50);
  return list(nodes) + container(values) + local(50) < 0;
}
)";

using Addresses = std::map<std::string, std::set<std::string>>;

struct Told {
  Addresses lies, noted;
  std::map<std::string, int> times;  ///< how often each was noted
  int texts = 0;
};

class Notes : public testing::TestWithParam<std::string> {
 protected:
  std::string build() {
    std::ofstream(workshop.path("notes.cpp")) << program;
    return workshop.compile("notes",
                            plugin_flag() + " -fopenmp -g -lstdc++ " + GetParam() + " " + LBHM_NOTE_RECORDER +
                                " -Wl,-rpath," LBHM_RECORDER_FOLDER,
                            {workshop.path("notes.cpp")});
  }

  static Told read(const std::string& built, const std::string& environment) {
    std::map<std::string, std::string> names;
    for (const auto& module : read_patterns(built)) {
      for (const auto& nest : module["nests"]) {
        for (const auto& base : nest["bases"])
          names[module["id"].get<std::string>() + " " + base["number"].dump()] = base["name"];
      }
    }
    Output output = run(environment + " " + built);
    EXPECT_EQ(output.status, 0) << output.text;
    Told told;
    std::istringstream lines(output.text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string kind, name, number, address;
      words >> kind >> name;
      if (kind == "texts") told.texts += std::stoi(name);
      if (kind == "lies" && words >> address) told.lies[name].insert(address);
      if (kind != "note" || !(words >> number >> address)) continue;
      name = names[std::string(11 - name.size(), '0') + name + " " + number];
      told.noted[name].insert(address);
      ++told.times[name];
    }
    return told;
  }

  Workshop workshop;
};

TEST_P(Notes, say_where_each_base_lies) {
  Told told = read(build(), "");
  EXPECT_EQ(told.texts, 1);
  ASSERT_EQ(told.lies.size(), 10U);
  for (const auto& [name, addresses] : told.lies) EXPECT_EQ(told.noted[name], addresses) << name;
}

TEST_P(Notes, come_once_for_each_execution_of_the_loop) {
  Told told = read(build(), "");
  EXPECT_EQ(told.times["array"], 1);
  EXPECT_EQ(told.times["head"], 1);
  EXPECT_EQ(told.times["filled"], 1) << "a memset";
  EXPECT_EQ(told.times["lines[]"], 2) << "two rows";
}

TEST_P(Notes, are_not_taken_while_the_switch_is_off) {
  Told told = read(build(), "NOTES_OFF=1");
  EXPECT_EQ(told.texts, 1);
  EXPECT_TRUE(told.noted.empty());
}

INSTANTIATE_TEST_SUITE_P(Levels, Notes,
                         testing::Values("-O1", "-O2", "-O3 -march=x86-64-v3", "-O2 -flto -fuse-ld=lld"));

}  // namespace
}  // namespace lbhm::test
