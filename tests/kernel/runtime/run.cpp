#include "runtime/run.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace kernel_test {

Where Outcome::all(const std::string& moment) const {
  Where sum;
  for (const auto& [name, at] : nodes) {
    if (!name.starts_with(moment + "-")) continue;
    sum.fast += at.fast;
    sum.slow += at.slow;
    sum.absent += at.absent;
  }
  return sum;
}

Started::Started(const std::vector<std::string>& command, Environment environment, const std::string& name)
    : name_(name) {
  environment.try_emplace("LD_PRELOAD", "/lib/liblbhm.so");
  environment.try_emplace("LBHM_MACHINE", "host");
  environment.try_emplace("LBHM_REPORT", name_ + ".json");
  environment.try_emplace("OMP_NUM_THREADS", "2");
  environment.try_emplace("OMP_WAIT_POLICY", "passive");
  std::remove((name_ + ".json").c_str());
  process_ = fork();
  if (process_ != 0) return;
  const int file = open((name_ + ".txt").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) _exit(126);
  dup2(file, 1);
  dup2(file, 2);
  for (const auto& [variable, value] : environment) setenv(variable.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  _exit(127);
}

bool Started::ended() {
  waited_ = waited_ || waitpid(process_, &status_, WNOHANG) == process_;
  return waited_;
}

bool Started::worked() {
  while (true) {
    const bool over = ended();
    std::ifstream file(name_ + ".txt");
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("checksum ")) return true;
    }
    if (over) return false;
    usleep(20'000);
  }
}

Outcome Started::finish() {
  if (!waited_) waitpid(process_, &status_, 0);
  waited_ = true;
  Outcome result;
  result.status = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  std::ifstream file(name_ + ".txt");
  for (std::string line; std::getline(file, line);) {
    result.output += line + '\n';
    std::istringstream words(line);
    std::string what, name;
    words >> what >> name;
    if (what == "nodes") {
      Where& at = result.nodes[name];
      words >> at.fast >> at.slow >> at.absent;
    } else if (what == "moved") {
      words >> result.moved[name].first >> result.moved[name].second;
    } else if (what == "number") {
      words >> result.numbers[name];
    } else if (what == "checksum") {
      result.checksum = name;
    }
  }
  std::ifstream report(name_ + ".json");
  if (report) result.report = nlohmann::json::parse(report, nullptr, false);
  return result;
}

Outcome run(const std::vector<std::string>& command, const Environment& environment) {
  return Started(command, environment).finish();
}

std::pair<long, long> resident(int process) {
  std::pair<long, long> pages;
  std::ifstream maps("/proc/" + std::to_string(process) + "/numa_maps");
  for (std::string word; maps >> word;) {
    if (word.starts_with("N0=")) pages.first += std::atol(word.c_str() + 3);
    if (word.starts_with("N1=")) pages.second += std::atol(word.c_str() + 3);
  }
  return pages;
}

}  // namespace kernel_test
