#!/usr/bin/env bash
# Check a proof in parts, several at once, with the program of check_proof.c:
#
#     tools/check_parts.sh PROGRAM FILE LOG PARTS [JOBS [FIRST LAST]]
#
# Each part that is proven gets a line in LOG. A later call does only those that have none, from
# FIRST to LAST; all if they are left out. Exit code: 0 if all parts have a line.
set -u
[ $# -ge 4 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
export PROGRAM=$1 FILE=$2 LOG=$3 PARTS=$4
jobs=${5:-$(nproc)} first=${6:-1} last=${7:-$4}
[ -x "$PROGRAM" ] || { echo "$PROGRAM is not a program: build it first (docs/proof.md)." >&2; exit 2; }
[ -r "$FILE" ] || { echo "$FILE cannot be read." >&2; exit 2; }
touch "$LOG" || exit 2

part() {
  grep -q "^$1/$PARTS " "$LOG" && return
  local said
  if said=$("$PROGRAM" "$FILE" --slice "$1/$PARTS"); then echo "$1/$PARTS $said" >>"$LOG"
  else echo "$1/$PARTS $said" >&2; fi
}
export -f part

seq "$first" "$last" | xargs -P "$jobs" -I{} bash -c 'part {}'
for number in $(seq "$first" "$last"); do grep -q "^$number/$PARTS " "$LOG" || exit 1; done
