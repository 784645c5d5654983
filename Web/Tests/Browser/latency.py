"""Measures how long a commit of the prompt takes to the screen, and how many bytes it sends.

It prints a table. The time begins when the prompt has printed its answer, which it does after the commit,
and ends with the first frame in which the page shows the row.
"""

import http.client
import os
import pathlib
import platform
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from conftest import List, arguments

SIZES = [10, 1_000, 10_000]
SAMPLES = int(os.environ.get("SAMPLES", "100"))

# Notes when the text that is waited for is in a row, and the frame after that.
WATCH = """
  window.shown = null;
  const origin = performance.timeOrigin;
  new MutationObserver(() => {
    const wanted = window.wanted;
    if (!wanted || window.shown) return;
    const titles = document.querySelectorAll("#open .row:nth-child(-n+20) .title");
    if (![...titles].some((title) => title.textContent.trim() === wanted)) return;
    const changed = origin + performance.now();
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.shown = [changed, origin + performance.now()];
    }));
  }).observe(document.getElementById("open"), { childList: true, subtree: true });
"""


class Events:
    """A second reader of the page's events, which counts their bytes."""

    def __init__(self, todo):
        connection = http.client.HTTPConnection("127.0.0.1", todo.port)
        connection.request("GET", todo.link().removeprefix(todo.origin))
        answer = connection.getresponse()
        cookie = answer.getheader("Set-Cookie").split(";")[0]
        self.socket = socket.create_connection(("127.0.0.1", todo.port))
        self.socket.sendall(
            f"GET /lists/all/events HTTP/1.1\r\nHost: 127.0.0.1:{todo.port}\r\n"
            f"Cookie: {cookie}\r\n\r\n".encode())
        self.socket.settimeout(0.3)
        self.read()

    def read(self):
        """How many bytes have come since the last call."""
        count = 0
        try:
            while data := self.socket.recv(1 << 20):
                # Comments show only that the connection is there.
                count += 0 if data.endswith(b": beat\n\n\r\n") and len(data) < 20 else len(data)
        except TimeoutError:
            return count


def measure(browser, count):
    """The milliseconds to the change and to the frame, and the bytes, for a list of a length."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="todo-latency-"))
    todo = List(folder)
    (folder / "tasks.txt").write_text("".join(f"item {number}\n" for number in range(count)))
    todo.prompt("import", str(folder / "tasks.txt"))
    todo.start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(todo.address)
    page.wait_for_function("() => document.querySelectorAll('#open .row').length >= 10")
    page.evaluate(WATCH)
    ids = page.eval_on_selector_all("#open .row", "rows => rows.slice(0, 10).map((row) => row.dataset.id)")
    events = Events(todo)
    prompt = subprocess.Popen(
        [os.environ["TODO_PROMPT"]], env=todo.environment(), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True, bufsize=1)
    changes, frames, sizes = [], [], []
    for number in range(SAMPLES):
        wanted = f"changed {number}"
        page.evaluate("(wanted) => { window.shown = null; window.wanted = wanted; }", wanted)
        prompt.stdin.write(f"edit {ids[number % 10][-10:]} {wanted}\n")
        prompt.stdin.flush()
        prompt.stdout.readline()
        committed = time.time() * 1000
        shown = page.wait_for_function("() => window.shown", timeout=10_000).json_value()
        changes.append(shown[0] - committed)
        frames.append(shown[1] - committed)
        sizes.append(events.read())
    prompt.stdin.close()
    prompt.wait(10)
    context.close()
    todo.stop()
    shutil.rmtree(folder, ignore_errors=True)
    return changes, frames, sizes


def row(values):
    ordered = sorted(values)
    return f"{statistics.median(ordered):.1f} | {ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]:.1f}"


def main():
    print(f"{SAMPLES} commits for each length, {os.cpu_count()} cores, {platform.machine()}.\n")
    print("| Items | Row changed, median ms | p99 | On the screen, median ms | p99 | Bytes, median |")
    print("|---|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments())
        for count in SIZES:
            changes, frames, sizes = measure(browser, count)
            print(f"| {count:,} | {row(changes)} | {row(frames)} | {statistics.median(sizes):.0f} |")
            sys.stdout.flush()
        browser.close()


main()
