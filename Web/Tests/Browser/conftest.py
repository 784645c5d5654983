"""One list, the server that shows it, the prompt that changes it, and a browser."""

import http.client
import os
import pathlib
import re
import shutil
import signal
import subprocess
import threading

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from requirements import table

expect.set_options(timeout=10_000)


class List:
    """A store of its own, with the two programs that use it."""

    def __init__(self, folder):
        self.folder = folder
        self.path = str(folder / "list.croft")
        self.server = None
        self.port = 0
        self.variables = {}
        self.kept = None

    def environment(self):
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "en_US.UTF-8",
            "TODO_DB": self.path, "TODO_PRIORITY": "normal", **self.variables,
        }

    def prompt(self, *words):
        """Runs one command of the prompt."""
        run = subprocess.run(
            [os.environ["TODO_PROMPT"], *words], env=self.environment(), check=True, timeout=60,
            capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return run.stdout

    def add(self, *words):
        """Adds an item with the prompt; its short id."""
        return re.search(r"Added (\w+)", self.prompt("add", *words)).group(1)

    def start(self):
        """Starts the server, again at the same port; the address with the token."""
        self.server = subprocess.Popen(
            [os.environ["TODO_WEB"], "--no-open", "--port", str(self.port)],
            env=self.environment(), stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
            # Python ignores the signal for a file that must not grow, and so does the server.
            restore_signals=False)
        self.address = self.server.stdout.readline().strip()
        self.origin = self.address.split("/?")[0]
        self.port = int(self.origin.rsplit(":", 1)[1])
        self.kept = None
        return self.address

    def link(self):
        """A new link to the running server, for one more browser."""
        run = subprocess.run(
            [os.environ["TODO_WEB"], "--link", "--no-open"], env=self.environment(), check=True,
            timeout=60, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return run.stdout.strip()

    def stop(self, with_signal=signal.SIGINT):
        """Ends the server as ^C does; its exit code."""
        self.server.send_signal(with_signal)
        code = self.server.wait(20)
        self.server.stdout.close()
        self.server = None
        return code

    def restart(self, with_signal=signal.SIGINT, **variables):
        """Ends the server and starts it at the same port, with more variables of its process."""
        self.stop(with_signal)
        self.variables |= variables
        self.start()

    def connections(self):
        """How many clients are connected to the server.

        It is the kernel's count of established connections: one that its client has closed is
        not among them, though the server may have it open for a moment still.
        """
        established = "01"
        with open("/proc/net/tcp") as table:
            sockets = [line.split()[1:4] for line in table.readlines()[1:]]
        return sum(
            int(local.split(":")[1], 16) == self.port and state == established
            for local, _, state in sockets)

    @property
    def cookie(self):
        """The cookie for which the printed link is exchanged, as name and value."""
        if self.kept is None:
            answer = self.ask(path=self.address.removeprefix(self.origin), Cookie=None)
            assert answer.status == 200
            self.kept = answer.getheader("Set-Cookie").split(";")[0]
        return self.kept

    def ask(self, method="GET", path="/lists/all", body=None, **headers):
        """Sends one request with the cookie and, for a write, the server's own origin."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if "Cookie" not in headers:
            headers["Cookie"] = self.cookie
        if method != "GET":
            headers.setdefault("Origin", self.origin)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        sent = {name: value for name, value in headers.items() if value is not None}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        answer.bytes = answer.read()
        answer.text = answer.bytes.decode(errors="replace")
        connection.close()
        return answer


@pytest.fixture(scope="session")
def long_list(tmp_path_factory):
    """A list of 10,000 items, which tests copy."""
    made = List(tmp_path_factory.mktemp("long"))
    tasks = made.folder / "tasks.txt"
    tasks.write_text("".join(f"item {number}\n" for number in range(10_000)))
    made.prompt("import", str(tasks))
    tasks.unlink()
    return made


@pytest.fixture
def todo(request, tmp_path):
    if "long_page" in request.fixturenames:
        kept = request.getfixturevalue("long_list")
        for file in kept.folder.glob("list.croft*"):
            shutil.copy(file, tmp_path)
    made = List(tmp_path)
    made.start()
    yield made
    if made.server:
        made.stop()


def arguments():
    """The arguments of the browser: its sandbox does not start for root."""
    return ["--no-sandbox"] if os.geteuid() == 0 else []


class Chromium:
    """The browser of all tests, and a new one once it no longer answers."""

    def __init__(self, playwright):
        self.playwright = playwright
        self.mark = f"--todo-tests={os.getpid()}"
        self.running = None

    def browser(self):
        """The browser that runs, which is started if none does."""
        if not (self.running and self.running.is_connected()):
            self.running = self.playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=[*arguments(), self.mark])
        return self.running

    def close(self, context):
        """Closes a browser window, and ends the browser where that gives no answer within ten seconds.

        Chromium 156 does not answer the closing of one window in some hundred, in a few tests more
        often than in others. The test itself is over by then, so it has not failed.
        """
        limit = threading.Timer(10, self.kill)
        limit.start()
        try:
            context.close()
        except Error:
            if context.browser.is_connected():
                raise
        finally:
            limit.cancel()

    def kill(self):
        """Ends the browser, so that the call which waits for it fails; from any thread."""
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
                if self.mark.encode() in words:
                    os.kill(int(folder.name), signal.SIGKILL)
            except OSError:
                continue  # It has ended meanwhile.


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        made = Chromium(playwright)
        yield made
        made.browser().close()


@pytest.fixture
def browser(chromium):
    """The browser, which is ended if the test takes longer than any does.

    Chromium does not answer every call, and not all have a limit of time. When the browser is ended,
    the call fails with a TargetClosedError, and for that error alone pytest runs the test again.
    """
    made = chromium.browser()
    limit = threading.Timer(100, chromium.kill)
    limit.start()
    yield made
    limit.cancel()


@pytest.fixture
def open_page(chromium, browser, todo):
    """Opens a path in a browser window of its own, which has the options of a Playwright context."""
    contexts, errors = [], []

    def open_page(path="/lists/all", cookies=(), **options):
        context = browser.new_context(**options)
        contexts.append(context)
        name, value = todo.cookie.split("=", 1)
        context.add_cookies([
            {"name": name, "value": value, "url": todo.origin},
            *({"name": n, "value": v, "url": todo.origin} for n, v in cookies),
        ])
        made = context.new_page()
        made.on("pageerror", lambda error: errors.append(str(error)))
        # What a page may not load is told on its console, and nothing else has an address.
        made.on("console", lambda line: errors.append(line.text)
                if "Content Security Policy" in line.text else None)
        made.on("request", lambda sent: errors.append(sent.url)
                if not sent.url.startswith((todo.origin + "/", "data:", "blob:")) else None)
        made.goto(todo.origin + path)
        return made

    yield open_page
    for context in contexts:
        chromium.close(context)
    assert errors == []


@pytest.fixture
def page(open_page):
    return open_page()


@pytest.fixture
def long_page(page):
    """A page of 10,000 items."""
    expect(page.locator("#open .row").first).to_contain_text("item 0")
    return page


def pytest_terminal_summary(terminalreporter):
    """Prints the requirements of the page, each with the tests that show it and how they ended."""
    outcomes = {}
    for outcome in ["passed", "skipped", "failed", "error"]:
        for report in terminalreporter.stats.get(outcome, []):
            name = getattr(report, "nodeid", "").split("::")[-1].split("[")[0]
            # Of several cases the worst one counts, and they come in this order.
            outcomes[name] = outcome
    terminalreporter.section("Requirements of the page")
    for line in table(outcomes):
        terminalreporter.write_line(line)
