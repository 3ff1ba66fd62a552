"""A headless Chromium driven over its DevTools protocol; no driver and no npm."""

from __future__ import annotations

import base64
import json
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import websocket

#: Seconds after which a browser that does not answer has failed.
PATIENCE = 300

#: The middle of the first element that fits a selector, in pixels of what is in view.
_MIDDLE = """selector => {
  const r = document.querySelector(selector).getBoundingClientRect();
  return [r.x + r.width / 2, r.y + r.height / 2];
}"""

#: Whether an element, scrolled into view, stays there for two frames and is what a click would hit.
_SETTLED = f"""async selector => {{
  const e = document.querySelector(selector), middle = {_MIDDLE};
  e.scrollIntoView({{block: 'center', behavior: 'instant'}});
  const before = String(middle(selector));
  const frame = () => new Promise(requestAnimationFrame);
  await frame(); await frame();
  const hit = document.elementFromPoint(...middle(selector));
  const inside = e.contains(hit) || hit?.closest('label')?.control === e;
  return inside && String(middle(selector)) === before;
}}"""


class Page:
    """One open tab: commands go out, events pile up in ``events``."""

    def __init__(self, url: str) -> None:
        self._socket = websocket.create_connection(url, timeout=PATIENCE, suppress_origin=True)
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a command and wait for its result."""
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._last:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return dict(message["result"])
            self.events.append(message)

    def open(self, path: Path) -> None:
        """Load a local file and wait until it is complete."""
        for domain in ("Page", "Runtime", "Log", "Network", "Security"):
            self.call(f"{domain}.enable")
        loaded = len(self.named("Page.loadEventFired"))  # of pages before this one
        self.call("Page.navigate", url=path.resolve().as_uri())
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            complete = self.run("document.readyState") == "complete"
            if complete and len(self.named("Page.loadEventFired")) > loaded:
                return
            time.sleep(0.05)
        raise TimeoutError(f"{path} did not load")

    def run(self, script: str) -> Any:
        """Value of a JavaScript expression in the page; the page's CSP does not apply."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)  # fmt: skip
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until a JavaScript expression is true."""
        deadline = time.monotonic() + PATIENCE
        while not self.run(script):
            if time.monotonic() > deadline:
                raise TimeoutError(script)
            time.sleep(0.05)

    def named(self, method: str) -> list[dict[str, Any]]:
        """Parameters of the events of one kind so far."""
        return [e["params"] for e in self.events if e.get("method") == method]

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that fits, with a real mouse event.

        Parts of the page that are only laid out once they are near move others while it scrolls:
        the element is hit where it stands still and nothing lies over it.
        """
        self.wait(f"({_SETTLED})({json.dumps(selector)})")
        spot = self.run(f"({_MIDDLE})({json.dumps(selector)})")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1],
                      button="left", clickCount=1)  # fmt: skip

    def key(self, name: str, code: int) -> None:
        """Press and release a key, e.g. ``key("Tab", 9)``."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=code)  # fmt: skip

    def screenshot(self) -> bytes:
        """PNG of what is in view."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


@contextmanager
def browser(executable: str, profile: Path) -> Iterator[Page]:
    """A fresh headless browser with one empty tab; ended when the block ends."""
    command = [
        executable, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--window-size=1280,900", "--remote-debugging-port=0", f"--user-data-dir={profile}",
        "about:blank",
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port_file = profile / "DevToolsActivePort"
        deadline = time.monotonic() + PATIENCE
        while not (port_file.is_file() and port_file.read_text().count("\n")):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{command[0]} did not start (exit code {process.poll()})")
            time.sleep(0.05)
        port = port_file.read_text().split("\n")[0]
        yield Page(_tab(port))
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _tab(port: str) -> str:
    """WebSocket address of the first tab."""
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list", timeout=PATIENCE) as reply:
        tabs = json.load(reply)
    return str(next(t["webSocketDebuggerUrl"] for t in tabs if t["type"] == "page"))
