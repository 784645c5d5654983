"""What the four to-do apps ask of a page in the browser, and the tests that show it.

A test is named by the numbers of its requirements: `test_S000_07_S002_06_...`.
"""

import pathlib
import re

ASKED = {
    "S000-01": "a form makes a group",
    "S000-02": "a group is changed in its form: name, colour, picture",
    "S000-03": "a dialog that names the group and its items comes before its deletion",
    "S000-04": "a row adds an item to a group",
    "S000-05": "a title is edited in place",
    "S000-06": "a button deletes, and a toast takes it back",
    "S000-07": "a check box",
    "S000-08": "dragging, and keys for up and down",
    "S000-09": "a ring of progress, which moves unless motion is to be reduced",
    "S000-10": "pictures of the store, fetched by the server",
    "S000-11": "a field for a colour",
    "S000-12": "groups as grid or list, kept in the address",
    "S000-13": "light and dark, by the system or by choice",
    "S000-14": "a picture and a button where there is nothing",
    "S000-15": "navigation between lists, details and editing",
    "S000-16": "one message at a time for what a new group lacks",
    "S000-17": "views are HTML",
    "S000-18": "handlers of routes",
    "S000-20": "the first paint comes from the server",
    "S000-21": "answers and events come after the commit",
    "S000-30": "actions reach their listener",
    "S000-32": "nothing listens after a page is closed",
    "S000-36": "each event is one POST",
    "S000-37": "the key of the pictures stays with the server",
    "S002-01": "a form with a priority adds an item",
    "S002-02": "an item without a title is refused with 422",
    "S002-03": "an item without a priority is refused with 422, after the title",
    "S002-04": "errors and successes are told",
    "S002-05": "a priority has a colour and a word",
    "S002-06": "done titles are crossed out",
    "S002-07": "single items are deleted in the mode for editing",
    "S002-08": "all items are deleted once their number was typed",
    "S002-09": "leaving that mode shows what remains, without another page",
    "S002-10": "items survive the server",
    "S002-11": "a picture where there are no items",
    "S002-15": "the page follows the store",
    "S003-02": "the important list is pinned, and nothing is added or renamed there",
    "S003-04": "the body of a POST is one intent",
    "S003-05": "a state is rendered",
    "S003-08": "two sections, the second of which can be closed",
    "S003-09": "a button for the star",
    "S003-10": "a dialog makes and changes items",
    "S003-11": "groups are made, renamed and deleted",
    "S003-12": "what was swiped is what is deleted, if nothing changed meanwhile",
    "S003-13": "an alert that can be dismissed",
    "S003-16": "a dialog closes by Escape and by a press outside, and takes no gesture from others",
    "S004-01": "a template for each page",
    "S004-02": "a path that says where one is",
    "S004-03": "views are HTML",
    "S004-04": "the reserved name is refused with 409",
    "S004-05": "requests do not block reads",
    "S004-06": "two forms of one item: what conflicts is 409, the rest is merged",
    "S004-07": "the server and the prompt work together",
    "S004-08": "orders by links",
    "S004-09": "server-sent events carry the changes",
    "S004-10": "counts",
    "S004-11": "errors have statuses and JSON",
    "S004-12": "the name that was stored is shown",
    "S004-13": "the question before a group's deletion says how many items it has",
    "S004-14": "one dialog in two modes",
    "S004-16": "what cannot be done is hidden",
    "S004-17": "a row has title, box and star",
}


def tests():
    """The names of the tests of each requirement."""
    found = {}
    for path in sorted(pathlib.Path(__file__).parent.glob("test_*.py")):
        for name in re.findall(r"^def (test_S\w+)\(", path.read_text(), re.M):
            for number in re.findall(r"S\d{3}_\d{2}", name):
                found.setdefault(number.replace("_", "-"), []).append(name)
    return found


def table(outcomes):
    """The requirements as lines, each with its tests and their outcomes: `not run` without one."""
    found = tests()
    def told(name):
        return f"{name} ({outcomes.get(name, 'not run')})"
    return [f"{number} | {words} | {', '.join(map(told, found.get(number, []))) or 'open'}"
            for number, words in ASKED.items()]

