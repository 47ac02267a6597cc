#!/bin/sh
# Builds the project `app` of this example in the current directory, as it was left three days ago.
set -eu

then=$(($(date +%s) - 3 * 86400))
export GIT_AUTHOR_DATE="@$then +0000" GIT_COMMITTER_DATE="@$then +0000"
export GIT_AUTHOR_NAME=Agent GIT_AUTHOR_EMAIL=agent@example.com
export GIT_COMMITTER_NAME=Agent GIT_COMMITTER_EMAIL=agent@example.com

policy=$(cd "$(dirname "$0")" && pwd)/owl.yaml
git init -q -b main app
cd app
cp "$policy" owl.yaml
git add owl.yaml
git commit -q -m 'Say which worktrees may go'

# worktree NAME: an agent begins to work on a branch of its own.
worktree() {
    git worktree add -q -b "$1" ".claude/worktrees/$1"
}

# work NAME FILE: the agent commits something.
work() {
    echo "$1" > ".claude/worktrees/$1/$2"
    git -C ".claude/worktrees/$1" add "$2"
    git -C ".claude/worktrees/$1" commit -q -m "Add $2"
}

worktree fix-login
work fix-login login.py
git merge -q --no-edit fix-login

worktree old-spike
mv .claude/worktrees/old-spike ../moved-away

worktree experiment
echo 'what I found out' > .claude/worktrees/experiment/notes.md

worktree try-cache
work try-cache cache.py

worktree release-1
find . -exec touch -d "@$then" {} +
