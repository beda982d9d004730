#!/usr/bin/env python3
"""Compares the expansion of recurring events with python-dateutil, around the clock changes of many zones.

Usage: occurrences.py PROGRAM, where PROGRAM is the built example `occurrences` of family-api-core. Requires the
packages python-dateutil and tzdata. dateutil expands each rule in local time without a zone. Everything else is
computed here, with zoneinfo: the instants, the overlap with the days of a reader in another zone, UNTIL, COUNT, EXDATE,
RDATE and all-day events.
"""

import bisect
import collections
import functools
import itertools
import json
import multiprocessing
import random
import subprocess
import sys
import types
import zoneinfo
from datetime import date, datetime, time, timedelta, timezone

import dateutil.rrule
from dateutil.rrule import rrulestr

# Ignores the zones of the machine. They can be older than the package tzdata.
zoneinfo.reset_tzpath([])

CASES = 20_500
SEED = 20261123
UTC = timezone.utc
DAY = timedelta(days=1)
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = [
    "Europe/Kyiv", "Europe/Madrid", "Europe/Lisbon", "Europe/London", "America/Santiago", "America/Havana",
    "America/Toronto", "America/St_Johns", "America/Nuuk", "America/Asuncion", "Africa/Cairo", "Africa/Casablanca",
    "Asia/Beirut", "Asia/Tehran", "Asia/Kolkata", "Asia/Gaza", "Pacific/Apia", "Pacific/Auckland", "Pacific/Chatham",
    "Australia/Lord_Howe", "Antarctica/Troll", "Etc/GMT+12", "UTC",
]
READERS = ["Europe/Kyiv", "America/New_York", "Australia/Lord_Howe"]
# The years whose clock changes are tested. Later rules may differ between editions of the time zone database.
YEARS = range(2009, 2026)
# dateutil searches up to this year. Its own limit is 9999, which takes seconds for a rule that never matches.
dateutil.rrule.datetime = types.SimpleNamespace(**{**vars(dateutil.rrule.datetime), "MAXYEAR": YEARS.stop + 2})


# Instants are datetimes in UTC, and local times are datetimes without a zone.

def resolve(zone, local):
    """With fold=0, zoneinfo takes the offset before a gap, and the first of two equal times."""
    return local.replace(tzinfo=zone, fold=0).astimezone(UTC)


def to_local(zone, at):
    return at.astimezone(zone).replace(tzinfo=None, fold=0)


@functools.lru_cache(maxsize=None)
def start_of_day(zone, day):
    """Searches the first minute whose local date is the day or later."""
    earliest = datetime.combine(day, time(), UTC) - timedelta(hours=15)
    begins = lambda at: to_local(zone, at).date() >= day
    quarters = (earliest + timedelta(minutes=15 * n) for n in itertools.count())
    at = next(filter(begins, quarters))
    return min((m for m in (at - timedelta(minutes=n) for n in range(15)) if begins(m)), default=at)


@functools.lru_cache(maxsize=None)
def clock_changes(name):
    """The instants at which the offset of the zone changes, to the minute."""
    zone = zoneinfo.ZoneInfo(name)
    offset = lambda at: at.astimezone(zone).utcoffset()
    changes = []
    at = datetime(YEARS.start, 1, 1, tzinfo=UTC)
    before = offset(at)
    while at.year < YEARS.stop:
        after = offset(at + DAY)
        if before != after:
            is_after = lambda minute: offset(at + timedelta(minutes=minute)) == after
            changes.append(at + timedelta(minutes=bisect.bisect_left(range(24 * 60), True, key=is_after)))
        at += DAY
        before = after
    return changes or [datetime(2020, 2, 28, 12, tzinfo=UTC), datetime(2024, 12, 31, 12, tzinfo=UTC)]


# Generation

def some(rng, population, most=3):
    return sorted(rng.sample(population, rng.randint(1, min(most, len(population)))))


def joined(values):
    return ",".join(map(str, values))


