# What changed since the base; sourced by scripts/tidy and scripts/training-programs.
#   changed_files PATTERNS...   files that differ from LBHM_BASE, origin/main, or the commit before; deleted ones left out
# shellcheck shell=bash

changed_files() {
  local base
  base=${LBHM_BASE:-$(git rev-parse -q --verify origin/main || git rev-parse -q --verify HEAD~1 || git rev-parse HEAD)}
  if ! git rev-parse -q --verify "$base^{commit}" >/dev/null; then
    echo "$0: LBHM_BASE is $base, which is no commit here: fetch it, or name another one" >&2
    return 2
  fi
  git diff --name-only --diff-filter=d "$base" -- "$@"
}
