"""Kills and freezes the processes of a cluster while jobs run on it, and judges what the jobs wrote.

  cluster_chaos.py THALWEG [--kills N] [--seed S] [--pipelines a,b] [--out FILE] [--mutants | --mutant NAME]

A trial is one pipeline on a cluster of its own: workers, task processes and the coordinator are killed with -9 (daemons are
started again at once) or frozen beyond the time after which they are given up, at random times. The job must end by
itself, and its output is judged as that of a job in one process (chaos.py). Exit code 0: every trial was right.
"""
import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "cluster")]
import chaos  # noqa: E402
import oracle  # noqa: E402
import pipelines  # noqa: E402
from cluster import Cluster, kill, wait_for  # noqa: E402

WORKERS = 3
GIVEN_UP_AFTER_S = 1.0
MUTANTS = ["pointer_not_kept", "attempt_ignored", "epoch_ignored"]
DISTURBANCES = {"task": 5, "worker": 3, "coordinator": 3, "freeze": 2}


class ClusterTrial:
    def __init__(self, folder, pipeline, judge, dice, options):
        self.pipeline, self.judge, self.dice, self.options = pipeline, judge, dice, options
        self.folder = folder
        self.sink = os.path.join(folder, "sink")
        self.rate = dice.choice([1000, 2000])
        self.kills_wanted = dice.randint(2, 5)
        self.interval_ms = dice.choice([20, 60, 150])
        self.log = []

    def settings(self):
        return {
            "parallelism.default": min(2, self.pipeline.parallelism_max),
            "pipeline.max-parallelism": 128,
            "pipeline.auto-watermark-interval": "10 ms",
            "table.local-time-zone": "UTC",
            "execution.checkpointing.interval": f"{self.interval_ms} ms",
            "execution.checkpointing.dir": os.path.join(self.folder, "checkpoints"),
            "execution.checkpointing.num-retained": self.dice.choice([1, 2]),
            "restart-strategy.type": "fixed-delay",
            "restart-strategy.fixed-delay.attempts": 1000,
            "restart-strategy.fixed-delay.delay": "10 ms",
        }

    def run(self):
        text = pipelines.script(self.pipeline, self.sink, self.settings(), self.options.input, self.rate, self.dice.choice([1, 3000, 20000]))
        with Cluster(self.options.thalweg, workers=WORKERS, slots=1, settings=[f"heartbeat.timeout={int(GIVEN_UP_AFTER_S * 1000)} ms", "heartbeat.interval=50 ms"]) as cluster:
            client = cluster.start_sql(text)
            try:
                self.disturb(cluster, client)
            finally:
                client.kill()
                client.communicate()
        return self.judge.check_end(self.sink, False)

    def disturb(self, cluster, client):
        def submitted():
            if client.poll() not in (None, 0):
                raise oracle.Wrong(f"the job was refused: {client.communicate()}")
            return cluster.jobs()
        job = wait_for("the job", submitted)[0]
        wait_for("the first rows, or the end", lambda: self.has_begun(cluster, job))
        while len(self.log) < self.kills_wanted and "state     RUNNING" in cluster.info(job):
            time.sleep(self.dice.uniform(0.05, 0.6))
            self.kill_something(cluster)
            self.judge.check_part_of_the_way(self.sink)
        try:
            cluster.wait_for_end(job)
        except AssertionError as wrong:
            raise oracle.Wrong(f"the job did not end well: {wrong}") from None

    def has_begun(self, cluster, job):
        return os.path.isdir(self.sink) or "state     RUNNING" not in cluster.info(job)

    def kill_something(self, cluster):
        what = self.dice.choices(list(DISTURBANCES), list(DISTURBANCES.values()))[0]
        flowing = self.flows()
        if what == "coordinator":
            cluster.restart_coordinator()
        else:
            name = self.dice.choice(sorted(cluster.workers))
            tasks = cluster.tasks_of(name)
            if what == "task" and tasks:
                kill(self.dice.choice(tasks))
            elif what == "worker":
                cluster.workers[name].kill()
                cluster.workers[name].wait()
                cluster.start_worker(name, 1)
            elif what == "freeze" and tasks:
                self.freeze([cluster.workers[name].pid, *tasks])
            else:
                return
        self.log.append({"pipeline": self.pipeline.name, "how": what, "flowing": flowing})

    def freeze(self, processes):
        for process in processes:
            kill(process, signal.SIGSTOP)
        time.sleep(self.dice.uniform(0.5, 2.5) * GIVEN_UP_AFTER_S)
        for process in processes:
            try:
                kill(process, signal.SIGCONT)
            except ProcessLookupError:
                pass

    def flows(self):
        """Whether rows came to the sink a moment ago."""
        files = [entry.path for entry in os.scandir(self.sink)] if os.path.isdir(self.sink) else []
        return any(os.path.exists(file) and os.path.getmtime(file) > time.time() - 1 for file in files)


