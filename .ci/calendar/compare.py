#!/usr/bin/env python3
"""Compares the occurrences that several programs compute from feeds with those of the service.

Usage: compare.py FEEDS ANSWERS…, where FEEDS are the answers of the example `feeds`, and each file of ANSWERS has the name of
the program.
"""

import json
import pathlib
import re
import sys

# The rules that a program misreads, while the others agree with each other and with RFC 5545.
KNOWN_BUGS = {
    # From a day long after the start, node-ical finds these starts an hour and a day away. The clock of Nuuk skips the last
    # hour of a Saturday.
    "node-ical": re.compile(r"DTSTART;TZID=America/Nuuk:\d{8}T23.*\nRRULE", re.DOTALL),
}


def misread(ics, bug):
    """Returns the titles of the events that a program misreads."""
    if bug is None:
        return set()
    events = re.findall(r"BEGIN:VEVENT\n(.*?)END:VEVENT", ics.replace("\r\n ", "").replace("\r", ""), re.DOTALL)
    field = lambda name, event: re.search(rf"^{name}:(.*)$", event, re.MULTILINE)[1]
    ids = {field("UID", event) for event in events if bug.search(event)}
    return {re.sub(r"\\(.)", unescape, field("SUMMARY", event)) for event in events if field("UID", event) in ids}


def unescape(match):
    return "\n" if match[1] == "n" else match[1]


def main():
    feeds = [json.loads(line) for line in open(sys.argv[1])]
    expected = [{tuple(occurrence) for occurrence in feed["occurrences"]} for feed in feeds]
    count = lambda text: sum(feed["ics"].count(text) for feed in feeds)
    tally = {
        "occurrences": sum(map(len, expected)), "components": count("BEGIN:VEVENT"),
        # A VTIMEZONE has rules too.
        "rules": count("\nRRULE:") - count("\nTZOFFSETTO:"),
        "changed": count("\nRECURRENCE-ID"), "excluded": count("\nEXDATE"), "zones": count("BEGIN:VTIMEZONE"),
    }
    print(f"{len(feeds)} feeds: {tally}")
    # A comparison of little would prove little.
    assert tally["occurrences"] > 50 * len(feeds) and tally["rules"] > 3 * len(feeds), "too little to compare"
    is_whole = [feed["leftOut"] == 0 for feed in feeds]
    assert sum(is_whole) > 0.97 * len(feeds), "too many feeds left something out"
    failed = False
    for name in sys.argv[2:]:
        answers = [json.loads(line) for line in open(name)]
        assert len(answers) == len(feeds), f"{name} read {len(answers)} of {len(feeds)} feeds"
        differences = []
        for number, (feed, wanted, answer) in enumerate(zip(feeds, expected, answers)):
            if not is_whole[number]:
                continue
            if isinstance(answer, dict):
                differences.append((number, answer["error"], ""))
                continue
            found = {tuple(occurrence) for occurrence in answer}
            ignored = misread(feed["ics"], KNOWN_BUGS.get(pathlib.Path(name).name))
            wanted, found = ({item for item in items if item[0] not in ignored} for items in (wanted, found))
            if found != wanted:
                differences.append((number, sorted(wanted - found)[:3], sorted(found - wanted)[:3]))
        print(f"{pathlib.Path(name).name}: {len(differences)} feeds differ")
        for number, missing, unexpected in differences[:8]:
            print(f"  feed {number}: missing {missing}, unexpected {unexpected}")
        failed |= bool(differences)
    return failed


if __name__ == "__main__":
    sys.exit(main())
