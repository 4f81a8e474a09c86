#include "tests/faults/refuse/listener.h"

#include <fcntl.h>
#include <fnmatch.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>

namespace refuse {
namespace {

/// A string of the asking process; empty if it cannot be read.
std::string text_at(pid_t process, std::uint64_t address) {
  const int memory = open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  if (memory < 0) return {};
  std::string text(PATH_MAX, '\0');
  // A string may end where its memory does: byte by byte is slow and right.
  std::size_t length = 0;
  while (length < text.size() && pread(memory, &text[length], 1, static_cast<off_t>(address + length)) == 1 &&
         text[length] != '\0')
    ++length;
  text.resize(length);
  close(memory);
  return text;
}

/// As the kernel understands it: several slashes are one.
std::string one_slash(std::string path) {
  const auto again = std::ranges::unique(path, [](char a, char b) { return a == '/' && b == '/'; });
  path.erase(again.begin(), again.end());
  return path;
}

bool speaks_of(const Rule& rule, const Call& call, const seccomp_notif& question) {
  if (call.number != question.data.nr) return false;
  if (rule.what.empty()) return true;
  const auto& arguments = question.data.args;
  if (call.path_argument >= 0) {
    const std::string path = text_at(static_cast<pid_t>(question.pid), arguments[call.path_argument]);
    return fnmatch(rule.what.c_str(), one_slash(path).c_str(), 0) == 0;
  }
  return call.length_argument >= 0 && std::to_string(arguments[call.length_argument]) == rule.what;
}

int error_for(std::vector<Rule>& rules, const seccomp_notif& question) {
  for (Rule& rule : rules) {
    for (const Call& call : calls_of(rule)) {
      if (!speaks_of(rule, call, question)) continue;
      if (++rule.met < rule.first || rule.met > rule.last) break;
      ++rule.refused;
      return rule.error;
    }
  }
  return 0;
}

void reply_to_one(int listener, std::vector<Rule>& rules) {
  seccomp_notif question{};
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question) != 0) return;  // the thread was killed meanwhile
  seccomp_notif_resp reply{};
  reply.id = question.id;
  reply.error = -error_for(rules, question);
  if (reply.error == 0) reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

}  // namespace

int ask_about(const std::vector<Call>& calls) {
  std::vector<sock_filter> program{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offsetof(seccomp_data, nr)))};
  for (const Call& call : calls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call.number), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
}

int status_of(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

int answer(int listener, pid_t child, std::vector<Rule>& rules) {
  std::optional<int> status;
  const int end_of_child = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  for (;;) {
    pollfd ready[] = {{listener, POLLIN, 0}, {status ? -1 : end_of_child, POLLIN, 0}};
    if (poll(ready, std::size(ready), -1) < 0 && errno != EINTR) break;
    if (ready[1].revents & POLLIN) status = status_of(child);
    if (ready[0].revents & (POLLHUP | POLLERR)) break;
    if (ready[0].revents & POLLIN) reply_to_one(listener, rules);
  }
  close(end_of_child);
  return status ? *status : status_of(child);
}

}  // namespace refuse
