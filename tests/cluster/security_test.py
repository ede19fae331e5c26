"""A cluster with certificates and a token: who may do what, with real processes.

    security_test.py THALWEG TEST_JOB
"""
import http.client
import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import unittest

from cluster import Cluster, wait_for

THALWEG = None
TEST_JOB = None


def certificates(folder, *arguments):
    return subprocess.run([THALWEG, "certs", folder, *arguments], text=True, capture_output=True, timeout=60)


class SecurityTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-security-"))
        made = certificates(cls.folder / "ours")
        assert made.returncode == 0, made.stderr
        certificates(cls.folder / "theirs")
        cls.cluster = Cluster(THALWEG, settings=cls.settings("ours"), client=cls.client("ours"))

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()
        shutil.rmtree(cls.folder)

    @classmethod
    def settings(cls, who):
        folder = cls.folder / who
        return [f"thalweg.security.ca={folder / 'ca.pem'}", f"thalweg.security.certificate={folder / 'daemon.pem'}",
                f"thalweg.security.key={folder / 'daemon.key'}", f"thalweg.security.token-file={folder / 'token'}"]

    @classmethod
    def client(cls, who):
        return ["--ca", cls.folder / who / "ca.pem", "--token-file", cls.folder / who / "token"]

    def list(self, *arguments):
        return subprocess.run([THALWEG, "list", "--coordinator", self.cluster.address, *arguments], text=True, capture_output=True, timeout=60)

    def test_jobs_run_across_processes_with_mutual_tls(self):
        ran = self.cluster.sql("SET 'sql-client.execution.result-mode' = 'tableau';"
                               "SELECT SUM(s) AS total FROM (SELECT MOD(a, 7) AS k, SUM(a) AS s FROM (VALUES (1), (2), (3), (14)) AS t(a) GROUP BY MOD(a, 7));",
                               "parallelism.default=4", "execution.runtime-mode=batch")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("20", ran.stdout)

    def test_programs_run_with_mutual_tls(self):
        ran = self.cluster.run_program(TEST_JOB, "several", options=["-p", "4"])
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("plain", ran.stdout)

    def test_clients_need_the_token_and_tls(self):
        ca, token = ["--ca", self.folder / "ours" / "ca.pem"], ["--token-file", self.folder / "ours" / "token"]
        self.assertEqual(self.list(*ca, *token).returncode, 0)
        without_token = self.list(*ca)
        self.assertEqual(without_token.returncode, 1)
        self.assertIn("token", without_token.stderr)
        self.assertEqual(self.list(*token).returncode, 1, "without TLS")
        self.assertEqual(self.list("--ca", self.folder / "theirs" / "ca.pem", *token).returncode, 1, "of another authority")
        self.assertEqual(self.list(*ca, "--token-file", self.folder / "theirs" / "token").returncode, 1, "another token")

    def test_only_daemons_with_a_certificate_of_the_cluster_join(self):
        token_only = [f"thalweg.security.ca={self.folder / 'ours' / 'ca.pem'}", f"thalweg.security.token-file={self.folder / 'ours' / 'token'}"]
        for number, settings in enumerate((self.settings("theirs"), [], token_only)):
            name = f"stranger-{number}"
            (self.cluster.folder / name).mkdir()
            command = [self.cluster.thalweg.parent / "thalweg-worker", "-D", f"thalweg.folder={self.cluster.folder / name}",
                       "-D", f"jobmanager.rpc.port={self.cluster.port}", "-D", f"taskmanager.resource-id={name}"]
            for setting in settings:
                command += ["-D", setting]
            with open(self.cluster.folder / name / "log", "ab") as log:
                stranger = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            try:
                wait_for("a refusal", lambda: "the coordinator is not there yet" in self.cluster.log(name) or stranger.poll() is not None)
                self.assertNotIn(name, self.cluster.run("cluster", "status").stdout)
                self.assertNotIn("registered worker", self.cluster.log(name))
            finally:
                stranger.kill()
                stranger.wait()

    def test_rest_speaks_tls_and_asks_for_the_token(self):
        address = (self.cluster.folder / "coordinator" / "rest.address").read_text().strip()
        host, port = address.rsplit(":", 1)
        trusted = ssl.create_default_context(cafile=self.folder / "ours" / "ca.pem")
        token = (self.folder / "ours" / "token").read_text().strip()
        for path, headers, expected in (("/healthz", {}, 200), ("/overview", {}, 401), ("/overview", {"Authorization": "Bearer wrong"}, 401),
                                        ("/overview", {"Authorization": f"Bearer {token}"}, 200)):
            connection = http.client.HTTPSConnection(host, int(port), timeout=60, context=trusted)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            body = answer.read().decode()
            connection.close()
            self.assertEqual(answer.status, expected, f"{path} {headers} {body}")
            self.assertNotIn(token, body)
        with self.assertRaises(ssl.SSLError):
            stranger = http.client.HTTPSConnection(host, int(port), timeout=60, context=ssl.create_default_context(cafile=self.folder / "theirs" / "ca.pem"))
            stranger.request("GET", "/healthz")

    def test_no_secret_is_in_a_log(self):
        secrets = [(self.folder / "ours" / "token").read_text().strip(), "PRIVATE KEY"]
        self.cluster.sql("SELECT 1;")
        for log in self.cluster.folder.rglob("*log"):
            if log.is_file():
                text = log.read_text(errors="replace")
                for secret in secrets:
                    self.assertNotIn(secret, text, str(log))

    def test_keys_are_their_owners_and_nothing_is_replaced(self):
        for name in ("ca.key", "daemon.key", "token"):
            self.assertEqual((self.folder / "ours" / name).stat().st_mode & 0o077, 0, name)
        before = (self.folder / "ours" / "ca.pem").read_bytes()
        again = certificates(self.folder / "ours")
        self.assertEqual(again.returncode, 1)
        self.assertIn("exists", again.stderr)
        self.assertEqual((self.folder / "ours" / "ca.pem").read_bytes(), before)

    def test_another_address_than_loopback_needs_tls_and_a_token_or_says_so_loudly(self):
        def start(*arguments):
            folder = self.folder / f"other-{len(arguments)}"
            return [self.cluster.thalweg.parent / "thalweg-coordinator", "-D", f"thalweg.folder={folder}", "-D", "jobmanager.rpc.port=0",
                    "-D", "rest.port=0", "-D", "jobmanager.bind-host=0.0.0.0", *arguments], folder
        command, _ = start()
        refused = subprocess.run(command, text=True, capture_output=True, timeout=60)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("needs TLS", refused.stderr)
        command, folder = start("--insecure")
        with open(self.folder / "insecure.log", "wb") as log:
            loud = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            wait_for("the coordinator", lambda: (folder / "coordinator.address").exists())
            self.assertIn("INSECURE", (self.folder / "insecure.log").read_text())
        finally:
            loud.terminate()
            loud.wait()


if __name__ == "__main__":
    THALWEG, TEST_JOB = (sys.argv.pop(1) for _ in range(2))
    unittest.main()