def random_rule(rng, start, near, all_day):
    """A rule as a dict of parts. Its parts permit the date `near`, so that it matches at least one day."""
    freq = rng.choice(["DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "MONTHLY", "YEARLY", "YEARLY"])
    rule = {"FREQ": freq}
    if rng.random() < 0.4:
        rule["INTERVAL"] = rng.randint(1, 4)
    if rng.random() < 0.2:
        rule["WKST"] = rng.choice(WEEKDAYS)
    month_length = ((near.replace(day=28) + timedelta(days=4)).replace(day=1) - DAY).day
    year_length = date(near.year, 12, 31).timetuple().tm_yday
    weekday = WEEKDAYS[near.weekday()]

    def weekdays():
        return joined(sorted({weekday, *some(rng, WEEKDAYS)}))

    def month_days():
        of_near = rng.choice([near.day, near.day - month_length - 1])
        return joined({of_near, *some(rng, [*range(1, 32), *range(-31, 0)])})

    if freq in ("MONTHLY", "YEARLY", "DAILY") and rng.random() < 0.25 or freq == "WEEKLY" and rng.random() < 0.1:
        rule["BYMONTH"] = joined({near.month, *some(rng, range(1, 13))})
    if freq == "DAILY":
        if rng.random() < 0.15:
            rule["BYDAY"] = weekdays()
        if rng.random() < 0.15:
            rule["BYMONTHDAY"] = month_days()
    elif freq == "WEEKLY":
        if rng.random() < 0.6:
            rule["BYDAY"] = weekdays()
    elif freq == "MONTHLY":
        kind = rng.randrange(5)
        if kind == 0:
            rule["BYMONTHDAY"] = month_days()
        elif kind == 1:
            number = rng.choice([(near.day - 1) // 7 + 1, -((month_length - near.day) // 7 + 1)])
            rule["BYDAY"] = joined({f"{number}{weekday}", f"{rng.choice([1, 2, -1])}{rng.choice(WEEKDAYS)}"})
        elif kind == 2:
            rule["BYDAY"] = weekdays()
        elif kind == 3:
            rule["BYDAY"] = weekdays()
            rule["BYMONTHDAY"] = month_days()
    else:
        kind = rng.randrange(6)
        if kind == 0:
            rule["BYMONTHDAY"] = month_days()
        elif kind == 1:
            rule["BYDAY"] = weekdays()
        elif kind == 2:
            if "BYMONTH" in rule:
                number = (near.day - 1) // 7 + 1
            else:
                number = (near.timetuple().tm_yday - 1) // 7 + 1
            rule["BYDAY"] = joined({f"{number}{weekday}", f"-1{rng.choice(WEEKDAYS)}"})
        elif kind == 3:
            rule.pop("BYMONTH", None)
            day = near.timetuple().tm_yday
            of_near = rng.choice([day, day - year_length - 1])
            rule["BYYEARDAY"] = joined({of_near, *some(rng, [1, 100, 366, -1, -100, -366])})
        elif kind == 4:
            rule.pop("BYMONTH", None)
            rule.pop("WKST", None)
            # dateutil does not find the first week of the next year by a negative number, so -53 and -52 are left out.
            rule["BYWEEKNO"] = joined({near.isocalendar()[1], *some(rng, [*range(1, 54), *range(-51, 0)])})
            if rng.random() < 0.5:
                rule["BYDAY"] = weekdays()
    if rng.random() < 0.12:
        rule["BYHOUR"] = joined(some(rng, range(24)))
        if rng.random() < 0.3:
            rule["BYMINUTE"] = joined(some(rng, range(60), 2))
    # All-day events ignore the times.
    by_parts = [name for name in rule if name.startswith("BY") and not (all_day and name in ("BYHOUR", "BYMINUTE"))]
    # In a first week that begins before the start, dateutil counts positions from the start.
    can_have_positions = freq != "WEEKLY" or WEEKDAYS[start.weekday()] == rule.get("WKST", "MO")
    if by_parts and can_have_positions and rng.random() < 0.15:
        # A day without further times has no second position, so a rule without 1 and -1 might never match.
        rule["BYSETPOS"] = joined({rng.choice([1, -1]), *some(rng, [1, 2, -1, -2], 2)})
    return rule


def stamp(value):
    return value.strftime("%Y%m%dT%H%M%S" if isinstance(value, datetime) else "%Y%m%d")


def random_moment(rng, zone, name, local, all_day):
    """The text of a moment, its parameter, and the moment as it is compared: a date, a local time or an instant."""
    timed_forms = ["date", "local", "local", "utc", "utc", "zoned"]
    form = rng.choice(["date", "date", "local", "utc"] if all_day else timed_forms)
    if form == "date":
        return stamp(local.date()), ";VALUE=DATE", local.date()
    if form == "local":
        return stamp(local), "", local
    at = resolve(zone, local)
    if form == "utc":
        return stamp(at) + "Z", "", at
    other = zoneinfo.ZoneInfo(rng.choice(["Asia/Kolkata", "America/New_York", name]))
    written = to_local(other, at)
    return stamp(written), f";TZID={other.key}", resolve(other, written)


def random_case(rng, changes=clock_changes):
    """An event and some days around one of the `changes` of its zone."""
    name = rng.choice(ZONES)
    zone = zoneinfo.ZoneInfo(name)
    change = to_local(zone, rng.choice(changes(name)))
    all_day = rng.random() < 0.35
    first = change.date() + timedelta(days=rng.randint(-3, 1))
    last = first + timedelta(days=rng.choice([0, 1, 2, 3, 6, 6, 9, 30, rng.randint(31, 365)]))
    back = rng.choice([rng.randint(-5, 20), rng.randint(0, 120), rng.randint(100, 800), rng.randint(0, 400)])
    if rng.random() < 0.05:
        back *= 10
    day = change.date() - timedelta(days=back)
    if rng.random() < 0.5:
        clock = (change + timedelta(minutes=rng.choice([-61, -30, -1, 0, 1, 30, 59, 60, 90]))).time()
    else:
        clock = rng.choice([time(), time(18, 30), time(23, 59, 59), time(rng.randrange(24), rng.randrange(60))])
    start = resolve(zone, datetime.combine(day, rng.choice([time(), time(), clock]) if all_day else clock))
    if rng.random() < 0.05:
        start += timedelta(milliseconds=rng.randrange(1000))
    if all_day:
        end_day = to_local(zone, start).date() + timedelta(days=rng.choice([0, 0, 0, 1, 2, 6]))
        end = resolve(zone, datetime.combine(end_day, rng.choice([time(), time(12), time(23, 59, 59, 999000), clock])))
        end = max(start, end)
    else:
        end = start + rng.choice([timedelta(), timedelta(minutes=45), timedelta(hours=2), timedelta(hours=23), 3 * DAY])
    local = to_local(zone, start)
    rule = random_rule(rng, local, rng.choice([change.date(), first, last, local.date()]), all_day)

    def moment():
        """A moment that is often an occurrence."""
        of_rule = rng.choice([change.date(), first, last, local.date()]) + timedelta(days=rng.randint(-1, 1))
        return random_moment(rng, zone, name, datetime.combine(of_rule, local.time().replace(microsecond=0)), all_day)

    until = None
    lines = []
    excluded, additional = [], []
    if rng.random() < 0.25:
        text, parameter, until = moment()
        while "TZID" in parameter:
            text, parameter, until = moment()
        rule["UNTIL"] = text
    elif rng.random() < 0.3:
        rule["COUNT"] = rng.choice([1, 2, 5, 10, rng.randint(1, 800)])
    parts = list(rule.items())
    rng.shuffle(parts)
    for kind, moments, chance in [("EXDATE", excluded, 0.3), ("RDATE", additional, 0.1)]:
        while rng.random() < chance:
            text, parameter, value = moment()
            lines.append(f"{kind}{parameter}:{text}")
            moments.append(value)
    reader = rng.choice([name, *READERS])
    text = ";".join(f"{key}={value}" for key, value in parts)
    lines.insert(0, rng.choice(["", "RRULE:"]) + text)
    return {
        "zone": name, "reader": reader, "has_zone": reader != name or rng.random() < 0.5,
        "start": start, "end": end, "all_day": all_day, "first": first, "last": last, "rule": rule,
        "until": until, "excluded": excluded, "additional": additional, "recurrence": "\n".join(lines),
    }


# Expansion

def rule_starts(case, start, last):
    """The local starts of the rule after the start of the event, up to a day."""
    rule = dict(case["rule"])
    count = rule.pop("COUNT", None)
    rule.pop("UNTIL", None)
    if case["all_day"]:
        for part in ("BYHOUR", "BYMINUTE"):
            rule.pop(part, None)
    if "BYWEEKNO" in rule and "BYDAY" not in rule:
        rule["BYDAY"] = WEEKDAYS[start.weekday()]
    whole = start.replace(microsecond=0)
    text = ";".join(f"{key}={value}" for key, value in rule.items())
    found = []
    for local in rrulestr(text, dtstart=whole):
        if local.date() > last:
            break
        if local > whole:
            if count is not None and len(found) >= count - 1:
                break
            found.append(local + (start - whole))
    return found


def seconds(at):
    return at.replace(microsecond=0)


def expected_timed(case, zone):
    start, length = to_local(zone, case["start"]), case["end"] - case["start"]
    until = case["until"]

    def is_excluded(local, at):
        # A local time can occur twice. It excludes both the instant that it resolves to, and the time itself.
        return any(
            seconds(at) == (value if value.tzinfo else resolve(zone, value)) or seconds(local) == value
            if isinstance(value, datetime)
            else local.date() == value
            for value in case["excluded"]
        )

    def is_before_end(local, at):
        if until is None:
            return True
        if not isinstance(until, datetime):
            return local.date() <= until
        return seconds(at) <= (until if until.tzinfo else resolve(zone, until))

    found = {}
    if not is_excluded(start, case["start"]):
        found[case["start"]] = case["end"]
    locals_ = [(local, True) for local in rule_starts(case, start, case["last"] + 4 * DAY)]
    for value in case["additional"]:
        if not isinstance(value, datetime):
            local = datetime.combine(value, start.time())
        else:
            local = to_local(zone, value) if value.tzinfo else value
        # An event has no occurrence before its start.
        if local > start:
            locals_.append((local, False))
    for local, is_of_rule in locals_:
        at = resolve(zone, local)
        if (not is_of_rule or is_before_end(local, at)) and not is_excluded(local, at):
            found.setdefault(at, at + length)
    # The reader's zone only says which instants the days of the query have.
    reader = zoneinfo.ZoneInfo(case["reader"])
    begin, end = start_of_day(reader, case["first"]), start_of_day(reader, case["last"] + DAY)
    overlapping = {s: e for s, e in found.items() if s < end and (e > begin or e == s >= begin)}
    # The identifier of an occurrence has whole seconds, so the first one of a second is kept.
    first_starts = {}
    for s in sorted(overlapping):
        first_starts.setdefault(seconds(s), s)
    return {s: overlapping[s] for s in first_starts.values()}


def expected_all_day(case, zone):
    start, end = to_local(zone, case["start"]), to_local(zone, case["end"])
    to_end = end.date() - start.date()
    # An event that ends when a day begins does not include that day.
    last_moment = to_local(zone, max(case["end"] - timedelta(milliseconds=1), case["start"]))
    length = last_moment.date() - start.date()
    to_day = lambda value: (
        (to_local(zone, value) if value.tzinfo else value).date() if isinstance(value, datetime) else value
    )

    def at(day, clock):
        instant = resolve(zone, datetime.combine(day, clock))
        if to_local(zone, instant).date() > day and start_of_day(zone, day) < start_of_day(zone, day + DAY):
            instant = start_of_day(zone, day + DAY) - timedelta(milliseconds=1)
        return instant

    def clock_of(value, local):
        # A day whose midnight the clock skips starts later. The event is still one of whole days.
        return datetime.min.time() if start_of_day(zone, local.date()) == value else local.time()

    start_clock, end_clock = clock_of(case["start"], start), clock_of(case["end"], end)
    until = case["until"] and to_day(case["until"])
    days = {local.date() for local in rule_starts(case, start, case["last"])}
    days = {day for day in days if until is None or day <= until}
    days |= {day for day in map(to_day, case["additional"]) if day > start.date()} | {start.date()}
    days -= {to_day(value) for value in case["excluded"]}
    found = {}
    for day in sorted(days):
        if day <= case["last"] and day + length >= case["first"]:
            if day == start.date():
                found[case["start"]] = case["end"]
            else:
                found.setdefault(at(day, start_clock), at(day + to_end, end_clock))
    return found


def wire(at):
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


def expected(case):
    zone = zoneinfo.ZoneInfo(case["zone"])
    found = (expected_all_day if case["all_day"] else expected_timed)(case, zone)
    return [[wire(start), wire(end)] for start, end in sorted(found.items())]


def line(case):
    event = dict.fromkeys(["description", "emoji", "color", "location", "assigneeId", "assignee"])
    event |= {
        "id": "e", "title": "E", "startDate": wire(case["start"]), "endDate": wire(case["end"]),
        "allDay": case["all_day"], "timeZone": case["zone"] if case["has_zone"] else None,
        "recurrence": case["recurrence"], "createdAt": "2026-01-01T00:00:00Z",
        "updatedAt": "2026-01-01T00:00:00Z",
    }
    return json.dumps({"event": event, "zone": case["reader"], "first": str(case["first"]), "last": str(case["last"])})


def prepare(number):
    """Generates a case by its number: the line for the program, the expected answer, and what the case covers."""
    case = random_case(random.Random(SEED + number))
    return line(case), expected(case), case["rule"]["FREQ"], case["all_day"]


def main():
    for name in ZONES:
        # Fills the cache before the processes fork.
        clock_changes(name)
    with multiprocessing.Pool() as pool:
        cases = pool.map(prepare, range(CASES), chunksize=100)
    text = "\n".join(case[0] for case in cases)
    answers = subprocess.run([sys.argv[1]], input=text, stdout=subprocess.PIPE, text=True, check=True)
    answers = [json.loads(answer) for answer in answers.stdout.splitlines()]
    assert len(answers) == CASES, f"{len(answers)} answers to {CASES} cases"
    tally = collections.Counter()
    differences = []
    for (text, wanted, frequency, all_day), answer in zip(cases, answers):
        tally[frequency] += 1
        tally["all-day"] += all_day
        tally["with occurrences"] += bool(wanted)
        tally["occurrences"] += len(wanted)
        if answer != wanted:
            differences.append((text, wanted, answer))
    for text, wanted, answer in differences[:5]:
        print(f"{text}\n  expected {wanted}\n  answered {answer}")
    print(f"{CASES} events in {len(ZONES)} zones: {dict(tally)}. {len(differences)} differ from python-dateutil.")
    # Cases without occurrences would prove little.
    assert tally["with occurrences"] > CASES / 3, "too few cases have occurrences"
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
