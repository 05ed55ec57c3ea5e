#!/bin/sh
# curl --retry: three retries of what it counts as transient, whatever the method. Each response is a line of the output.
set -eu
send() { curl -sS --fail --retry 3 -w '\n' -H "Authorization: Bearer $SANDBOX_KEY" -H 'Content-Type: application/json' "$@"; }
list() { send "$SANDBOX_URL/pets?limit=100"; }
create() { send -d "{\"name\":\"$SANDBOX_PET_NAME\",\"categoryId\":1}" "$SANDBOX_URL/pets"; }
get() { send "$SANDBOX_URL/pets/$1"; }
case "$SANDBOX_TASK" in
  list) for _ in $(seq "$SANDBOX_TIMES"); do list; done ;;
  list-at-once)
    pids=''
    lists=$(mktemp -d)
    trap 'rm -r "$lists"' EXIT
    for i in $(seq "$SANDBOX_TIMES"); do list > "$lists/$i" & pids="$pids $!"; done
    for pid in $pids; do wait "$pid"; done
    cat "$lists"/* ;;
  create) create ;;
  get) get "$SANDBOX_PET_ID" ;;
  list-and-get)
    # The digits of the id, as they stand before the name.
    pets=$(list)
    get "$(printf '%s' "$pets" | sed "s/.*\"id\":\(-*[0-9]*\),\"name\":\"$SANDBOX_PET_NAME\".*/\1/")" ;;
  all) list && create && get "$SANDBOX_PET_ID" ;;
esac