def run_trials(options, chosen, work, out):
    judges, kills, trials, failures = chaos.Judges(options, work), [], 0, 0
    while len(kills) < options.kills and failures < options.failures_max:
        pipeline = chosen[trials % len(chosen)]
        folder = os.path.join(work, f"trial-{trials}")
        os.makedirs(folder)
        os.environ["THALWEG_FAILPOINTS"] = ""
        judge = judges.of(pipeline)
        mutant = f"mutant.{options.mutant}=error" if options.mutant else ""
        os.environ["THALWEG_FAILPOINTS"] = ";".join([pipeline.failpoint, mutant])
        trial = ClusterTrial(folder, pipeline, judge, random.Random(f"{options.seed}/{trials}"), options)
        verdict = "right"
        try:
            trial.run()
        except (oracle.Wrong, AssertionError) as wrong:
            verdict = str(wrong)
            failures += 1
            print(f"trial {trials} ({pipeline.name}): {verdict}\n  folder {folder}", flush=True)
        else:
            shutil.rmtree(folder)
        kills += trial.log
        trials += 1
        if out:
            out.write(json.dumps({"trial": trials - 1, "pipeline": pipeline.name, "verdict": verdict, "kills": trial.log, "interval_ms": trial.interval_ms}) + "\n")
            out.flush()
    return kills, trials, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("thalweg", type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pipelines", default="", help="names, separated by commas; all of SQL without it")
    parser.add_argument("--mutants", action="store_true", help="plant each known fault in turn")
    parser.add_argument("--mutant", default="", help="plant this fault")
    parser.add_argument("--failures-max", type=int, default=1)
    parser.add_argument("--out", help="a file for one line of JSON a trial")
    options = parser.parse_args()
    names = [name for name in options.pipelines.split(",") if name]
    chosen = [pipeline for pipeline in pipelines.PIPELINES if not pipeline.is_program and (not names or pipeline.name in names)]
    if not chosen:
        parser.error("there is no such pipeline")
    random.Random(options.seed).shuffle(chosen)
    work = tempfile.mkdtemp(prefix="thalweg-cluster-chaos-")
    options.input = os.path.join(work, "input")
    pipelines.write_input(options.input)
    if options.mutants:
        missed = []
        for mutant in MUTANTS:
            options.mutant = mutant
            folder = os.path.join(work, mutant)
            os.makedirs(folder)
            kills, trials, failures = run_trials(options, chosen, folder, None)
            print(json.dumps({"mutant": mutant, "found": failures > 0, "kills": len(kills), "trials": trials}), flush=True)
            missed += [mutant] if failures == 0 else []
        shutil.rmtree(work)
        return 1 if missed else 0
    began = time.time()
    with open(options.out or os.devnull, "w", encoding="utf-8") as out:
        kills, trials, failures = run_trials(options, chosen, work, out)
        counts = {how: sum(each["how"] == how for each in kills) for how in DISTURBANCES}
        summary = {"kills": len(kills), **counts, "trials": trials, "wrong": failures, "while_data_flowed": sum(each["flowing"] for each in kills),
                   "seconds": round(time.time() - began), "seed": options.seed}
        out.write(json.dumps({"summary": summary}) + "\n")
    print(json.dumps(summary))
    if failures == 0:
        shutil.rmtree(work)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
