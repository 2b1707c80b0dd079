# SPDX-License-Identifier: MIT
"""Finds the tests of a build and the settings of their areas.

A test is AREA/NAME: an executable NAME.sh or program NAME in selftests/AREA.
The file `settings` of an area may hold, one `key=value` a line:
  timeout=SECONDS   limit of each of its tests (300)
  helpers=A B       programs there that are no tests
  init=systemd      boot all of systemd for them
  qemu=ARGUMENTS    more of QEMU's arguments
  append=WORDS      more of the kernel's command line
  kernels=6.12 7    the only kernels they run on
A line NAME.key=value is for that test alone, but for helpers.
"""

import fnmatch
import os
import shlex
from pathlib import Path

DEFAULT_LIMIT_S = 300
GUEST_DIR = "/drmfault/selftests"


class Area:
    def __init__(self, path):
        self.path = Path(path)
        self.settings = {}
        file = self.path / "settings"
        for line in file.read_text().splitlines() if file.exists() else []:
            key, equals, value = line.partition("=")
            if equals and not key.lstrip().startswith("#"):
                self.settings[key.strip()] = value.strip()

    def get(self, key, default=""):
        return self.settings.get(key, default)

    def tests(self):
        """Yields (name, file name); a script hides the program of its name."""
        found = {}
        helpers = self.get("helpers").split()
        for file in sorted(self.path.iterdir()):
            if not file.is_file() or not os.access(file, os.X_OK):
                continue
            if file.suffix in ("", ".sh") and file.stem not in helpers:
                if file.stem not in found or file.suffix == ".sh":
                    found[file.stem] = file.name
        return sorted(found.items())


class Test:
    def __init__(self, area, name, file):
        self.area = area
        self.short_name = name
        self.name = f"{area.path.name}/{name}"
        self.limit = int(self.get("timeout") or DEFAULT_LIMIT_S)
        self.guest_path = f"{GUEST_DIR}/{area.path.name}/{file}"

    def get(self, key):
        return self.area.get(f"{self.short_name}.{key}", self.area.get(key))

    def boot(self):
        """Tests with the same answer share one boot."""
        return (self.get("init") or "quick", tuple(shlex.split(self.get("qemu"))),
                tuple(self.get("append").split()))

    def runs_on(self, version):
        only = self.get("kernels").split()
        return not only or any(version.startswith(k) for k in only)

def matches(name, pattern):
    return fnmatch.fnmatch(name, pattern) or name.startswith(pattern.rstrip("/") + "/") or pattern in name


def find(selftests, pattern):
    """All tests below `selftests` whose name matches `pattern`."""
    base = Path(selftests)
    areas = [Area(d) for d in sorted(base.iterdir()) if d.is_dir()] if base.is_dir() else []
    tests = [Test(a, name, file) for a in areas for name, file in a.tests()]
    return [t for t in tests if not pattern or matches(t.name, pattern)]
