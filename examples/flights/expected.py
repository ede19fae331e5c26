"""The final tables of flights.sql, computed with Python's standard library alone.

    python3 expected.py hourly    the hourly table as CSV, ordered by hour and origin
    python3 expected.py routes    the five worst routes as CSV, worst first
"""
import collections
import csv
import decimal
import json
import pathlib
import sys

DATA = pathlib.Path(__file__).resolve().parent / "data"
LATE_MINUTES = 15
FLIGHTS_MIN = 20
ROUTES_MAX = 5


def read_flights():
    with open(DATA / "flights.json", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_airports():
    with open(DATA / "airports.csv", encoding="utf-8", newline="") as file:
        return {row[0]: row for row in csv.reader(file)}


def rounded(value, digits):
    """Half away from zero on the shortest decimal form of the double, as SQL's ROUND does."""
    exponent = decimal.Decimal(1).scaleb(-digits)
    return float(decimal.Decimal(repr(value)).quantize(exponent, decimal.ROUND_HALF_UP))


def hourly():
    """Rows (hour, origin, airport, city, flights, mean delay, worst delay, share late), by hour and origin."""
    airports = read_airports()
    delays = collections.defaultdict(list)
    for flight in read_flights():
        day, time = flight["date"].split(" ")
        hour = f"{day.replace('/', '-')} {time[:2]}:00:00"
        delays[hour, flight["origin"]].append(flight["delay"])
    rows = []
    for (hour, origin), values in sorted(delays.items()):
        late = sum(1 for delay in values if delay > LATE_MINUTES)
        rows.append((
            hour, origin, airports[origin][1], airports[origin][2], len(values),
            rounded(sum(values) / len(values), 2), max(values), rounded(late / len(values), 4)))
    return rows


def routes():
    """Rows (place, origin, destination, flights, mean delay), worst first."""
    delays = collections.defaultdict(list)
    for flight in read_flights():
        delays[flight["origin"], flight["destination"]].append(flight["delay"])
    often = [
        (-rounded(sum(values) / len(values), 2), route, len(values))
        for route, values in delays.items() if len(values) >= FLIGHTS_MIN]
    return [
        (place, origin, destination, flights, -negated)
        for place, (negated, (origin, destination), flights) in enumerate(sorted(often)[:ROUTES_MAX], start=1)]


TABLES = {"hourly": hourly, "routes": routes}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in TABLES:
        sys.exit(__doc__)
    csv.writer(sys.stdout, lineterminator="\n").writerows(TABLES[sys.argv[1]]())
