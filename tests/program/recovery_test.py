"""Jobs that fail, are killed or cannot write their checkpoints: what becomes of them, and of what they wrote."""
import json
import os
import shutil
import subprocess
import time
import unittest

from program import THALWEG, ProgramCase

ROWS = 2000


class RecoveryTest(ProgramCase):
    def setUp(self):
        super().setUp()
        self.checkpoints = os.path.join(self.folder, "checkpoints")
        self.sink = os.path.join(self.folder, "sink")

    def script(self, rate=None, **settings):
        chosen = {"execution.checkpointing.interval": "10 ms", "execution.checkpointing.dir": self.checkpoints,
                  "restart-strategy.exponential-delay.initial-backoff": "1 ms", "restart-strategy.exponential-delay.max-backoff": "1 ms"}
        chosen.update({key.replace("__", "-").replace("_", "."): value for key, value in settings.items()})
        limit = f", 'rows-per-second' = '{rate}'" if rate else ""
        return "".join(f"SET '{key}' = '{value}';\n" for key, value in chosen.items()) + f"""
          CREATE TABLE numbers (id BIGINT) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', 'fields.id.start' = '1',
            'fields.id.end' = '{ROWS}'{limit});
          CREATE TABLE sums (k BIGINT, c BIGINT, s BIGINT) WITH ('connector' = 'filesystem', 'path' = '{self.sink}', 'format' = 'debezium-json');
          INSERT INTO sums SELECT MOD(id, 7), COUNT(*), SUM(id) FROM numbers GROUP BY MOD(id, 7);"""

    def assert_complete(self):
        messages = []
        for name in os.listdir(self.sink):
            if name.startswith("part-"):
                with open(os.path.join(self.sink, name), encoding="utf-8") as part:
                    messages += [json.loads(line) for line in part]
        inserted = sorted((m["after"]["k"], m["after"]["c"]) for m in messages if m["op"] == "c")
        self.assertEqual(inserted, sorted((k, c) for k in range(7) for c in range(1, len(range(k or 7, ROWS + 1, 7)) + 1)))

    def test_a_failing_job_goes_on_from_its_last_checkpoint(self):
        for failpoint in ("checkpoint.before_manifest=error@3", "filesystem.persisted=error@2", "filesystem.before_rename=error@1", "task.snapshot=error@4"):
            with self.subTest(failpoint):
                shutil.rmtree(self.sink, ignore_errors=True)
                code, _, errors = self.run_sql(self.script(rate=10000), failpoints=failpoint)
                self.assertEqual(code, 0, errors)
                self.assert_complete()
                self.assertFalse(os.path.isdir(self.checkpoints) and os.listdir(self.checkpoints), "checkpoints of a finished job are removed")

    def test_without_restarts_the_failure_is_the_end(self):
        code, _, errors = self.run_sql(self.script(restart__strategy_type="none"), failpoints="filesystem.persisted=error@1;filesystem.staged=error@1")
        self.assertEqual(code, 1)
        self.assertIn("filesystem.", errors)

    def test_restarts_are_counted(self):
        settings = {"restart__strategy_type": "fixed-delay", "restart__strategy_fixed__delay_attempts": "3", "restart__strategy_fixed__delay_delay": "1 ms"}
        code, _, errors = self.run_sql(self.script(**settings), failpoints="task.snapshot=error")
        self.assertEqual(code, 1)
        self.assertEqual(errors.count("is restarted"), 3, errors)

    def test_a_checkpoint_may_fail_as_often_as_is_tolerated(self):
        code, _, errors = self.run_sql(self.script(rate=10000, execution_checkpointing_tolerable__failed__checkpoints="2", restart__strategy_type="none"),
                                       failpoints="checkpoint.before_manifest=error@1;checkpoint.data_written=error@3")
        self.assertEqual(code, 0, errors)
        self.assertIn("a checkpoint failed", errors)
        self.assert_complete()

    def test_a_checkpoint_folder_that_cannot_be_made_is_named(self):
        with open(self.checkpoints, "w", encoding="utf-8") as file:
            file.write("in the way")
        code, _, errors = self.run_sql(self.script(restart__strategy_type="none"))
        self.assertEqual(code, 1)
        self.assertIn(self.checkpoints, errors)
        self.assertFalse(os.path.isdir(self.sink) and [name for name in os.listdir(self.sink) if not name.startswith(".")])

    def test_a_killed_script_goes_on_and_outlives_the_loss_of_its_checkpoint_folder(self):
        path = self.file("script.sql", self.script(rate=4000, execution_checkpointing_tolerable__failed__checkpoints="1000"))
        first = subprocess.Popen([THALWEG, "sql", "-f", path], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = self.wait_for_checkpoint(first, set())
        self.assertTrue(found, "the job ended before its first checkpoint")
        first.kill()
        first.wait()
        second = subprocess.Popen([THALWEG, "sql", "-f", path], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.wait_for_checkpoint(second, found)
        shutil.rmtree(self.checkpoints, ignore_errors=True)
        output, _ = second.communicate(timeout=300)
        self.assertEqual(second.returncode, 0, output)
        self.assertIn(b"Job 1 goes on from ", output)
        self.assert_complete()

    def wait_for_checkpoint(self, process, known):
        """The checkpoints there are, once one is not among the known; or when the process has ended."""
        while True:
            found = {folder for folder, _, files in os.walk(self.checkpoints) if "_metadata" in files}
            if found - known or process.poll() is not None:
                return found
            time.sleep(0.001)


if __name__ == "__main__":
    unittest.main()
