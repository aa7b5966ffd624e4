"""An exchange of halos on a grid in two dimensions, as a program that contend asks.

It is asked for a number of processes, and lists the messages of one iteration: a phase in which each
process sends to its neighbours on the most nearly square grid, lower before higher and x before y.
The argument is the length of a message in bytes.
"""
import json
import math
import sys


def halo(n, length):
    height = max(h for h in range(1, math.isqrt(n) + 1) if n % h == 0)
    width = n // height
    messages = []
    for rank in range(n):
        x, y = rank % width, rank // width
        neighbours = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        messages += [{"from": rank, "to": u + v * width, "bytes": length}
                     for u, v in neighbours if 0 <= u < width and 0 <= v < height]
    return messages


for line in sys.stdin:
    question = json.loads(line)
    print(json.dumps({"phases": [halo(question["processes"], int(sys.argv[1]))]}), flush=True)
