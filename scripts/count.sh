# Counting of steps and tests; sourced by ./check after steps.sh.
#   count_step NAME COMMAND...           a step is one thing that passes or fails
#   count_tests NAME JUNIT COMMAND...    a step whose tests are counted one by one, from the JUnit file that it writes
# shellcheck shell=bash

passed=0 failed=0

count_step() {
  if step "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    return 1
  fi
}

count_tests() {
  local name=$1 junit=$2 status=0 good bad
  shift 2
  rm -f "$junit"
  scripts/clear-registrations
  step "$name" "$@" || status=$?
  read -r good bad < <(build/venv/bin/python scripts/junit.py "$junit")
  ((status != 0 && bad == 0)) && bad=1  # it failed before or beside its tests
  printf '  %-46s%d passed, %d failed\n' "" "$good" "$bad"
  build/venv/bin/python scripts/junit.py --failed "$junit" | sed 's/^/    | /'
  passed=$((passed + good)) failed=$((failed + bad))
  return "$status"
}
