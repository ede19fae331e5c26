"""Kills embedded jobs at random times and at failpoints, runs them again, and judges what they wrote.

  chaos.py THALWEG [--timers-job PROGRAM] [--kills N] [--seed S] [--pipelines a,b] [--out FILE] [--kills-each K] [--keep]

A trial is one pipeline run to its end with some kills on its way; each start of the program finds its checkpoints and goes
on. The seed decides everything but the machine's own timing. Exit code 0: every trial ended as an undisturbed run does.
"""
import argparse
import contextlib
import glob
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import oracle  # noqa: E402
import pipelines  # noqa: E402

RUN_FAILPOINTS = ["state.write_run", "checkpoint.before_run"]              # where state goes to files of its own
# Where keyed state is: written into the checkpoint at the barrier; captured beside the work, a few entries at a time; on
# disk between any two batches.
AT_ONCE, CAPTURED, SPILLED = "at once", "captured", "spilled"
CAPTURING = "state.capture_all=error;task.capture_little=error"
FAILPOINTS = ["checkpoint.data_written", "checkpoint.before_manifest", "checkpoint.manifest_written", "checkpoint.renamed", "checkpoint.complete",
              "checkpoint.before_removal", "filesystem.persisted", "filesystem.staged", "filesystem.before_rename", "task.snapshot"]
# Faults planted in the engine (THALWEG_MUTANT), which the trials must notice.
MUTANTS = ["commit_before_durable", "no_commit_after_restore", "append_without_cut", "rows_slip_before_barrier", "no_alignment", "timers_lost",
           "offset_off_by_one", "collect_too_early", "oldest_checkpoint", "stale_local_state", "key_group_left_out", "run_left_out", "captured_runs_forgotten",
           # Planted by somebody who had not read this file:
           "changed_before_capture", "erased_keys_return", "watermark_not_restored", "no_flush_before_barrier", "enumerator_forgotten",
           "split_in_two_places", "position_of_buffer", "owed_commit_dropped", "fired_timers_stay"]
HANGS_AFTER_S = 120           # far beyond what a run needs on a slow machine
STARTS_MAX = 60               # of one trial: each must get further


