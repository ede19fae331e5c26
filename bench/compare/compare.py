"""Compares the results of the Nexmark queries with another engine's: see README.md beside this file."""
import argparse
import collections
import csv
import pathlib
import re
import subprocess
import sys

QUERIES = [f"q{i}" for i in range(24) if i != 12] + ["q12e"]
# Where either engine may break ties: the columns that must agree.
TIES = {"q9": (0, 12, 13), "q18": (0, 1, 5), "q19": (0, 2, 7)}
NEXMARK = pathlib.Path(__file__).resolve().parent.parent / "nexmark"

PERSON = ["id", "name", "emailAddress", "creditCard", "city", "state", "extra"]
AUCTION = ["id", "itemName", "description", "initialBid", "reserve", "expires", "seller", "category", "extra"]
BID = ["auction", "bidder", "price", "channel", "url", "extra"]
NUMBERS = {"id", "initialBid", "reserve", "seller", "category", "auction", "bidder", "price"}
COLUMNS = [("p_", "person", PERSON), ("a_", "auction", AUCTION), ("b_", "bid", BID)]
VIEWS = {
    "person": ("p_", 0, ["id", "name", "emailAddress", "creditCard", "city", "state", "`dateTime`", "extra"]),
    "auction": ("a_", 1, ["id", "itemName", "description", "initialBid", "reserve", "`dateTime`", "expires", "seller", "category", "extra"]),
    "bid": ("b_", 2, ["auction", "bidder", "price", "channel", "url", "`dateTime`", "extra"]),
}


def events_table(path, watermark):
    kinds = lambda name: "BIGINT" if name in NUMBERS else "TIMESTAMP(3)" if name == "expires" else "VARCHAR"
    columns = ["event_type INT"] + [f"{prefix}{name} {kinds(name)}" for prefix, _, names in COLUMNS for name in names] + ["`dateTime` TIMESTAMP(3)"]
    if watermark:
        columns.append("WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND")
    options = f"'connector' = 'filesystem', 'path' = '{path}', 'format' = 'csv', 'csv.null-literal' = '\\N'"
    return f"CREATE TABLE events ({', '.join(columns)}) WITH ({options});\n"


def make_events(thalweg, work, events):
    """One file of all events, which both engines read."""
    path = work / f"events{events}.csv"
    if path.exists():
        return path
    tables = (NEXMARK / "tables.sql").read_text().replace("${events}", str(events)).replace("${rate}", "10000").replace("${all}", "false")
    fields = ["event_type"] + [f"{row}.{name}" for _, row, names in COLUMNS for name in names] + ["`dateTime`"]
    parts = work / "events.parts"
    script = work / "events.sql"
    script.write_text("SET 'parallelism.default' = '1';\nSET 'table.local-time-zone' = 'UTC';\n" + tables + events_table(parts, False) +
                      f"INSERT INTO events SELECT {', '.join(fields)} FROM datagen;\n")
    subprocess.run([thalweg, "sql", "-f", str(script)], check=True, stdout=subprocess.DEVNULL)
    with open(path, "wb") as out:
        for part in sorted(parts.iterdir()):
            if not part.name.startswith((".", "_")):
                out.write(part.read_bytes())
    return path


def script_of(query, events, work, for_peer):
    """The query over the file, with a sink that prints."""
    text = (NEXMARK / f"{query}.sql").read_text()
    text = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    views = "".join(
        f"CREATE VIEW {name} AS SELECT {', '.join(c if c == '`dateTime`' else f'{prefix}{c} AS {c}' for c in columns)} FROM events WHERE event_type = {kind};\n"
        for name, (prefix, kind, columns) in VIEWS.items())
    text = re.sub(r"WITH \('connector' = 'blackhole'\)", "WITH ('connector' = 'print')", text)
    text = re.sub(r"PARTITIONED BY \(dt, hm\) WITH \(.*?\n\);", "WITH ('connector' = 'print');", text, flags=re.S)
    side = work / "side_input.csv"
    side.write_text("".join(f"{i},{i}\n" for i in range(10000)))
    text = text.replace("${folder}/side_input.csv", str(side))
    if for_peer:   # only Flink's legacy csv tables can be looked up
        text = re.sub(r"WITH \('connector' = 'filesystem', 'path' = '(.*?)', 'format' = 'csv'\)",
                      r"WITH ('connector.type' = 'filesystem', 'connector.path' = 'file://\1', 'format.type' = 'csv')", text)
    else:
        text = "SET 'parallelism.default' = '1';\nSET 'table.local-time-zone' = 'UTC';\n" + text
        return text.replace("CREATE TABLE", events_table(events, True) + views + "CREATE TABLE", 1) + "\n"
    return events_table(events, True) + views + text + "\n"


