#!/usr/bin/env python3
"""Changes a calendar over REST, and reads its feed after each change: with the libraries of readers.py and readers.mjs,
and with vdirsyncer and khal.

Usage: changes.py ORIGIN FOLDER, with the origin of the demo, and a folder with `readers.mjs` and its packages.
FAMILY_API_TOKEN: a key of mode v1_full.
"""

import json
import os
import pathlib
import subprocess
import sys
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import icalendar
import requests
from readers import DAY, moment

PYTHON = pathlib.Path(sys.executable)
# In March, the clock changes on the 8th to 14th in New York, and on the 25th to 31st in Kyiv.
YEAR = date.today().year + 1
FIRST, LAST = date(YEAR, 3, 1), date(YEAR, 4, 30)
KYIV, NEW_YORK = ZoneInfo("Europe/Kyiv"), ZoneInfo("America/New_York")

VDIRSYNCER = """
[general]
status_path = "{folder}/status"
[pair family]
a = "feed"
b = "folder"
collections = null
[storage feed]
type = "http"
url = "{url}"
[storage folder]
type = "filesystem"
path = "{folder}/family"
fileext = ".ics"
"""
KHAL = """
[calendars]
[[family]]
path = {folder}/family
[sqlite]
path = {folder}/khal.db
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%dT%H:%M:%SZ
longdatetimeformat = %Y-%m-%dT%H:%M:%SZ
"""


def at(day, clock, zone=KYIV):
    return datetime.combine(day, time.fromisoformat(clock), zone)


def row(title, start, hours):
    return [title, moment(start), moment(start + timedelta(hours=hours))]


def times(start, hours):
    return {"startDate": start.isoformat(), "endDate": (start + timedelta(hours=hours)).isoformat()}


class Library:
    """A library, whose program reads one feed after the other."""

    def __init__(self, *command):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen(command, **options)

    def read(self, ics, expected):
        case = {"ics": ics, "first": str(FIRST), "last": str(LAST)}
        print(json.dumps(case), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline()), expected


class Khal:
    """The command khal, which lists the files of vdirsyncer."""

    def __init__(self, folder, url):
        self.folder = folder / "khal"
        (self.folder / "family").mkdir(parents=True)
        for name, text in [("vdirsyncer", VDIRSYNCER), ("khal", KHAL)]:
            (self.folder / f"{name}.ini").write_text(text.format(folder=self.folder, url=url))
        self.run("vdirsyncer", "discover")

    def run(self, program, *arguments):
        options = ["--verbosity", "WARNING", "--config", self.folder / f"{program}.ini"]
        command = [PYTHON.with_name(program), *options, *arguments]
        environment = os.environ | {"HOME": str(self.folder)}
        return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout

    def read(self, ics, expected):
        self.run("vdirsyncer", "sync")
        fields = [f"--json={field}" for field in ("title", "start", "end")]
        days = self.run("khal", "list", *fields, str(FIRST), str(LAST)).splitlines()
        found = [[event[field] for field in ("title", "start", "end")] for day in days for event in json.loads(day)]
        return sorted(found), sorted(row for event in expected for row in self.rows(*event))

    def rows(self, title, start, end):
        """An event without length takes an hour. One of whole days is listed on each, and ends on the last."""
        if "T" in start:
            return [row(title, datetime.fromisoformat(start), 1) if start == end else [title, start, end]]
        start, end = date.fromisoformat(start), date.fromisoformat(end)
        return (end - start).days * [[title, str(start), str(end - DAY)]]


class Feed:
    """The feed, and the entries that a program knows which takes only those with a higher sequence, as Google does."""

    def __init__(self, url):
        self.url, self.tag, self.known = url, None, {}

    def get(self):
        return requests.get(self.url, headers={"If-None-Match": self.tag} if self.tag else {})

    def read(self):
        response = self.get()
        assert response.status_code == 200 and response.headers["ETag"] != self.tag, response.status_code
        self.tag = response.headers["ETag"]
        unchanged = self.get()
        assert (unchanged.status_code, unchanged.content, unchanged.headers["ETag"]) == (304, b"", self.tag)
        components = icalendar.Calendar.from_ical(response.text).walk("VEVENT")
        keys = [(it["UID"], it["RECURRENCE-ID"].dt if "RECURRENCE-ID" in it else None) for it in components]
        assert len(set(keys)) == len(keys), keys
        found = dict(zip(keys, components))
        for key in found.keys() & self.known.keys():
            before, after = self.known[key], found[key]
            assert before == after or before["SEQUENCE"] < after["SEQUENCE"], (before, after)
        self.known |= found
        return response.text


