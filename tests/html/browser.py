# SPDX-License-Identifier: MIT
"""A headless Chromium, spoken to over a pipe by its DevTools protocol: each message is
JSON with a zero byte behind it."""

import base64
import json
import os
import shutil
import subprocess
import tempfile

PROGRAM = "chromium-headless-shell"
FLAGS = ["--remote-debugging-pipe", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--force-device-scale-factor=1",
         "--disable-background-networking", "--disable-dev-shm-usage", "--no-sandbox"]


class Browser:
    """One browser with one page. What the page logs and asks the network for is kept."""

    def __init__(self):
        if not shutil.which(PROGRAM):
            raise FileNotFoundError(f"{PROGRAM} is not installed: run tests/vm/setup")
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.to_write = os.pipe()
        self.from_read, from_write = os.pipe()
        # It wants to read from 3 and to write to 4.
        move = f"exec 3<&{to_read} 4>&{from_write}; exec \"$@\""
        self.process = subprocess.Popen(
            ["bash", "-c", move, "bash", PROGRAM, *FLAGS, f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=[to_read, from_write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(domain + ".enable")

    def read(self):
        """The next message."""
        while b"\0" not in self.buffer:
            piece = os.read(self.from_read, 1 << 16)
            if not piece:
                raise EOFError("the browser ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def send(self, method, **parameters):
        """Calls a method and returns its result; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read())

    def open(self, path, width=1100, height=900):
        """A file, with nothing kept of the page before."""
        self.size(width, height)
        self.events.clear()
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait_for("Page.loadEventFired")
        self.settle()

    def size(self, width, height, touch=False):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.send("Emulation.setTouchEmulationEnabled", enabled=touch)

    def scheme(self, name, media=""):
        self.send("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": name}])
        self.settle()

    def settle(self):
        """Until what is asked for has been drawn: two frames later."""
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def ask(self, expression):
        answer = self.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return answer["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1, buttons=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def key(self, key, text=None):
        extra = {"text": text} if text else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, **extra)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def screenshot(self, path, whole=False):
        clip = {}
        if whole:
            size = self.send("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1},
                    "captureBeyondViewport": True}
        data = base64.b64decode(self.send("Page.captureScreenshot", format="png", **clip)["data"])
        with open(path, "wb") as file:
            file.write(data)
        return data

    def pdf(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.send("Page.printToPDF", printBackground=False)["data"]))

    def complaints(self):
        """What the page logged as an error or a warning, and exceptions."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str([item.get("value") for item in parameters["args"]]))
            elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
        return found

    def requests(self):
        """What was asked for besides the page itself."""
        urls = [event["params"]["request"]["url"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return urls[1:]

    def close(self):
        try:
            self.send("Browser.close")
        except (RuntimeError, EOFError, OSError):
            self.process.terminate()
        self.process.wait()
        os.close(self.to_write)
        os.close(self.from_read)
        self.folder.cleanup()
