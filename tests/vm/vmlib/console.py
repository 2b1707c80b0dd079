# SPDX-License-Identifier: MIT
"""Reads the kernel's console for what must never appear there."""

import re
from pathlib import Path

PATTERN_FILE = Path(__file__).parent.parent / "guest" / "splats"
BEGINS = re.compile(r"drmfault test (\S+) begins")
QUOTED_LINES = 40


def patterns():
    """The same extended regular expressions that the guest gives to grep."""
    return re.compile("|".join(f"(?:{p})" for p in PATTERN_FILE.read_text().splitlines() if p))


class Splat:
    """One incident: where it happened and its lines."""

    def __init__(self, test):
        self.test = test
        self.lines = []


def scan(text, bad=None):
    """Returns the splats of a console log, each with the test it fell in."""
    bad = bad or patterns()
    splats, current, test = [], None, None
    for line in text.splitlines():
        line = line.rstrip("\r")
        mark = BEGINS.search(line)
        if mark:
            test, current = mark.group(1), None
        if current is None and bad.search(line):
            current = Splat(test)
            splats.append(current)
        if current is not None:
            current.lines.append(line)
            if len(current.lines) >= QUOTED_LINES:
                current = None
    return splats
