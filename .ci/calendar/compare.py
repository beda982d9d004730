#!/usr/bin/env python3
"""Compares the occurrences that several programs compute from feeds with those of the service.

Usage: compare.py FEEDS ANSWERS…, where FEEDS are the answers of the example `feeds`, and each file of ANSWERS has the name of
the program.
"""

import collections
import json
import pathlib
import sys


def main():
    feeds = [json.loads(line) for line in open(sys.argv[1])]
    expected = [{tuple(occurrence) for occurrence in feed["occurrences"]} for feed in feeds]
    total = sum(map(len, expected))
    rules = sum(feed["ics"].count("\r\nRRULE:FREQ") for feed in feeds)
    events = sum(feed["ics"].count("BEGIN:VEVENT") for feed in feeds)
    print(f"{len(feeds)} feeds with {events} components and {total} occurrences on the compared days")
    failed = False
    for name in sys.argv[2:]:
        answers = [json.loads(line) for line in open(name)]
        assert len(answers) == len(feeds), f"{name} read {len(answers)} of {len(feeds)} feeds"
        differences = []
        for number, (feed, wanted, answer) in enumerate(zip(feeds, expected, answers)):
            if isinstance(answer, dict):
                differences.append((number, answer["error"], ""))
                continue
            found = {tuple(occurrence) for occurrence in answer}
            if found != wanted:
                differences.append((number, sorted(wanted - found)[:3], sorted(found - wanted)[:3]))
        print(f"{pathlib.Path(name).name}: {len(differences)} feeds differ")
        for number, missing, unexpected in differences[:8]:
            print(f"  feed {number}: missing {missing}, unexpected {unexpected}")
        failed |= bool(differences)
    return failed


if __name__ == "__main__":
    sys.exit(main())
