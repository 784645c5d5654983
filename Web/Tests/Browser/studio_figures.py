"""Measures the studio on a store of many to-dos, and prints a table of milliseconds: the median and the greatest.

The store is made of lines of JSON, by the shell; one to-do of the prompt gives the models.
"""

import http.client
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
import urllib.parse
import uuid

OBJECTS = int(os.environ.get("OBJECTS", "1000000"))
SAMPLES = int(os.environ.get("SAMPLES", "20"))


def make(folder):
    """A store of as many to-dos as are wanted, in three groups; its path."""
    small, large = str(folder / "small.croft"), str(folder / "large.croft")
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "en_US.UTF-8", "TODO_DB": small,
        "TODO_PRIORITY": "normal"}

    def prompt(*words):
        subprocess.run(
            [os.environ["TODO_PROMPT"], *words], env=environment, check=True, capture_output=True,
            stdin=subprocess.DEVNULL)

    groups = ["home", "work", "garden"]
    for name in groups:
        prompt("group", "add", name)
    for name in groups:
        prompt("add", "bread", "@" + name)
    dump = subprocess.run(
        [os.environ["CROFT"], "dump", small], check=True, capture_output=True, text=True).stdout
    head, *lines, _ = dump.splitlines()
    objects = [json.loads(line) for line in lines]
    kept = [line for line, value in zip(lines, objects) if "TodoItem" in value or "TodoGroup" in value]
    items = [value["TodoItem"] for value in objects if "TodoItem" in value]
    others = [line for line in kept if "TodoItem" not in json.loads(line)]
    load = subprocess.Popen(
        [os.environ["CROFT"], "load", large], stdin=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL)
    load.stdin.write("\n".join([head, *others]) + "\n")
    for number in range(OBJECTS):
        item = dict(items[number % len(items)])
        item["id"] = str(uuid.UUID(int=number)).upper()
        item["title"] = f"item {number}"
        item["isDone"] = number % 5 == 0
        load.stdin.write(json.dumps({"TodoItem": item}) + "\n")
    load.stdin.write(json.dumps({"$croft": {"objects": OBJECTS + len(others)}}) + "\n")
    load.stdin.close()
    assert load.wait() == 0
    return large


class Studio:
    """A studio of a file, and a browser that it has let in."""

    def __init__(self, path, folder):
        environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "en_US.UTF-8"}
        start = time.perf_counter()
        self.process = subprocess.Popen(
            [os.environ["CROFT_STUDIO"], "--no-open", path], env=environment,
            stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        address = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.started = (time.perf_counter() - start) * 1e3
        self.host = address.netloc
        self.cookie = None
        answer = self.ask(f"{address.path}?{address.query}")
        self.cookie = answer.getheader("Set-Cookie").split(";")[0]

    def ask(self, path):
        connection = http.client.HTTPConnection(self.host, timeout=120)
        connection.request("GET", path, headers={"Cookie": self.cookie} if self.cookie else {})
        answer = connection.getresponse()
        answer.count = len(answer.read())
        connection.close()
        return answer

    def measure(self, name, paths, samples=SAMPLES):
        """Asks for pages, one after the other, and prints a line."""
        times = []
        for sample in range(samples):
            start = time.perf_counter()
            answer = self.ask(paths[sample % len(paths)])
            times.append((time.perf_counter() - start) * 1e3)
            assert answer.status == 200, (name, answer.status)
        print(f"| {name} | {statistics.median(times):.1f} | {max(times):.1f} |", flush=True)
        return answer

    @property
    def memory(self):
        """The memory of the process that is its own and not that of files, in MB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            line = next(line for line in status if line.startswith("RssAnon"))
        return int(line.split()[1]) / 1024


def filtered(condition):
    return "/models/TodoItem?query=" + urllib.parse.quote(condition)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    path = make(folder)
    print(f"\n{OBJECTS:,} to-dos, {os.path.getsize(path) / 1e6:.0f} MB\n")
    print("| | median ms | greatest |\n|---|---|---|")
    studio = Studio(path, folder)
    print(f"| from the start to the address | {studio.started:.1f} | |")
    keys = [str(uuid.UUID(int=OBJECTS * part // 20)) for part in range(20)]
    studio.measure("models", ["/"])
    studio.measure("first page", ["/models/TodoItem"])
    studio.measure("a page by key", ["/models/TodoItem?after=" + key for key in keys])
    studio.measure("filter that most match", [filtered("isDone == false")])
    studio.measure("filter by text that all match", [filtered('title contains "item"')])
    studio.measure("filter that the last one matches", [filtered(f'title == "item {OBJECTS - 1}"')], 5)
    studio.measure("filter by text that the last one matches", [filtered(f'title endsWith "m {OBJECTS - 1}"')], 5)
    studio.measure("count of a filter", [filtered('title contains "item"').replace("?", "/count?")], 5)
    studio.measure("values to filter by", ["/models/TodoItem/facets"], 5)
    before = studio.memory
    answer = studio.measure("export as CSV", ["/models/TodoItem/export/csv"], 1)
    print(f"\nThe export has {answer.count / 1e6:.0f} MB; memory grew by {studio.memory - before:.0f} MB.")
    studio.process.terminate()
    studio.process.wait()
