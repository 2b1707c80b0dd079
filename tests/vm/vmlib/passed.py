# SPDX-License-Identifier: MIT
"""Remembers tests that take minutes and passed, until something they use changes."""

import hashlib
from pathlib import Path

from . import tap


class Passed:
    """What passed of one build on one kernel: a file for each test."""

    def __init__(self, build, root, version):
        self.source = Path(build) / "payload" / "src"
        self.folder = Path(build) / "passed"
        self.root, self.version = root, version

    def _file(self, test):
        return self.folder / f"{test.name.replace('/', '.')}.{self.version}"

    def _key(self, test):
        """Names the state of what the test is said to use."""
        state = hashlib.sha256(str(self.root.path).encode())
        for glob in test.inputs():
            state.update(f"\n{glob}".encode())
            for file in sorted(self.source.glob(glob)):
                if file.is_file():
                    state.update(f"\n{file} {file.stat().st_mode:o}\n".encode() + file.read_bytes())
        return state.hexdigest()

    def recall(self, test):
        """The counts with which it passed, None if it has to run."""
        file = self._file(test)
        words = file.read_text().split() if test.inputs() and file.exists() else []
        if words[:1] != [self._key(test)]:
            return None
        counts = tap.Counts()
        counts.passed, counts.skipped = map(int, words[1:])
        return counts

    def keep(self, test, counts):
        if test.inputs() and not counts.failed:
            self.folder.mkdir(exist_ok=True)
            self._file(test).write_text(f"{self._key(test)} {counts.passed} {counts.skipped}\n")
