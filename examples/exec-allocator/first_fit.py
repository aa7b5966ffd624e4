"""First Fit of Zhu (1992) on a mesh of two dimensions, as a program that contend asks.

A run starts it once. It reads lines of JSON and answers each with one line: the first describes
the machine, each other one is a request for nodes.
"""
import json
import sys


def near_square(size, width, height):
    """The most nearly square shape that holds a job without a shape and fits the machine."""
    w = 1
    while w * w < size:
        w += 1
    w = min(max(w, -(-size // height)), width)
    return w, -(-size // w)


def first_fit(free, width, height, w, h):
    """The nodes of the first free submesh of w x h, row by row from the corner (0, 0)."""
    frame = (1 << w) - 1
    rows = [0] * height
    for n in free:
        rows[n // width] |= 1 << n % width
    for y in range(height - h + 1):
        common = rows[y]
        for row in rows[y + 1:y + h]:
            common &= row
        for x in range(width - w + 1):
            if common >> x & frame == frame:
                return [(y + j) * width + x + i for j in range(h) for i in range(w)]
    return None


def main():
    machine = json.loads(sys.stdin.readline())["machine"]
    if len(machine.get("dims", [])) != 2 or machine["nodes"] != machine["routers"]:
        print(json.dumps({"error": "it needs a mesh of two dimensions"}), flush=True)
        return
    width, height = machine["dims"]
    print("{}", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        size = request["size"]
        w, h = request.get("shape") or near_square(size, width, height)
        nodes = first_fit(request["free"], width, height, w, h)
        if nodes is None:
            answer = {"refused": "no free submesh of %dx%d" % (w, h)}
        else:
            answer = {"nodes": nodes[:size], "reserved": nodes[size:]}
        print(json.dumps(answer), flush=True)


main()
