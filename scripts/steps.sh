# Steps with a name, a log and a time; sourced by ./quickstart and ./check.
#   log=FILE              where output goes
#   step NAME COMMAND...  runs it quietly; says how long it took; on failure shows the end of its output
# shellcheck shell=bash

steps_start=$SECONDS

step() {
  local name=$1 begin=$SECONDS lines status=0
  shift
  printf '  %-46s' "$name"
  printf '\n== %s: %s\n' "$name" "$*" >>"$log"
  lines=$(wc -l <"$log")
  "$@" >>"$log" 2>&1 || status=$?
  if ((status == 0)); then
    printf 'done  %4d s\n' $((SECONDS - begin))
    return 0
  fi
  printf 'FAILED (exit status %d)\n' "$status"
  tail -n +"$((lines + 1))" "$log" | tail -n 25 | sed 's/^/    | /'
  printf '  all of its output: %s\n' "$log"
  return "$status"
}

start_log() {
  log=$1
  mkdir -p "$(dirname "$log")"
  : >"$log"
}
