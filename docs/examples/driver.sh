#!/bin/sh
# orrery-driver: 1
# A client of a register, which is a process of its own, killed once and started again.
# In scenario "forgetful" it keeps its value in memory alone: a planted bug.
code=3 server='' # an end that nothing else decided decides nothing
dir=$(mktemp -d) && cd "$dir" && mkfifo in out && echo >value || exit 3
trap 'kill -KILL $server 2>&- ; rm -rf "$dir"; exit $code' EXIT
trap 'exit 3' TERM INT
history=$ORRERY_SESSION/history.jsonl landing=$ORRERY_SESSION/landing.jsonl
: >"$history" && : >"$landing" || exit 3
rng=$(printf %s "$ORRERY_SEED" | cksum) rng=${rng%% *}
draw() { rng=$(((rng * 1103515245 + 12345) % 2147483648)) drawn=$((rng / 65536 % $1)); }
serve() {
    read -r value <value
    while read -r verb input <in; do
        [ "$verb" = put ] && value=$input
        [ "$ORRERY_SCENARIO" = forgetful ] || echo "$value" >value
        if [ "$verb" = get ]; then echo "$value" >out; else echo >out; fi
    done
}
call() { # verb input: the clock is a count, so that a seed gives the same bytes
    began=$((now += 10))
    echo "$1 $2" >in && read -r output <out || exit 3
    printf '{"process":"c1","type":"%s","key":"r","input":"%s","output":"%s","status":"ok","invoke":%d,"complete":%d}\n' \
        "$1" "$2" "$output" "$began" $((began + 5)) >>"$history" || exit 3
}
draw 10
now=0 last='' verdict=0 step=0 kill_at=$((5 + drawn))
serve & server=$!
while [ $((step += 1)) -le 20 ]; do
    draw 2
    if [ "$drawn" = 0 ]; then call put "$step"; last=$step; else call get ""; [ "$output" = "$last" ] || verdict=1; fi
    [ "$step" = "$kill_at" ] || continue
    kill -KILL $server; sent=$?; wait $server; ended=$?; landed='"ambiguous"'
    [ "$sent" = 0 ] && [ "$ended" = 137 ] && landed=true
    printf '{"fault":"at %dns kill register","kind":"kill","at":%d,"landed":%s,"injector":"kill answered %d","victim":"the process ended with status %d"}\n' \
        $((now + 7)) $((now + 7)) "$landed" "$sent" "$ended" >>"$landing" || exit 3
    serve & server=$!
done
code=$verdict
