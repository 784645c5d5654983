"""The studio on the file of a list: what it shows without a script, and what axe finds."""

import os
import re
import signal
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from parts import states


@pytest.fixture
def studio(todo):
    """The address of a studio that shows the list of `todo`, with its token."""
    states(todo)
    process = subprocess.Popen(
        [os.environ["CROFT_STUDIO"], "--no-open", todo.path], env=todo.environment(),
        stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    yield process.stdout.readline().strip()
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    process.stdout.close()


@pytest.fixture
def open_studio(browser, studio):
    """Opens the studio in a browser window, which has the options of a Playwright context."""
    contexts = []

    def open_studio(**options):
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.goto(studio)
        # The page of the link continues by itself.
        expect(page.get_by_role("heading", name="list.croft")).to_be_visible()
        return page

    yield open_studio
    for context in contexts:
        context.close()


@pytest.mark.parametrize("look", ["light", "dark", "narrow"])
def test_axe_finds_nothing_in_the_studio(open_studio, look):
    page = open_studio(bypass_csp=True, **{
        "light": {}, "dark": {"color_scheme": "dark"},
        "narrow": {"viewport": {"width": 320, "height": 640}},
    }[look])

    def check(name):
        results = Axe().run(page)
        assert results.violations_count == 0, name + "\n" + results.generate_report()

    check("models")
    page.get_by_role("link", name="TodoItem", exact=True).click()
    grid = page.url
    check("grid")
    page.locator("a.object").first.click()
    check("object")
    page.goto(grid + "?query=tilte+%3D%3D+1")
    expect(page.get_by_role("alert")).to_be_visible()
    check("error")
    page.goto(grid + "/none")
    check("message")


def test_a_filter_needs_no_script(open_studio):
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(2)
    line = page.get_by_label("Filter, a condition")
    line.fill('title == "bread"')
    line.press("Enter")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile(r"/models/TodoItem\?query="))
    expect(line).to_have_value('title == "bread"')
    line.fill("tilte == 1")
    line.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("TodoItem has no property tilte")
    # The caret is below the name.
    assert alert.inner_text().split("\n")[2].index("^") == len("TodoItem where ")
    page.go_back()
    expect(rows).to_have_count(1)
    page.locator("a.object").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("TodoItem")
    page.locator("a.target").first.click()
    expect(page.get_by_role("heading", name="References to it")).to_be_visible()
