"""Checks deploy/: the manifests' form, that what they name exists, and the entry point with real processes.

    deploy_test.py THALWEG ROOT
"""
import configparser
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "cluster"))
from cluster import wait_for

try:
    import yaml
except ImportError:
    yaml = None

THALWEG = None
ROOT = None
DEADLINE_S = 60

# What each kind of object must have below its top, as dotted paths.
REQUIRED = {
    "Namespace": ["metadata.name"],
    "ConfigMap": ["metadata.name", "data"],
    "Secret": ["metadata.name", "type", "stringData"],
    "PersistentVolumeClaim": ["metadata.name", "spec.accessModes", "spec.resources.requests.storage"],
    "Service": ["metadata.name", "spec.selector", "spec.ports"],
    "StatefulSet": ["metadata.name", "spec.serviceName", "spec.replicas", "spec.selector.matchLabels", "spec.template.metadata.labels",
                    "spec.template.spec.containers", "spec.template.spec.securityContext.runAsNonRoot"],
}
VERSIONS = {"StatefulSet": "apps/v1"}


def at(thing, path):
    for part in path.split("."):
        thing = thing[part]
    return thing


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@unittest.skipIf(yaml is None, "PyYAML is not installed")
class ManifestsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = ROOT / "deploy" / "kubernetes"
        cls.kustomization = yaml.safe_load((cls.folder / "kustomization.yaml").read_text())
        cls.objects = [each for name in cls.kustomization["resources"] for each in yaml.safe_load_all((cls.folder / name).read_text())]

    def kinds(self, kind):
        return [each for each in self.objects if each["kind"] == kind]

    def test_every_file_is_a_resource_and_every_object_has_its_form(self):
        self.assertEqual({path.name for path in self.folder.glob("*.yaml")} - {"kustomization.yaml"}, set(self.kustomization["resources"]))
        for each in self.objects:
            self.assertEqual(each["apiVersion"], VERSIONS.get(each["kind"], "v1"))
            for path in REQUIRED[each["kind"]]:
                at(each, path)

    def test_names_are_known(self):
        names = {(each["kind"], each["metadata"]["name"]) for each in self.objects}
        for each in self.kinds("StatefulSet"):
            spec = at(each, "spec.template.spec")
            self.assertIn(("Service", each["spec"]["serviceName"]), names)
            self.assertEqual(each["spec"]["selector"]["matchLabels"], at(each, "spec.template.metadata.labels"))
            volumes = {volume["name"] for volume in spec["volumes"]} | {claim["metadata"]["name"] for claim in each["spec"].get("volumeClaimTemplates", [])}
            for volume in spec["volumes"]:
                if "configMap" in volume:
                    self.assertIn(("ConfigMap", volume["configMap"]["name"]), names)
                if "secret" in volume:
                    self.assertIn(("Secret", volume["secret"]["secretName"]), names)
                if "persistentVolumeClaim" in volume:
                    self.assertIn(("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]), names)
            for container in spec["containers"]:
                self.assertEqual({mount["name"] for mount in container["volumeMounts"]}, volumes)
                self.assertIn("memory", container["resources"]["limits"])
                self.assertIn("cpu", container["resources"]["requests"])
                self.assertIn("livenessProbe", container)
                ports = {port["name"] for port in container.get("ports", [])}
                for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
                    if "httpGet" in container.get(probe, {}):
                        self.assertIn(container[probe]["httpGet"]["port"], ports)
                        self.assertEqual(container[probe]["httpGet"]["path"], "/healthz")

    def test_services_find_their_pods(self):
        labels = [at(each, "spec.template.metadata.labels") for each in self.kinds("StatefulSet")]
        for service in self.kinds("Service"):
            self.assertIn(service["spec"]["selector"], labels)

    def test_no_secret_is_in_the_tree(self):
        for secret in self.kinds("Secret"):
            self.assertEqual(set(secret["stringData"].values()), {""})

    def test_configuration_is_one_that_the_daemons_take(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = [at(each, "data")["thalweg.yaml"] for each in self.kinds("ConfigMap")]
            texts.append((ROOT / "deploy" / "systemd" / "thalweg.yaml").read_text())
            for text in texts:
                path = pathlib.Path(folder) / "thalweg.yaml"
                path.write_text(text)
                ran = subprocess.run([THALWEG.parent / "thalweg-coordinator", "--config", path, "--describe"], text=True, capture_output=True, timeout=60)
                self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_kustomize_takes_it(self):
        if shutil.which("kubectl") is None:
            self.skipTest("kubectl is not installed")
        ran = subprocess.run(["kubectl", "kustomize", self.folder], text=True, capture_output=True, timeout=60)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        built = list(yaml.safe_load_all(ran.stdout))
        self.assertEqual(len(built), len(self.objects))

    def test_compose_names_what_it_has(self):
        folder = ROOT / "deploy" / "docker"
        compose = yaml.safe_load((folder / "compose.yaml").read_text())
        services = compose["services"]
        self.assertLessEqual({"coordinator", "worker-1", "worker-2", "job"}, set(services))
        for name, service in services.items():
            for other in service.get("depends_on", {}):
                self.assertIn(other, services, name)
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                self.assertTrue(source in compose["volumes"] or (folder / source).exists(), f"{name}: {source}")
            build = (folder / service["build"]["context"]).resolve()
            self.assertTrue((build / service["build"]["dockerfile"]).is_file())


class ImageTest(unittest.TestCase):
    def test_the_dockerfile_builds_and_copies_what_there_is(self):
        text = (ROOT / "deploy" / "docker" / "Dockerfile").read_text()
        packages = re.search(r"^packages=\((.*?)\)", (ROOT / "dev").read_text(), re.M | re.S).group(1).split()
        missing = [package for package in packages if not re.search(rf"(?<![\w.+-]){re.escape(package)}(?![\w.+-])", text)]
        self.assertEqual(missing, [], "packages that `dev` installs and the image's build does not")
        for target in re.search(r"--target (.*)$", text, re.M).group(1).split():
            self.assertTrue((THALWEG.parent / target).exists(), target)
        self.assertIn("deploy/docker/entrypoint.sh", text)
        self.assertRegex(text, r"USER \d+", "the image's user is not root")

    def test_systemd_units_start_programs_that_exist(self):
        for path in (ROOT / "deploy" / "systemd").glob("*.service"):
            unit = configparser.ConfigParser(strict=False, interpolation=None)
            unit.optionxform = str
            unit.read(path)
            program = pathlib.Path(unit["Service"]["ExecStart"].split()[0])
            self.assertTrue((THALWEG.parent / program.name).exists(), program)
            self.assertEqual(unit["Install"]["WantedBy"], "multi-user.target")


class EntryPointTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="thalweg-deploy-"))
        self.processes = []
        self.script = ROOT / "deploy" / "docker" / "entrypoint.sh"

    def tearDown(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(30)
        shutil.rmtree(self.folder)

    def environment(self, name, **more):
        return {**os.environ, "THALWEG_BIN": str(THALWEG.parent), "THALWEG_FOLDER": str(self.folder / name), "THALWEG_COORDINATOR": f"127.0.0.1:{self.port}",
                "THALWEG_BIND_HOST": "127.0.0.1", "THALWEG_HOST": "127.0.0.1", "THALWEG_SECURITY": str(self.folder / "security"), **more}

    def start(self, verb, name, **more):
        with open(self.folder / f"{name}.log", "wb") as log:
            self.processes.append(subprocess.Popen([self.script, verb], env=self.environment(name, **more), stdout=log, stderr=log, stdin=subprocess.DEVNULL))

    def run_verb(self, *arguments):
        return subprocess.run([self.script, *arguments], env=self.environment("client"), text=True, capture_output=True, timeout=DEADLINE_S)

    def test_a_cluster_from_environment_variables(self):
        self.port = free_port()
        made = self.run_verb("certs", self.folder / "security")
        self.assertEqual(made.returncode, 0, made.stderr)
        config = self.folder / "thalweg.yaml"
        config.write_text("jobstore.max-capacity: 7\n")
        self.start("coordinator", "coordinator", THALWEG_PROPERTIES="rest.port=0", THALWEG_CONFIG=str(config))
        self.start("worker", "worker", THALWEG_PROPERTIES="# slots\ntaskmanager.numberOfTaskSlots=3\ntaskmanager.resource-id=deployed\n")
        wait_for("the worker", lambda: "registered" in (self.folder / "worker.log").read_text() and self.run_verb("list").returncode == 0)
        ran = self.run_verb("sql", "-e", "SELECT 40 + 2 AS answer;")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("42", ran.stdout)
        self.assertIn("slots=3", (self.folder / "worker.log").read_text())

    def test_help_needs_nothing(self):
        self.port = 1
        ran = self.run_verb("help")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("THALWEG_COORDINATOR", ran.stdout)

    def test_a_job_of_the_image_is_one_that_can_be_planned(self):
        text = (ROOT / "deploy" / "docker" / "job.sql").read_text()
        explained = text.replace("INSERT INTO counts", "EXPLAIN INSERT INTO counts")
        ran = subprocess.run([THALWEG, "sql", "-e", explained], text=True, capture_output=True, timeout=DEADLINE_S)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("Sink", ran.stdout)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(2)).resolve()
    THALWEG = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
