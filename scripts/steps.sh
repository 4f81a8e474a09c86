# Steps with a name, a log and a time; sourced by ./quickstart and ./check.
#   log=FILE              where output goes
#   step NAME COMMAND...  runs it quietly; on a terminal says how far it is; says how long it took; on failure shows the
#                         end of its output
# shellcheck shell=bash

steps_start=$SECONDS

# progress NAME BEGIN LINE: until the script ends or somebody ends it: what ninja, ctest or pytest said last in the log from
# LINE on ([12/345], 12/345 Test, [ 12%]).
progress() {
  local name=$1 begin=$2 line=$3 far
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    far=$(tail -n "+$line" "$log" | tail -c 20000 | grep -oE '\[ *[0-9]+(/[0-9]+|%)\]|[0-9]+/[0-9]+ Test' | tail -n 1) || far=
    printf '\r  %-46s%-14s %4d s' "$name" "${far% Test}" $((SECONDS - begin))
  done
}

step() {
  local name=$1 begin=$SECONDS lines status=0 watcher=
  shift
  printf '  %-46s' "$name"
  printf '\n== %s: %s\n' "$name" "$*" >>"$log"
  lines=$(wc -l <"$log")
  if [[ -t 1 ]]; then
    progress "$name" "$begin" $((lines + 1)) &
    watcher=$!
  fi
  "$@" >>"$log" 2>&1 || status=$?
  if [[ -n $watcher ]]; then
    kill "$watcher" || true
    wait "$watcher" 2>/dev/null || true
    printf '\r\e[K  %-46s' "$name"
  fi
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