class Trial:
    def __init__(self, folder, pipeline, judge, dice, options):
        self.pipeline, self.judge, self.dice, self.options = pipeline, judge, dice, options
        self.folder = folder
        self.sink = os.path.join(folder, "sink")
        self.checkpoints = os.path.join(folder, "checkpoints")
        self.parallelism = dice.choice([1, 2][:pipeline.parallelism_max])
        self.rescales = options.rescale and dice.random() < 0.3 and pipeline.parallelism_max > 1
        self.kills_wanted = dice.randint(1, 2 * options.kills_each - 1)
        self.part_bytes = dice.choice([1, 3000, 3000, 20000, 10_000_000])
        self.retained = dice.choice([1, 2, 3])
        self.interval_ms = dice.choice([5, 15, 40])
        self.rate = dice.choice([4000, 8000, 16000])
        self.state = dice.choices([AT_ONCE, CAPTURED, SPILLED], [2, 1, 1])[0]
        self.failpoints = FAILPOINTS + (2 * RUN_FAILPOINTS if self.state != AT_ONCE else [])
        self.log = []

    def settings(self):
        return {
            "parallelism.default": self.parallelism,
            "pipeline.max-parallelism": 128,
            "pipeline.auto-watermark-interval": "10 ms",
            "table.local-time-zone": "UTC",
            "execution.checkpointing.interval": f"{self.interval_ms} ms",
            "execution.checkpointing.dir": self.checkpoints,
            "execution.checkpointing.num-retained": self.retained,
            "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
            "restart-strategy.exponential-delay.initial-backoff": "5 ms",
            "restart-strategy.exponential-delay.max-backoff": "50 ms",
            "state.backend.type": "rocksdb" if self.state == SPILLED else "hashmap",
            "state.backend.rocksdb.localdir": self.folder,
            "taskmanager.memory.process.size": "0 b",                          # with rocksdb: nothing stays in memory
        }

    def disturbance(self, start):
        """How this start is to end: a time, a failpoint, both, or not at all."""
        if len(self.log) >= self.kills_wanted:                             # to its end, half of the time with a restart within the process
            return None, f"{self.dice.choice(self.failpoints)}=error@{self.dice.choice([2, 3, 6])}" if self.dice.random() < 0.5 else None
        duration_s = pipelines.ROWS / self.rate
        if start > 0 and self.dice.random() < 0.1:
            return -self.dice.uniform(0, 0.1), None                        # again while it recovers: from the program's start on
        if self.dice.random() < 0.5:
            return self.dice.uniform(0.02, 0.9 * duration_s), None
        if self.dice.random() < 0.25:                                      # barriers that come far apart
            return self.dice.uniform(0.3, 0.9) * duration_s, f"{self.dice.choice(['task.snapshot', 'filesystem.persisted'])}=sleep(0..120)"
        action = self.dice.choices(["crash", "error", f"sleep({self.dice.choice([20, 200])})"], [5, 5, 1])[0]
        rule = f"{self.dice.choice(self.failpoints)}={action}@{self.dice.choice([1, 2, 4, 10])}"
        runs_on = action == "crash" or self.dice.random() < 0.5
        return (None if runs_on else self.dice.uniform(0.05, 0.9 * duration_s)), rule

    def run(self):
        """Until the job has finished; the kills that hit it."""
        for start in range(STARTS_MAX):
            if self.rescales and start > 0:                                    # a source that begins anew has two readers at most (pipelines.py)
                self.parallelism = self.dice.choice([1, 2, 3] if self.complete_checkpoints() else [1, 2])
            kill_after_s, rule = self.disturbance(start)
            if self.start_once(kill_after_s, rule):
                hidden = self.judge.check_end(self.sink, self.rescales)
                return self.log, hidden
            self.judge.check_part_of_the_way(self.sink)
        raise oracle.Wrong(f"not at its end after {STARTS_MAX} starts")

    def start_once(self, kill_after_s, rule):
        """True: the job has finished."""
        command = command_of(self.options, self.pipeline, self.folder, self.sink, self.settings(), self.rate, self.part_bytes)
        mutant = f"mutant.{self.options.mutant}=error" if self.options.mutant else ""
        capturing = CAPTURING if self.state == CAPTURED else ""
        environment = dict(os.environ, THALWEG_FAILPOINTS=";".join([self.pipeline.failpoint, capturing, rule or "", mutant]))
        began = time.time()
        with open(os.path.join(self.folder, "log"), "ab") as log:
            log.write(f"--- start: kill after {kill_after_s} s (negative: of the program's start), {rule}\n".encode())
            log.flush()
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd=self.folder, env=environment)
            killed = False
            if kill_after_s is not None and kill_after_s > 0:
                self.wait_until_started(process, log.tell())
            try:
                process.wait(timeout=HANGS_AFTER_S if kill_after_s is None else abs(kill_after_s))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                killed = kill_after_s is not None
                if not killed:
                    raise oracle.Wrong("the program hangs") from None
        if process.returncode == 0:
            return True
        if process.returncode != -9:
            raise oracle.Wrong(f"the program failed with exit code {process.returncode}")
        self.log.append({"pipeline": self.pipeline.name, "how": rule if not killed else "time", "failpoint": rule,
                         "after_ms": round((time.time() - began) * 1000), "flowing": self.flowed(began), "parallelism": self.parallelism,
                         "checkpoints": len(self.complete_checkpoints())})
        return self.finished_before_the_kill()

    def wait_until_started(self, process, logged_before):
        """A slow machine takes its time to start a program: times count from the job's start on."""
        while process.poll() is None:
            with open(os.path.join(self.folder, "log"), "rb") as log:
                log.seek(logged_before)
                if b"has been started" in log.read():
                    return
            time.sleep(0.002)

    def complete_checkpoints(self):
        return glob.glob(os.path.join(self.checkpoints, "*", "chk-*", "_metadata"))

    def finished_before_the_kill(self):
        """Rows are visible only once a checkpoint covers them, and the last one goes when the job has finished."""
        visible = any(not name.startswith(".") for name in os.listdir(self.sink)) if os.path.isdir(self.sink) else False
        return visible and not self.complete_checkpoints()

    def flowed(self, began):
        """Whether rows had come to the sink in this start."""
        files = glob.glob(os.path.join(self.sink, "*")) + glob.glob(os.path.join(self.sink, ".*"))
        return any(os.path.getmtime(file) >= began for file in files if os.path.isfile(file))


def command_of(options, pipeline, folder, sink, settings, rate=None, part_bytes=10_000_000):
    if pipeline.is_program:
        return [options.timers_job, sink, str(pipelines.ROWS), str(rate or 0)] + [f"{key}={value}" for key, value in settings.items()]
    path = os.path.join(folder, "job.sql")
    with open(path, "w", encoding="utf-8") as out:
        out.write(pipelines.script(pipeline, sink, settings, options.input, rate, part_bytes))
    return [options.thalweg, "sql", "-f", path]


def undisturbed(options, folder, pipeline):
    sink = os.path.join(folder, "sink")
    command = command_of(options, pipeline, folder, sink, {"parallelism.default": 1, "table.local-time-zone": "UTC"})
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=HANGS_AFTER_S, check=False)
    if done.returncode != 0:
        raise oracle.Wrong(f"pipeline {pipeline.name} does not run undisturbed: {done.stderr.decode(errors='replace')[-2000:]}")
    return oracle.Oracle(pipeline, oracle.read_parts(sink))


