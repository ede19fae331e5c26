"""Shows that every check can fail: each is run on small trees, right and wrong."""
import pathlib
import tempfile
import unittest

import api_methods
import document_paths
import include_arrows
import machine_paths
import names
import third_parties

HEADER = "// Does something.\n#pragma once\n"


def problems(check, tree):
    """What a check says about a tree given as {path: content}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, content in tree.items():
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        return check(root)


class ChecksTest(unittest.TestCase):
    def assert_fine(self, module, tree):
        self.assertEqual(problems(module.check, tree), [])

    def assert_refused(self, module, tree, count=1):
        self.assertEqual(len(problems(module.check, tree)), count)

    def assert_include(self, module, fine, path, line):
        tree = {path: HEADER + line + "\n"}
        self.assert_fine(module, tree) if fine else self.assert_refused(module, tree)


class IncludeArrowsTest(ChecksTest):
    def test_arrows_point_down_inside_common(self):
        for fine, path, name in [
                (True, "common/plan/a.h", "common/types/b.h"),
                (True, "common/types/a.h", "common/types/b.h"),
                (True, "common/types/a.h", "common/fs/b.h"),
                (False, "common/types/a.h", "common/plan/b.h"),
                (False, "common/base/a.h", "common/time/b.h"),
                (False, "common/fs/a.h", "common/types/b.h"),
                (False, "common/new_room/a.h", "common/base/b.h"),
                (False, "common/base/a.h", "worker/task/b.h"),
                (False, "common/base/a.h", "tests/support/b.h")]:
            self.assert_include(include_arrows, fine, path, f'#include "{name}"')

    def test_processes_know_common_and_themselves(self):
        for fine, path, name in [
                (True, "worker/task/a.cc", "common/base/b.h"),
                (True, "worker/task/a.cc", "worker/state/b.h"),
                (True, "client/shell/a.cc", "client/embedded/b.h"),
                (False, "worker/task/a.cc", "coordinator/compiler/b.h"),
                (False, "coordinator/compiler/a.cc", "worker/task/b.h"),
                (False, "client/shell/a.cc", "worker/task/b.h"),
                (True, "client/embedded/a.cc", "worker/task/b.h"),
                (True, "client/cli/main.cc", "coordinator/compiler/b.h"),
                (True, "bench/a.cc", "worker/task/b.h"),
                (True, "tests/unit/a.cc", "worker/task/b.h")]:
            self.assert_include(include_arrows, fine, path, f'#include "{name}"')

    def test_includes_start_at_the_root(self):
        self.assert_include(include_arrows, False, "worker/task/a.cc", '#include "b.h"')


class ThirdPartiesTest(ChecksTest):
    def test_libraries_stay_in_the_rooms_that_own_them(self):
        for fine, path, line in [
                (True, "common/log/a.cc", "#include <spdlog/spdlog.h>"),
                (False, "common/log/a.h", "#include <spdlog/spdlog.h>"),
                (False, "worker/task/a.cc", "#include <spdlog/spdlog.h>"),
                (False, "worker/task/a.cc", '#include "spdlog/spdlog.h"'),
                (True, "worker/connectors/files/a.cc", "#include <re2/re2.h>"),
                (False, "worker/state_of_affairs/a.cc", "#include <rocksdb/db.h>"),
                (False, "common/rpc/a.h", '#include "proto/plan.pb.h"'),
                (True, "common/rpc/a.cc", '#include "proto/plan.pb.h"'),
                (True, "common/base/a.h", "#include <vector>"),
                (True, "common/base/a.cc", "#include <sys/stat.h>"),
                (False, "common/base/a.cc", "#include <unheard/of.h>"),
                (True, "tests/unit/a.cc", "#include <catch2/catch.hpp>"),
                (False, "common/base/a.cc", "#include <catch2/catch.hpp>")]:
            self.assert_include(third_parties, fine, path, line)

    def test_catch_comes_last(self):
        catch, ours = "#include <catch2/catch.hpp>\n", '#include "common/base/a.h"\n'
        self.assert_fine(third_parties, {"tests/a.cc": ours + catch})
        self.assert_refused(third_parties, {"tests/a.cc": catch + ours})


class NamesTest(ChecksTest):
    README = {"worker/task/README.md": "# worker/task\n"}

    def test_names_that_say_nothing_are_refused(self):
        for fine, path, content in [
                (True, "worker/task/input_gate.h", HEADER),
                (True, "worker/task/utility_company.h", HEADER),
                (True, "tests/unit/common/base/ids_test.cc", ""),
                (False, "worker/task/string_util.h", HEADER),
                (False, "worker/task/helpers/gate.h", HEADER),
                (False, "worker/task/common/gate.h", HEADER),
                (False, "worker/task/InputGate.h", HEADER),
                (False, "worker/task/gate.h", HEADER + "class TaskManager {};\n"),
                (False, "worker/task/gate.h", HEADER + 'class CAPABILITY("x") LockHelper {};\n'),
                (True, "worker/task/gate.h", HEADER + "struct CommonTable {};\n"),
                (False, "worker/task/gate.h", HEADER + "struct CommonThings {};\n")]:
            tree = {**self.README, path: content}
            self.assert_fine(names, tree) if fine else self.assert_refused(names, tree)

    def test_headers_open_with_a_comment_and_are_included_once(self):
        self.assert_refused(names, {**self.README, "worker/task/gate.h": "#pragma once\n"})
        self.assert_refused(names, {**self.README, "worker/task/gate.h": "// Does something.\n"})

    def test_rooms_have_a_short_readme(self):
        self.assert_refused(names, {"worker/task/gate.cc": ""})
        self.assert_refused(names, {"worker/task/gate.cc": "", "worker/task/README.md": "line\n" * 31})
        self.assert_fine(names, {"worker/task/gate.cc": "", "worker/task/README.md": "line\n" * 30})
        self.assert_fine(names, {"worker/connectors/files/gate.cc": "", "worker/connectors/README.md": "x\n"})


class DocumentPathsTest(ChecksTest):
    def test_named_paths_exist(self):
        tree = {"worker/task/gate.cc": "", "docs/tour.md": ""}
        for fine, content in [
                (True, "see `worker/task/gate.cc:12`, `worker/task/`, `worker/*/gate.cc` and [the tour](docs/tour.md#x)"),
                (True, "`a/b`, `application/json`, `build/release/bin/`, `docs/decisions/NNNN-title.md`"),
                (True, "[elsewhere](https://example.org/x) and [below](#below)"),
                (True, "```\n`worker/none.cc`\n```\n"),
                (False, "see `worker/task/none.cc`"),
                (False, "see `worker/*/none.cc`"),
                (False, "see [the map](docs/map.md)")]:
            written = {**tree, "README.md": content}
            self.assert_fine(document_paths, written) if fine else self.assert_refused(document_paths, written)


class ApiMethodsTest(ChecksTest):
    def test_methods_are_called_somewhere(self):
        header = "class Stream {\n public:\n  Stream map(int f) const;\n  void rare();\n private:\n  void inner();\n};\n"
        tree = {"client/api/thalweg/stream.h": header, "tests/unit/client/api/a_test.cc": "s.map(1);"}
        self.assert_refused(api_methods, tree)
        self.assert_fine(api_methods, {**tree, "examples/b.cc": "s.rare();"})
        self.assert_refused(api_methods, {**tree, "common/b.cc": "s.rare();"})


class MachinePathsTest(ChecksTest):
    def test_places_of_one_machine_are_refused(self):
        for fine, line in [
                (True, "the path is `${dir}" + "/work" + "/a.csv` or work/a.csv"), (True, "GET /jobs/7"),
                (False, "cd " + "/home" + "/someone"), (False, "'" + "/root" + "/x'"), (False, "file:" + "/work" + "/x")]:
            self.assertEqual(problems(machine_paths.check, {"a.txt": line}) == [], fine, line)


if __name__ == "__main__":
    unittest.main()
