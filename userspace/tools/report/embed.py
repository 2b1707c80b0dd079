#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""embed.py PAGE STYLE SCRIPT... : the page of a report as C.

The style and the scripts go into the page, and their hashes into its policy, so that a
browser runs these and nothing else. Where the page says {{summary}} and {{data}}, it is
cut: the tool writes these."""

import base64
import hashlib
import re
import sys
from pathlib import Path


def without_licence(text):
    """A page has one licence line; its parts need none."""
    return re.sub(r"^(//|/\*|<!--) SPDX[^\n]*\n", "", text)


def policy_hash(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def c_array(name, text):
    data = text.encode()
    lines = (",".join(str(byte) for byte in data[i:i + 32]) for i in range(0, len(data), 32))
    return f"const unsigned char {name}[] = {{\n" + ",\n".join(lines) + f"\n}};\nconst size_t {name}_size = {len(data)};\n"


def main():
    page, style, *scripts = (without_licence(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:])
    script = "'use strict';\n(() => {\n" + "\n".join(scripts) + "})();\n"
    page = page.replace("{{style-hash}}", policy_hash(style)).replace("{{script-hash}}", policy_hash(script))
    page = page.replace("{{style}}", style).replace("{{script}}", script)
    before, rest = page.split("{{summary}}")
    between, after = rest.split("{{data}}")
    print('/* Made by report/embed.py. */\n#include "page.h"\n')
    for name, text in (("page_before_summary", before), ("page_before_data", between), ("page_after_data", after)):
        print(c_array(name, text))


main()
