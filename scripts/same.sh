#!/usr/bin/env bash
# A sweep's JSON is the same bytes in any process, for any number of workers and
# under any setting of the Go runtime. Prints the settings and one checksum each.
set -euo pipefail
orrery=${1:?usage: same.sh ORRERY [SEEDS]}
seeds=${2:-1-100}
sums=()
one() {
	local sum
	sum=$(env "${@:2}" "$orrery" sweep ./scenarios/raftkv --seeds "$seeds" --json --procs "$1" | sha256sum | cut -c1-16)
	echo "$sum  --procs $1 ${*:2}"
	sums+=("$sum")
}
one 1
one 2
one 2
one 1 GOMAXPROCS=1
one 2 GOMAXPROCS=2
one 2 GOGC=5
one 2 GOGC=off
if [ "$(printf '%s\n' "${sums[@]}" | sort -u | wc -l)" -ne 1 ]; then
	echo "they differ" >&2
	exit 1
fi
echo "all equal"
