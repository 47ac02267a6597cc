#!/bin/sh
# with-job.sh BRANCH COMMAND [WORD...]: runs a command in a worktree of its own, as a job of owl's.
#
# The job is added before anything is made, so that the worktree is never anybody's guess; it is
# started with this process, so that it is not taken for abandoned while the command runs; and it is
# finished by how the command ends: 0 is `succeeded`, a signal is `interrupted`, the rest `failed`.
set -eu
branch=$1
shift
top=$(git rev-parse --path-format=absolute --git-common-dir)/..
worktree=$(cd "$top" && pwd -P)/.owl/worktrees/$(printf %s "$branch" | tr / -)

id=$(owl jobs add --branch "$branch" --worktree "$worktree")
finish() { owl jobs finish "$id" --outcome "$1" >/dev/null; }

git worktree add -q -b "$branch" "$worktree"
owl jobs start "$id" --pid $$ >/dev/null
trap 'finish interrupted; exit 130' INT
trap 'finish interrupted; exit 143' TERM
if (cd "$worktree" && "$@"); then
  finish succeeded
else
  status=$?
  finish failed
  exit "$status"
fi
