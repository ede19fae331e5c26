"""A cluster of real processes in a temporary folder, for tests: ports are chosen by the system, nothing is left behind."""
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

DEADLINE_S = 60


def wait_for(what, look):
    """Looks again until `look` gives something true; fails with `what` after a minute."""
    end = time.monotonic() + DEADLINE_S
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"waited in vain for {what}")


class Cluster:
    def __init__(self, thalweg, workers=2, slots=2, settings=(), client=(), environment=None):
        """`environment`: variables of workers and their task processes."""
        self.thalweg = pathlib.Path(thalweg).resolve()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-cluster-"))
        self.settings = list(settings)
        self.client = list(client)
        self.environment = environment or {}
        self.workers = {}
        self.coordinator = None
        self.start_coordinator("0")
        for number in range(1, workers + 1):
            self.start_worker(f"worker-{number}", slots)
        self.wait_for_workers(workers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.workers.values(), self.coordinator]:
            process.send_signal(signal.SIGCONT)
            process.terminate()
        for process in [*self.workers.values(), self.coordinator]:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def spawn(self, program, name, settings, environment=None):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        command = [self.thalweg.parent / program, "-D", f"thalweg.folder={folder}"]
        for setting in [*self.settings, *settings]:
            command += ["-D", setting]
        with open(folder / "log", "ab") as log:
            return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})

    def start_coordinator(self, port):
        file = self.folder / "coordinator" / "coordinator.address"
        file.unlink(missing_ok=True)
        self.coordinator = self.spawn("thalweg-coordinator", "coordinator", [f"jobmanager.rpc.port={port}", "rest.port=0"])
        self.address = wait_for("the coordinator", lambda: self.fail_if_coordinator_ended() or (file.exists() and file.read_text().strip()))
        self.port = self.address.rsplit(":", 1)[1]

    def fail_if_coordinator_ended(self):
        if self.coordinator.poll() is not None:
            raise AssertionError("the coordinator ended: " + self.log("coordinator"))

    def kill_coordinator(self):
        self.coordinator.kill()
        self.coordinator.wait()

    def restart_coordinator(self):
        """Kills it and starts another at its place."""
        self.kill_coordinator()
        self.start_coordinator(self.port)

    def start_worker(self, name, slots=2, port=None, environment=None):
        """`port`: another than the coordinator's own, which leads there."""
        self.workers[name] = self.spawn("thalweg-worker", name, [
            f"jobmanager.rpc.port={port or self.port}", f"taskmanager.resource-id={name}", f"taskmanager.numberOfTaskSlots={slots}"],
            {**self.environment, **(environment or {})})

    def rest(self, path, expected=200):
        """The body of an answer of the REST interface."""
        address = (self.folder / "coordinator" / "rest.address").read_text().strip()
        host, port = address.rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=DEADLINE_S)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read().decode()
        finally:
            connection.close()
        assert answer.status == expected, f"{path}: {answer.status} {body}"
        return json.loads(body) if "json" in answer.headers["Content-Type"] else body

    def run(self, *arguments, **options):
        return subprocess.run([self.thalweg, *arguments, "--coordinator", self.address, *self.client], text=True, capture_output=True,
                              timeout=DEADLINE_S, **options)

    def sql(self, text, *settings, **options):
        arguments = [part for setting in settings for part in ("-D", setting)]
        return self.run("sql", "-e", text, *arguments, **options)

    def start_sql(self, text, *settings):
        arguments = [part for setting in settings for part in ("-D", setting)]
        return subprocess.Popen([self.thalweg, "sql", "-e", text, *arguments, "--coordinator", self.address, *self.client], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def program_command(self, program, *arguments, options=()):
        return [self.thalweg, "run", "--coordinator", self.address, *self.client, *options, program, *arguments]

    def run_program(self, program, *arguments, options=(), **how):
        """`thalweg run` of a program of the build, to its end."""
        return subprocess.run(self.program_command(program, *arguments, options=options), text=True, capture_output=True, timeout=DEADLINE_S, **how)

    def start_program(self, program, *arguments, options=(), **how):
        return subprocess.Popen(self.program_command(program, *arguments, options=options), text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)

    def printed(self, job):
        """Lines that the job's processes printed, without what the engine logs."""
        lines = self.run("logs", job, "--lines", "10000").stdout.splitlines()
        return [line for line in lines if not line.startswith("==> ") and not re.match(r"\d{4}-\d\d-\d\dT", line)]

    def wait_for_workers(self, count):
        return wait_for(f"{count} workers", lambda: f"{count} workers" in self.run("cluster", "status").stdout)

    def jobs(self, state=None):
        """Ids of all jobs, or of those in a state."""
        lines = [line.split() for line in self.run("list", "--all").stdout.splitlines()[1:]]
        return [line[0] for line in lines if state is None or line[1] == state]

    def info(self, job):
        return self.run("info", job).stdout

    def wait_for_end(self, job):
        """Waits until the job has finished; it must not fail."""
        def look():
            info = self.info(job)
            if "state     FAILED" in info:
                raise AssertionError(info)
            return "state     FINISHED" in info
        wait_for("the end of the job", look)

    def wait_for_rows(self, count=1):
        """A running job whose sources have given rows."""
        def look():
            for job in self.jobs("RUNNING"):
                if any(int(rows) >= count for rows in re.findall(r"rows in, (\d+) out", self.info(job))):
                    return job
            return None
        return wait_for("a job that runs", look)

    def tasks_of(self, name):
        """Process ids of the task processes of a worker."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                status = (entry / "stat").read_text()
            except OSError:
                continue
            if int(status.rsplit(")", 1)[1].split()[1]) == self.workers[name].pid:
                found.append(int(entry.name))
        return found

    def ports_of(self, pid):
        """Ports that a process listens on."""
        sockets = set()
        for entry in pathlib.Path(f"/proc/{pid}/fd").iterdir():
            try:
                sockets.add(os.readlink(entry))
            except OSError:
                pass
        ports = []
        for table in ("tcp", "tcp6"):
            for line in pathlib.Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == "0A" and f"socket:[{fields[9]}]" in sockets:
                    ports.append(int(fields[1].rsplit(":", 1)[1], 16))
        return ports

    def footprint(self):
        """Of each daemon: resident memory, threads, open files, child processes."""
        return {name: footprint(process.pid) for name, process in {"coordinator": self.coordinator, **self.workers}.items()}

    def log(self, name):
        return (self.folder / name / "log").read_text()


def parent_of(stat):
    try:
        return int(stat.read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return -1


def footprint(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    field = lambda key: int(next(line for line in status.splitlines() if line.startswith(key)).split()[1])
    children = sum(1 for each in pathlib.Path("/proc").glob("[0-9]*/stat") if parent_of(each) == pid)
    return {"resident_mb": round(field("VmRSS:") / 1024, 1), "threads": field("Threads:"), "files": len(os.listdir(f"/proc/{pid}/fd")), "children": children}


def kill(pid, how=signal.SIGKILL):
    os.kill(pid, how)