ROW = re.compile(r"^(?:\d+> )?(\+I|-U|\+U|-D)\[(.*)\]$", re.S)


def table_of(command, script, log):
    """The multiset of rows that the printed changes lead to."""
    table = collections.Counter()
    with open(log, "wb") as errors:
        run = subprocess.Popen(command + [str(script)], stdout=subprocess.PIPE, stderr=errors)
        for line in run.stdout:
            change = ROW.match(line.decode().rstrip("\n"))
            if change:
                table[change[2]] += 1 if change[1][0] == "+" else -1
        if run.wait() != 0:
            return None
    return +table if min(table.values(), default=0) >= 0 else table


def keys_only(table, columns):
    return collections.Counter({key: sum(n for _, n in group) for key, group in grouped(table, columns)})


def grouped(table, columns):
    groups = collections.defaultdict(list)
    for row, count in table.items():
        fields = row.split(", ")
        groups[tuple(fields[c] for c in columns)].append((row, count))
    return groups.items()


def best_of_each(table):
    """q9: Flink leaves superseded winners in its table; of each auction the best counts."""
    best = {}
    for row in table:
        fields = row.split(", ")
        rank = (-int(fields[12]), fields[13])
        if fields[0] not in best or rank < best[fields[0]][0]:
            best[fields[0]] = (rank, row)
    return collections.Counter(row for _, row in best.values())


def winners_by_seller(path):
    """q6 by hand: the winning bid of every auction, per seller in order of its time."""
    auctions, best = {}, {}
    with open(path, newline="") as lines:
        for order, row in enumerate(csv.reader(lines)):
            if row[0] == "1":
                auctions[int(row[8])] = (row[23], row[13], int(row[14]))
            elif row[0] == "2":
                auction = auctions.get(int(row[17]))
                if auction and auction[0] <= row[23] <= auction[1]:
                    found = best.get(int(row[17]))
                    if found is None or int(row[19]) > found[0]:
                        best[int(row[17])] = (int(row[19]), row[23], order)
    sellers = collections.defaultdict(list)
    for auction, (price, time, order) in best.items():
        sellers[auctions[auction][2]].append((time, price))
    return sellers


def check_q6(table, path):
    """Sellers all of whose winning bids have times of their own; of the others either order is right."""
    own = collections.defaultdict(collections.Counter)
    for row, count in table.items():
        seller, average = row.split(", ")
        own[int(seller)][int(average)] += count
    checked = wrong = 0
    for seller, bids in winners_by_seller(path).items():
        if len({time for time, _ in bids}) < len(bids):
            continue
        prices = [price for _, price in sorted(bids)]
        expected = collections.Counter(sum(prices[max(0, i - 10):i + 1]) // len(prices[max(0, i - 10):i + 1]) for i in range(len(prices)))
        checked += 1
        wrong += own[seller] != expected
    return checked, wrong


def compare(query, args, work, events):
    own_script, peer_script = work / f"{query}.own.sql", work / f"{query}.peer.sql"
    own_script.write_text(script_of(query, events, work, False))
    peer_script.write_text(script_of(query, events, work, True))
    own = table_of([args.thalweg, "sql", "-f"], own_script, work / f"{query}.own.log")
    if own is None:
        return "failed here"
    if query == "q6":
        checked, wrong = check_q6(own, events)
        return f"{'equal' if wrong == 0 and checked > 0 else 'DIFFERENT'} to the oracle: {checked} sellers, {wrong} wrong"
    if not args.peer:
        return f"{sum(own.values())} rows here, no peer"
    peer = table_of(args.peer.split(), peer_script, work / f"{query}.peer.log")
    if peer is None:
        return "failed there"
    if query == "q9":
        own, peer = best_of_each(own), best_of_each(peer)
    if query in TIES:
        own, peer = keys_only(own, TIES[query]), keys_only(peer, TIES[query])
    missing, surplus = peer - own, own - peer
    if not missing and not surplus:
        return f"equal: {sum(own.values())} rows"
    examples = list(missing.items())[:1] + list(surplus.items())[:1]
    return f"DIFFERENT: {sum(own.values())} rows here, {sum(peer.values())} there, {sum(missing.values())} missing, {sum(surplus.values())} surplus, e.g. {examples}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("thalweg")
    parser.add_argument("queries", nargs="*", default=QUERIES)
    parser.add_argument("--peer", default="", help="runs an SQL script on the other engine")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--work", default="/tmp/thalweg-compare")
    args = parser.parse_args()
    work = pathlib.Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    events = make_events(args.thalweg, work, args.events)
    different = 0
    for query in args.queries or QUERIES:
        outcome = compare(query, args, work, events)
        different += not outcome.startswith("equal")
        print(f"{query}: {outcome}", flush=True)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
