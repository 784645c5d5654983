"""Measures how long a commit takes to the screen of a page, and how many bytes it sends.

It prints a table. A commit of the prompt counts from its printed answer, which follows the commit, and one of
a second tab from the moment in which that sends its form, which the commit follows. The time ends with the
first frame in which the page shows the row.
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


class Prompt:
    """Changes titles by the prompt, which runs all the time."""

    def __init__(self, todo, context):
        self.process = subprocess.Popen(
            [os.environ["TODO_PROMPT"]], env=todo.environment(), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, bufsize=1)

    def retitle(self, id, wanted):
        """Changes a title; the time of the commit in milliseconds, or a little later."""
        self.process.stdin.write(f"edit {id[-10:]} {wanted}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()
        return time.time() * 1000

    def close(self):
        self.process.stdin.close()
        self.process.wait(10)


class Tab:
    """Changes titles by another page."""

    def __init__(self, todo, context):
        self.page = context.new_page()
        self.page.goto(todo.origin)
        self.titles = {}

    def retitle(self, id, wanted):
        """Changes a title; when the form was sent, in milliseconds."""
        was = self.titles.get(id) or self.page.locator(f"#item-{id} .title").text_content()
        self.titles[id] = wanted
        return self.page.evaluate("""async (fields) => {
          const sent = performance.timeOrigin + performance.now();
          const answer = await fetch("/actions", { method: "POST",
            headers: { Accept: "application/json" }, body: new URLSearchParams(fields) });
          if (!answer.ok) throw new Error(await answer.text());
          return sent;
        }""", {"action": "retitle", "id": id, "text": wanted, "was": was})

    def close(self):
        self.page.close()


def measure(browser, count, writer):
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
    writes = writer(todo, context)
    # Frames are made of the page in front alone.
    page.bring_to_front()
    changes, frames, sizes = [], [], []
    for number in range(SAMPLES):
        wanted = f"changed {number}"
        page.evaluate("(wanted) => { window.shown = null; window.wanted = wanted; }", wanted)
        committed = writes.retitle(ids[number % 10], wanted)
        shown = page.wait_for_function("() => window.shown", timeout=10_000).json_value()
        changes.append(shown[0] - committed)
        frames.append(shown[1] - committed)
        sizes.append(events.read())
    writes.close()
    context.close()
    todo.stop()
    shutil.rmtree(folder, ignore_errors=True)
    return changes, frames, sizes


def row(values):
    ordered = sorted(values)
    return f"{statistics.median(ordered):.1f} | {ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]:.1f}"


def main():
    print(f"{SAMPLES} commits for each length, {os.cpu_count()} cores, {platform.machine()}.\n")
    print("| Items | Changed by | Row changed, median ms | p99 | On the screen, median ms | p99 | Bytes, median |")
    print("|---|---|---|---|---|---|---|")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments())
        for count in SIZES:
            for name, writer in [("the prompt", Prompt), ("a second tab", Tab)]:
                changes, frames, sizes = measure(browser, count, writer)
                print(f"| {count:,} | {name} | {row(changes)} | {row(frames)} | {statistics.median(sizes):.0f} |")
                sys.stdout.flush()
        browser.close()


main()
