"""First come, first served, as a program that contend asks.

A run starts it once. It reads lines of JSON and answers each with one line: the first describes
the machine, each other one has the events since the line before.
"""
import collections
import json
import sys


def main():
    json.loads(sys.stdin.readline())  # the machine, which does not matter here
    print("{}", flush=True)
    waiting = collections.OrderedDict()  # the sizes of waiting jobs, in order of arrival
    for line in sys.stdin:
        now = json.loads(line)
        refused = False
        for event in now["events"]:
            if "submit" in event:
                waiting[event["submit"]] = event["size"]
            elif "start" in event:
                del waiting[event["start"]]
            elif "refused" in event:
                refused = True  # the first of the queue has to wait, and all behind it
        start, free = [], now["free"]
        for job, size in waiting.items():
            if refused or size > free:
                break
            start.append(job)
            free -= size
        print(json.dumps({"start": start}), flush=True)


main()