class Family:
    """The user of the demo, without its events and tasks."""

    def __init__(self, origin):
        self.origin, self.session = origin, requests.Session()
        self.session.headers["Authorization"] = f"Bearer {os.environ['FAMILY_API_TOKEN']}"
        self.call("POST", "/login", {"email": "olena@kovalenko.example", "password": "correct-horse"})
        self.call("PATCH", "/api/users/me", {"timeZone": KYIV.key})
        for event in self.call("GET", "/api/v1/read/events"):
            self.delete(f"events/{event['id']}")
        for task in self.call("GET", "/api/v1/tasks?limit=100")["records"]:
            self.delete(f"tasks/{task['id']}")

    def call(self, method, path, body=None):
        response = self.session.request(method, self.origin + path, json=body)
        assert response.ok, (method, path, response.text)
        return response.json()

    def add(self, kind, **fields):
        return f"{kind}/{self.call('POST', f'/api/v1/{kind}', fields)['id']}"

    def change(self, record, **fields):
        self.call("PATCH", f"/api/v1/{record}", fields)

    def delete(self, record):
        self.call("DELETE", f"/api/v1/{record}")

    def restore(self, record):
        self.call("POST", f"/api/v1/{record}/restore")


def main():
    family, folder = Family(sys.argv[1]), pathlib.Path(sys.argv[2])
    created = family.call("POST", "/api/users/me/calendar-feeds", {"name": "Family", "shows": "both"})
    feed = Feed(family.origin + created["path"])
    node = folder / "node_modules/.bin/node"
    readers = {name: Library(node, folder / "readers.mjs", name) for name in ("ical.js", "node-ical")}
    readers |= {name: Library(PYTHON, "readers.py", name) for name in ("ical", "recurring-ical-events")}
    readers["khal"] = Khal(folder, feed.url)
    shown = {}

    def check(step):
        expected = sorted(row for rows in shown.values() for row in rows)
        ics = feed.read()
        for name, reader in readers.items():
            found, wanted = reader.read(ics, expected)
            assert found == wanted, f"{step}: {name} reads\n{found}, not\n{wanted}"
        print(f"{step}: {len(expected)} occurrences")

    def show_lessons(clock, zone):
        shown["piano"] = [row("Piano", at(day, clock, zone), 1) for day in lessons]

    check("empty")
    day, next_day = date(YEAR, 3, 10), date(YEAR, 3, 11)
    lessons = [date(YEAR, 3, 16) + 7 * DAY * week for week in range(5)]
    in_kyiv = {"timeZone": KYIV.key}
    dentist = family.add("events", title="Dentist", **times(at(day, "08:00"), 1), **in_kyiv)
    shown["dentist"] = [row("Dentist", at(day, "08:00"), 1)]
    party = family.add("events", title="Party", **times(at(day, "17:00"), 3), **in_kyiv)
    shown["party"] = [row("Party", at(day, "17:00"), 3)]
    trip = {"startDate": f"{YEAR}-03-27", "endDate": f"{YEAR}-03-29", "allDay": True, "participantIds": ["olena"]}
    family.add("events", title="Trip", **trip, **in_kyiv)
    shown["trip"] = [["Trip", f"{YEAR}-03-27", f"{YEAR}-03-30"]]
    rule = "FREQ=WEEKLY;COUNT=5"
    piano = family.add("events", title="Piano", **times(at(lessons[0], "16:30"), 1), recurrence=rule, **in_kyiv)
    moved = lessons.pop(1)
    family.change(f"{piano}/occurrences/{moved:%Y%m%d}", title="Concert", **times(at(moved + DAY, "12:00"), 2))
    shown["concert"] = [row("Concert", at(moved + DAY, "12:00"), 2)]
    show_lessons("16:30", KYIV)
    family.add("tasks", title="Bins", dueDate=str(day))
    shown["bins"] = [["Bins", str(day), str(next_day)]]
    costume = family.add("tasks", title="Costume", dueDate=at(next_day, "09:00").isoformat())
    shown["costume"] = [row("Costume", at(next_day, "09:00"), 0)]
    check("created")

    family.change(dentist, **times(at(next_day, "11:15"), 1))
    shown["dentist"] = [row("Dentist", at(next_day, "11:15"), 1)]
    check("another time")
    family.delete(party)
    rows_of_party = shown.pop("party")
    check("a deleted event")
    family.restore(party)
    shown["party"] = rows_of_party
    check("a restored event")
    family.change(costume, completed=True)
    del shown["costume"]
    check("a completed task")
    family.delete(f"{piano}/occurrences/{lessons.pop(2):%Y%m%d}")
    show_lessons("16:30", KYIV)
    check("a skipped occurrence")
    # The first lesson stays at its instant. The clock of Kyiv changes after it, and that of New York before.
    family.change(piano, timeZone=NEW_YORK.key)
    show_lessons("10:30", NEW_YORK)
    check("another zone of an event")
    family.call("PATCH", "/api/users/me", {"timeZone": NEW_YORK.key})
    # It was due at the start of a day, which is none in New York.
    shown["bins"] = [row("Bins", at(day, "00:00"), 0)]
    check("another zone of the user")
    full = dict(shown)
    family.call("PATCH", f"/api/users/me/calendar-feeds/{created['id']}", {"detail": "busy"})
    del shown["bins"]
    shown |= {name: [["Busy", *times] for _, *times in rows] for name, rows in shown.items()}
    check("busy")
    family.call("PATCH", f"/api/users/me/calendar-feeds/{created['id']}", {"detail": "full"})
    shown |= full
    check("full again")


if __name__ == "__main__":
    main()
