"""Runs the program under test, whose path is the first argument, with its memory bounded."""
import os
import resource
import subprocess
import sys
import tempfile
import unittest

THALWEG = os.path.abspath(sys.argv.pop(1))
HANGS_AFTER_S = 300          # far beyond what any case needs on a slow machine
ADDRESS_SPACE_BYTES = 8 << 30


def is_sanitized():
    """Sanitizers map terabytes: no bound on the address space then."""
    with open(THALWEG, "rb") as program:
        content = program.read()
    return b"__asan_init" in content or b"__tsan_init" in content


BOUNDED = not is_sanitized()


def bound_memory():
    if BOUNDED:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))


class ProgramCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, content):
        """Writes a file and gives its path."""
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(content if isinstance(content, bytes) else content.encode())
        return path

    def run_program(self, *words, given=b"", stdout=subprocess.PIPE, failpoints=""):
        """Exit code, output and error text; never a signal, never a hang."""
        done = subprocess.run([THALWEG, *words], input=given, stdout=stdout, stderr=subprocess.PIPE, cwd=self.folder,
                              env=dict(os.environ, THALWEG_FAILPOINTS=failpoints), timeout=HANGS_AFTER_S, preexec_fn=bound_memory, check=False)
        self.assertGreaterEqual(done.returncode, 0, f"ended by a signal: {words}: {done.stderr[-2000:]!r}")
        out = (done.stdout or b"").decode(errors="replace")
        return done.returncode, out, done.stderr.decode(errors="replace")

    def run_sql(self, text, *words, failpoints=""):
        return self.run_program("sql", *words, "-f", self.file("script.sql", text), failpoints=failpoints)
