# SPDX-License-Identifier: MIT
"""Counts the points of TAP and KTAP, nested or flat."""

import re

POINT = re.compile(r"^(\s*)(not )?ok\b\s*(\d+)?\s*(.*)$")
PLAN = re.compile(r"^1\.\.(\d+)\s*(#\s*skip\b.*)?", re.I)
SKIP = re.compile(r"#\s*skip\b", re.I)
TODO = re.compile(r"#\s*todo\b", re.I)
UNTESTED = re.compile(r"#\s*skip untested kernel\b", re.I)
EXIT_SKIP = 4
EXIT_TIMEOUT = (124, 137)


class Counts:
    """How many points passed, failed and were skipped, and which failed."""

    def __init__(self):
        self.passed = self.failed = self.skipped = 0
        self.failures = []
        # A table of what is expected lacks this kernel.
        self.untested = False

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.failures += other.failures
        self.untested |= other.untested

    def fail(self, what):
        self.failed += 1
        self.failures.append(what)

    def __str__(self):
        return (f"{self.passed} ok, {self.failed} bad, {self.skipped} skipped" +
                (", untested kernel" if self.untested else ""))


class Test:
    """One test program: feed() it its lines, then finish() with its status."""

    def __init__(self, name):
        self.name = name
        self.counts = Counts()
        self.plan = None
        self.points = 0
        self.skip_all = False
        self.nested_bad = False
        self.nested = 0
        self.splat = []

    def feed(self, line):
        plan = PLAN.match(line)
        if plan and self.plan is None:
            self.plan = int(plan.group(1))
            self.skip_all = bool(plan.group(2))
        point = POINT.match(line)
        if point:
            self._point(len(point.group(1)) > 0, bool(point.group(2)), point.group(4))

    def _point(self, nested, bad, text):
        """A point that sums up nested ones counts only by what they did not say."""
        if not nested:
            self.points += 1
            summary, summary_bad = self.nested > 0, self.nested_bad
            self.nested, self.nested_bad = 0, False
            if summary and (not bad or summary_bad):
                return
        else:
            self.nested += 1
            self.nested_bad |= bad and not TODO.search(text)
        if SKIP.search(text):
            self.counts.skipped += 1
            self.counts.untested |= bool(UNTESTED.search(text))
        elif bad and not TODO.search(text):
            self.counts.fail(f"{self.name}: {text.strip()}")
        else:
            self.counts.passed += 1

    def finish(self, status):
        """The exit status may say more than the points did."""
        counts = self.counts
        if self.splat:
            counts.fail(f"{self.name}: kernel log")
        if status is None:
            counts.fail(f"{self.name}: the machine stopped during it")
        elif status in EXIT_TIMEOUT:
            counts.fail(f"{self.name}: time limit")
        elif status == EXIT_SKIP or self.skip_all:
            counts.skipped += 0 if self.points else 1
        elif status != 0 and not counts.failed:
            counts.fail(f"{self.name}: exit status {status}")
        elif status == 0 and not self.points and self.plan is None:
            counts.passed += 1
        if status in (0, 1) and self.plan is not None and not self.skip_all and self.plan != self.points:
            counts.fail(f"{self.name}: planned {self.plan} points, saw {self.points}")
        return counts
