#!/usr/bin/env python3
# orrery-driver: 1
"""Two clients of a register, which is a process of its own, killed once and started again.

In scenario "forgetful" it keeps its value in memory alone: a planted bug.
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

SERVER = """
import os, sys
kept, value = sys.argv[1], ""
if os.path.exists(kept):
    value = open(kept).read()
for line in sys.stdin:
    verb, _, input = line.rstrip("\\n").partition(" ")
    if verb == "put":
        value = input
        if sys.argv[2] != "forgetful":
            open(kept, "w").write(value)
    print(value if verb == "get" else "", flush=True)
"""


def main():
    session, scenario = os.environ["ORRERY_SESSION"], os.environ["ORRERY_SCENARIO"]
    draw = random.Random(int(os.environ["ORRERY_SEED"]))
    with tempfile.TemporaryDirectory() as folder, \
            open(os.path.join(session, "history.jsonl"), "w") as history, \
            open(os.path.join(session, "landing.jsonl"), "w") as landing:

        def start():
            argv = [sys.executable, "-S", "-c", SERVER, os.path.join(folder, "value"), scenario]
            return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        server, last, verdict, kill_at = start(), "", 0, draw.randint(5, 14)
        for step in range(1, 21):
            now = 10 * step  # a count and no clock, so that a seed gives the same bytes
            client, verb = draw.choice(["c1", "c2"]), draw.choice(["put", "get"])
            value = str(step) if verb == "put" else ""
            server.stdin.write(f"{verb} {value}\n")
            server.stdin.flush()
            answer = server.stdout.readline().rstrip("\n")
            history.write(json.dumps({
                "process": client, "type": verb, "key": "r", "input": value, "output": answer,
                "status": "ok", "invoke": now, "complete": now + 5}) + "\n")
            if verb == "put":
                last = value
            elif answer != last:
                verdict = 1
            if step == kill_at:
                server.kill()
                status = server.wait()
                landing.write(json.dumps({
                    "fault": f"at {now + 7}ns kill register", "kind": "kill", "at": now + 7,
                    "landed": True if status == -9 else "ambiguous",
                    "injector": "kill() returned", "victim": f"the process ended by signal {-status}"}) + "\n")
                server = start()
        server.kill()
        server.wait()
    return verdict


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    try:
        sys.exit(main())
    except Exception as error:  # what went wrong here decides nothing
        print("driver:", error, file=sys.stderr)
        sys.exit(3)
