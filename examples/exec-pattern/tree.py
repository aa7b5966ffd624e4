"""A sum along a binary tree and back, as a program that contend asks.

It lists the tasks of each rank: wait for the vectors of both children, add them in, send the sum to
the parent, wait for the result, and pass it on. Any number of processes makes a tree. The arguments
are the length of the vector in bytes and the nanoseconds in which a process adds it to another.
"""
import json
import sys


def tree(n, length, time):
    ranks = []
    for rank in range(n):
        tasks, last = [], []

        def then(task):
            tasks.append(dict(task, after=list(last)))
            last[:] = [len(tasks) - 1]

        children = [c for c in (2 * rank + 1, 2 * rank + 2) if c < n]
        for child in children:
            then({"receive": length, "from": child, "tag": 0})
            then({"calc": time})
        if rank > 0:
            parent = (rank - 1) // 2
            then({"send": length, "to": parent, "tag": 0})
            then({"receive": length, "from": parent, "tag": 1})
        for child in children:
            then({"send": length, "to": child, "tag": 1})
        ranks.append(tasks)
    return ranks


for line in sys.stdin:
    question = json.loads(line)
    answer = {"tasks": tree(question["processes"], int(sys.argv[1]), int(sys.argv[2]))}
    print(json.dumps(answer), flush=True)
