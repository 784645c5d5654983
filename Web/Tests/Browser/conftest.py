"""One list, the server that shows it, the prompt that changes it, and a browser."""

import os
import re
import shutil
import signal
import subprocess

import pytest
from playwright.sync_api import expect, sync_playwright

expect.set_options(timeout=10_000)


class List:
    """A store of its own, with the two programs that use it."""

    def __init__(self, folder):
        self.folder = folder
        self.path = str(folder / "list.croft")
        self.server = None
        self.port = 0

    def environment(self):
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.folder), "LANG": "en_US.UTF-8",
            "TODO_DB": self.path, "TODO_PRIORITY": "normal",
        }

    def prompt(self, *words):
        """Runs one command of the prompt."""
        run = subprocess.run(
            [os.environ["TODO_PROMPT"], *words], env=self.environment(), check=True, timeout=60,
            capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return run.stdout

    def add(self, *words):
        """Adds an item with the prompt; its short id."""
        return re.match(r"Added (\w+):", self.prompt("add", *words)).group(1)

    def start(self):
        """Starts the server, again at the same port; the address with the token."""
        self.server = subprocess.Popen(
            [os.environ["TODO_WEB"], "--no-open", "--port", str(self.port)],
            env=self.environment(), stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        self.address = self.server.stdout.readline().strip()
        self.origin = self.address.split("/?")[0]
        self.port = int(self.origin.rsplit(":", 1)[1])
        return self.address

    def link(self):
        """A new link to the running server, for one more browser."""
        run = subprocess.run(
            [os.environ["TODO_WEB"], "--link", "--no-open"], env=self.environment(), check=True,
            timeout=60, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return run.stdout.strip()

    def stop(self):
        """Ends the server as ^C does."""
        self.server.send_signal(signal.SIGINT)
        code = self.server.wait(20)
        self.server.stdout.close()
        self.server = None
        return code


@pytest.fixture
def todo(tmp_path):
    made = List(tmp_path)
    made.start()
    yield made
    if made.server:
        made.stop()


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield made
        made.close()


@pytest.fixture
def page(browser, todo):
    context = browser.new_context()
    made = context.new_page()
    errors = []
    made.on("pageerror", lambda error: errors.append(str(error)))
    made.goto(todo.link())
    yield made
    context.close()
    assert errors == []