def run_mutants(options, chosen, work):
    """Whether each planted fault was noticed, and after how many kills."""
    missed = []
    with open(os.devnull, "w", encoding="utf-8") as silent:
        for mutant in MUTANTS:
            options.mutant = mutant
            folder = os.path.join(work, mutant)
            os.makedirs(folder)
            with contextlib.redirect_stdout(silent):
                kills, trials, failures, _ = run_trials(options, chosen, folder, None)
            print(json.dumps({"mutant": mutant, "found": failures > 0, "kills": len(kills), "trials": trials + failures}), flush=True)
            if failures == 0:
                missed.append(mutant)
    print(f"{len(MUTANTS) - len(missed)} of {len(MUTANTS)} mutants found" + (f"; not found: {', '.join(missed)}" if missed else ""))
    return 1 if missed else 0


class Judges:
    """What undisturbed runs end with, a run a pipeline."""
    def __init__(self, options, work):
        self.options, self.work, self.known = options, work, {}

    def of(self, pipeline):
        if pipeline.name not in self.known:
            reference = os.path.join(self.work, "undisturbed-" + pipeline.name)
            os.makedirs(reference)
            self.known[pipeline.name] = undisturbed(self.options, reference, pipeline)
        return self.known[pipeline.name]


def run_trials(options, chosen, work, out):
    judges = Judges(options, work)
    kills, number, failures, hidden_files = [], 0, 0, 0
    while len(kills) < options.kills:
        pipeline = chosen[number % len(chosen)]
        folder = os.path.join(work, f"trial-{number}")
        os.makedirs(folder)
        trial = Trial(folder, pipeline, judges.of(pipeline), random.Random(f"{options.seed}/{number}"), options)
        verdict = "right"
        try:
            _, hidden = trial.run()
            hidden_files += hidden
        except oracle.Wrong as wrong:
            verdict = str(wrong)
            failures += 1
        kills += trial.log
        record = {"trial": number, "pipeline": pipeline.name, "verdict": verdict, "kills": trial.log, "part_bytes": trial.part_bytes,
                  "interval_ms": trial.interval_ms, "rate": trial.rate, "state": trial.state, "rescaled": trial.rescales}
        if out:
            out.write(json.dumps(record) + "\n")
            out.flush()
        if verdict != "right":
            print(f"trial {number} ({pipeline.name}, parallelism {trial.parallelism}): {verdict}\n  folder {folder}")
            with open(os.path.join(folder, "log"), encoding="utf-8", errors="replace") as log:
                print("  " + log.read()[-3000:].replace("\n", "\n  "))
            if failures >= options.failures_max:
                break
        elif not options.keep:
            shutil.rmtree(folder)
        number += 1
    return kills, number, failures, hidden_files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("thalweg", type=os.path.abspath)
    parser.add_argument("--timers-job", type=os.path.abspath, help="the program of the pipeline `timers`; left out without it")
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--kills-each", type=int, default=3, help="about so many a trial")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pipelines", default="", help="names, separated by commas; all without it")
    parser.add_argument("--rescale", action="store_true", help="some trials change their parallelism at each start")
    parser.add_argument("--mutants", action="store_true", help="plant each known fault in turn; at most --kills kills may pass before it is noticed")
    parser.add_argument("--mutant", default="", help="plant this fault")
    parser.add_argument("--failures-max", type=int, default=1)
    parser.add_argument("--out", help="a file for one line of JSON a trial")
    parser.add_argument("--keep", action="store_true", help="keep all folders")
    options = parser.parse_args()
    names = [name for name in options.pipelines.split(",") if name]
    chosen = [pipeline for pipeline in pipelines.PIPELINES if not names or pipeline.name in names]
    chosen = [pipeline for pipeline in chosen if options.timers_job or not pipeline.is_program]
    if not chosen:
        parser.error("there is no such pipeline")
    random.Random(options.seed).shuffle(chosen)
    work = tempfile.mkdtemp(prefix="thalweg-chaos-")
    options.input = os.path.join(work, "input")
    pipelines.write_input(options.input)
    began = time.time()
    if options.mutants:
        code = run_mutants(options, chosen, work)
        shutil.rmtree(work)
        return code
    out = open(options.out, "w", encoding="utf-8") if options.out else None
    try:
        kills, trials, failures, hidden = run_trials(options, chosen, work, out)
    except oracle.Wrong as wrong:
        print(wrong)
        return 1
    finally:
        if out:
            out.close()
    flowing = sum(kill["flowing"] for kill in kills)
    at_failpoints = sum(kill["how"] != "time" for kill in kills)
    summary = {"kills": len(kills), "trials": trials, "wrong": failures, "at_failpoints": at_failpoints, "while_data_flowed": flowing,
               "hidden_files_left": hidden, "seconds": round(time.time() - began), "seed": options.seed}
    print(json.dumps(summary))
    if options.out:
        with open(options.out, "a", encoding="utf-8") as out:
            out.write(json.dumps({"summary": summary}) + "\n")
    if failures == 0 and not options.keep:
        shutil.rmtree(work)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
