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
def studio(todo, request):
    """The address of a studio that shows the list of `todo`, with its token.

    A parameter that is indirect has more arguments of it.
    """
    states(todo)
    arguments = getattr(request, "param", [])
    process = subprocess.Popen(
        [os.environ["CROFT_STUDIO"], "--no-open", *arguments, todo.path], env=todo.environment(),
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
    page.goto(grid)
    expect(page.locator("#facets h3").first).to_be_visible()
    check("grid with values")
    page.goto(grid + "/facets")
    check("values")
    page.goto(grid + "/count?query=title+contains+%22b%22")
    expect(page.locator("#found")).to_have_text("1")
    check("count")
    page.goto(grid + "?query=tilte+%3D%3D+1")
    expect(page.get_by_role("alert")).to_be_visible()
    check("error")
    page.goto(grid + "/none")
    check("message")
    page.goto(grid.split("/models")[0] + "/schema")
    expect(page.get_by_role("img", name="The models as boxes")).to_be_visible()
    check("schema")
    page.goto(grid.split("/models")[0] + "/health")
    check("health")
    page.get_by_role("button", name="Check the store").click()
    expect(page.get_by_role("status")).to_contain_text("The store is sound")
    check("checked")


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
    expect(alert.locator("mark")).to_have_text("tilte")
    page.go_back()
    expect(rows).to_have_count(1)
    page.locator("a.object").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("TodoItem")
    page.locator("a.target").first.click()
    expect(page.get_by_role("heading", name="References to it")).to_be_visible()


WRITES = pytest.mark.parametrize("studio", [["--write"]], indirect=True)


@WRITES
def test_objects_are_edited_without_a_script(open_studio):
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.get_by_role("link", name="Edit these objects").click()
    titles = page.get_by_label("title string")
    expect(titles).to_have_count(2)
    titles.first.fill("우유, 둘째 줄")
    titles.last.fill("both")
    page.get_by_role("button", name="Review").click()
    expect(page.get_by_role("heading", name="Review")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(2)
    expect(page.locator("tbody")).to_contain_text("우유, 둘째 줄")
    page.get_by_role("button", name="Commit").click()
    expect(page.get_by_role("status")).to_have_text("Committed: change of 2 objects.")
    expect(page.locator("tbody")).to_contain_text("both")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("status")).to_have_text("Undone: change of 2 objects.")
    expect(page.locator("tbody")).not_to_contain_text("both")
    # Reloading repeats nothing.
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(2)
    page.locator("a.object").first.click()
    expect(page.get_by_role("heading", name="Values")).to_be_visible()
    expect(page.get_by_role("status")).to_have_count(0)


@WRITES
def test_axe_finds_nothing_in_the_forms_of_the_studio(open_studio):
    page = open_studio(bypass_csp=True)

    def check(name):
        results = Axe().run(page)
        assert results.violations_count == 0, name + "\n" + results.generate_report()

    page.get_by_role("link", name="TodoItem", exact=True).click()
    grid = page.url
    check("grid")
    page.locator("a.object").first.click()
    check("object")
    item = page.url
    page.goto(item + "/delete")
    check("delete")
    page.goto(grid + "/new")
    check("new")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    check("new, refused")
    page.goto(item + "/edit")
    check("edit")
    stale = page.context.new_page()
    stale.goto(item + "/edit")
    page.get_by_label("title string").fill("mine")
    page.get_by_role("button", name="Review").click()
    check("review")
    page.get_by_role("button", name="Commit").click()
    expect(page.get_by_role("status")).to_be_visible()
    check("committed")
    stale.get_by_label("title string").fill("theirs")
    stale.get_by_role("button", name="Review").click()
    expect(stale.get_by_role("alert")).to_be_visible()
    results = Axe().run(stale)
    assert results.violations_count == 0, results.generate_report()
    stale.get_by_label("Choice for title").select_option("Keep mine")
    stale.get_by_role("button", name="Review").click()
    stale.get_by_role("button", name="Commit").click()
    expect(stale.get_by_role("status")).to_contain_text("Committed")


def test_a_header_sorts(open_studio):
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    header = page.get_by_role("columnheader", name="title string")
    first = page.locator("tbody tr").first
    header.get_by_role("link").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    least = first.inner_text()
    header.get_by_role("link").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    assert first.inner_text() != least
    expect(page).to_have_url(re.compile(r"sort=title%20desc"))


def test_a_column_is_made_wider_at_its_corner(open_studio, todo):
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    column = page.get_by_role("columnheader", name="title string").locator(".column")
    assert column.evaluate("column => getComputedStyle(column).resize") == "horizontal"
    # What the corner does: a drag of it in a browser without a window does not end.
    column.evaluate("column => { column.style.width = '700px' }")
    cell = page.get_by_role("cell", name="bread", exact=True)
    assert cell.bounding_box()["width"] >= 700
    # It was lost at the next commit, and on the next page.
    todo.add("butter")
    expect(page.locator("#shown tbody tr")).to_have_count(3)
    assert cell.bounding_box()["width"] >= 700
    page.get_by_role("columnheader", name="title string").get_by_role("link").click()
    expect(page).to_have_url(re.compile("sort=title"))
    expect(page.get_by_role("columnheader", name="title string")).to_have_attribute("aria-sort", "ascending")
    assert cell.bounding_box()["width"] >= 700


def test_korean_breaks_between_words_in_a_cell(open_studio, todo):
    todo.add("바나나우유와 통밀빵 그리고 아주 긴 이름의 물건들을 사 오기 " * 4)
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    cell = page.get_by_role("cell", name=re.compile("바나나우유와"))
    box = cell.bounding_box()
    line = cell.evaluate("cell => parseFloat(getComputedStyle(cell).lineHeight)")
    assert box["height"] > 2 * line and box["width"] < 600
    assert cell.evaluate("cell => getComputedStyle(cell).wordBreak") == "keep-all"


def test_values_to_filter_by_come_after_the_page(open_studio):
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    values = page.get_by_label("Values to filter by")
    expect(values.get_by_role("heading", name="isDone")).to_be_visible()
    expect(page.locator("#facets-link")).to_be_hidden()
    values.get_by_role("heading", name="isDone").locator("+ ul").get_by_role("link", name="true").click()
    expect(page).to_have_url(re.compile(r"query=isDone%20%3D%3D%20true"))
    expect(page.locator("tbody tr")).to_have_count(1)


def test_values_to_filter_by_and_exports_need_no_script(open_studio):
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.get_by_role("link", name="Values to filter by").click()
    page.locator("h3", has_text="isDone").locator("+ ul").get_by_role("link", name="true").click()
    expect(page.locator("tbody tr")).to_have_count(1)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export 1 object as CSV").click()
    assert download.value.suggested_filename == "TodoItem.csv"
    lines = download.value.path().read_text().splitlines()
    assert len(lines) == 2 and "milk" in lines[1]


def test_rows_follow_other_programs(open_studio, todo):
    """What is typed meanwhile, the focus and the filter stay."""
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    expect(page.locator("tbody tr")).to_have_count(2)
    line = page.get_by_label("Filter, a condition")
    line.fill("title contains")
    todo.add("butter")
    expect(page.locator("#shown tbody tr")).to_have_count(3)
    expect(page.locator("#shown")).to_contain_text("Objects in all: 3")
    expect(line).to_have_value("title contains")
    expect(line).to_be_focused()
    page.locator("a.object").first.focus()
    path = page.locator("a.object").first.get_attribute("href")
    todo.add("cheese")
    expect(page.locator("#shown tbody tr")).to_have_count(4)
    assert page.evaluate("document.activeElement.getAttribute('href')") == path


def fill(todo, count):
    """Adds items at once."""
    tasks = todo.folder / "tasks.txt"
    tasks.write_text("".join(f"thing {number}\n" for number in range(count)))
    todo.prompt("import", str(tasks))


def test_found_objects_are_counted_after_the_rows_and_exported(open_studio, todo):
    fill(todo, 150)
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.goto(page.url + "?query=title+contains+%22thing%22")
    found = page.locator("#found")
    expect(found).to_have_text("150")
    todo.add("one more thing")
    expect(found).to_have_text("151")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export 151 objects as CSV").click()
    assert download.value.suggested_filename == "TodoItem.csv"
    assert len(download.value.path().read_text().splitlines()) == 152
    expect(page.locator("#export-note")).to_contain_text("Exported 151 objects")
    expect(page.locator("#export")).to_be_hidden()


def test_found_objects_are_counted_without_a_script(open_studio, todo):
    fill(todo, 150)
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.goto(page.url + "?query=title+contains+%22thing%22")
    page.get_by_role("link", name="count them").click()
    expect(page.locator("#found")).to_have_text("150")


def test_an_export_is_cancelled(open_studio):
    page = open_studio(bypass_csp=True)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    # The answer does not come.
    page.route(re.compile("/export/csv"), lambda route: None)
    page.get_by_role("link", name=re.compile("as CSV")).click()
    cancel = page.get_by_role("button", name="Cancel export")
    expect(cancel).to_be_visible()
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    cancel.click()
    expect(page.locator("#export-note")).to_have_text("The export was cancelled, and no file was made.")
    expect(cancel).to_be_hidden()
    expect(page.get_by_role("link", name=re.compile("as CSV"))).to_be_focused()


def test_an_export_that_fails_makes_no_file(open_studio):
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.route(re.compile("/export/ndjson"), lambda route: route.abort())
    page.get_by_role("link", name=re.compile("as lines of JSON")).click()
    expect(page.locator("#export-note")).to_contain_text("no file was made")
    page.route(re.compile("/export/csv"), lambda route: route.fulfill(
        status=503, content_type="text/html", body='<pre role="alert">Others take all places.</pre>'))
    page.get_by_role("link", name=re.compile("as CSV")).click()
    expect(page.locator("#export-note")).to_have_text("Others take all places.")


def test_values_to_filter_by_follow_other_programs(open_studio, todo):
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    values = page.get_by_label("Values to filter by")
    lines = values.get_by_role("heading", name="isDone").locator("+ ul").get_by_role("listitem")
    expect(lines).to_have_text(["false 1", "true 1"])
    values.get_by_role("link", name="true").first.focus()
    todo.add("butter")
    expect(lines).to_have_text(["false 2", "true 1"])
    expect(values.get_by_role("link", name="true").first).to_be_focused()


def test_pages_tell_that_the_store_has_changed(open_studio, todo):
    page = open_studio()
    stale = page.get_by_text("The store has changed: load the page again.")
    expect(stale).to_be_hidden()
    todo.add("butter")
    expect(stale).to_be_visible()
    page.reload()
    expect(stale).to_be_hidden()


def test_pages_follow_each_other(open_studio, todo):
    fill(todo, 150)
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(100)
    page.get_by_role("link", name="Next page").click()
    expect(rows).to_have_count(52)
    expect(page.get_by_role("link", name="Next page")).to_have_count(0)
    page.get_by_role("link", name="First page").click()
    expect(rows).to_have_count(100)


def test_nil_and_empty_look_different(open_studio):
    page = open_studio()
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.locator("a.object").first.click()
    values = page.locator("tbody tr")
    expect(values.filter(has=page.get_by_role("rowheader", name="dueTime", exact=True)).locator(".nil")).to_have_text("nil")
    expect(values.filter(has=page.get_by_role("rowheader", name="note", exact=True)).locator(".empty")).to_have_text("empty")


def test_a_page_that_searches_gets_its_objects(open_studio, todo):
    page = open_studio(bypass_csp=True)

    def searching(route):
        """The page as it is answered before the search is done."""
        answer = route.fetch()
        text = answer.text()
        text = re.sub("(?s)<tbody>.*?</tbody>", "<tbody></tbody>", text)
        text = re.sub('data-version="[^"]*"', 'data-version="0"', text)
        text = re.sub('data-events="([^"]*)"', r'data-events="\1&amp;search=1"', text)
        text = text.replace(
            '<div class="scroll"',
            '<p id="searching" role="status">Searching: 0 objects found until now.</p><div class="scroll"', 1)
        route.fulfill(response=answer, body=text)

    loaded = []
    page.on("request", lambda request: loaded.append(request.url))
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.route(re.compile(r"/models/TodoItem\?query="), searching)
    page.get_by_label("Filter, a condition").fill('title != ""')
    page.get_by_role("button", name="Filter").click()
    # The rows come by themselves, and what is counted after them.
    expect(page.locator("#shown tbody tr")).to_have_count(2)
    expect(page.locator("#searching")).to_have_count(0)
    expect(page.locator("#facets")).to_be_visible()
    events = [number for number, url in enumerate(loaded) if "search=0" in url]
    counts = [number for number, url in enumerate(loaded) if "/facets?" in url]
    assert events and min(events) < min(counts), loaded


def test_a_link_leads_back_to_the_page_before(open_studio, todo):
    tasks = todo.folder / "tasks.txt"
    tasks.write_text("".join(f"item {number % 7}\n" for number in range(230)))
    todo.prompt("import", str(tasks))
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoItem", exact=True).click()
    page.get_by_role("link", name="title", exact=True).click()
    expect(page).to_have_url(re.compile("sort=title$"))
    page.get_by_role("link", name="title", exact=True).click()
    expect(page).to_have_url(re.compile("sort=title%20desc$"))
    previous = page.get_by_role("link", name="Previous page")
    following = page.get_by_role("link", name="Next page")
    expect(previous).to_have_count(0)
    first = page.locator("tbody").inner_text()
    following.click()
    expect(previous).to_be_visible()
    second = page.locator("tbody").inner_text()
    assert second != first
    following.click()
    expect(following).to_have_count(0)
    previous.click()
    expect(following).to_be_visible()
    assert page.locator("tbody").inner_text() == second
    previous.click()
    expect(previous).to_have_count(0)
    assert page.locator("tbody").inner_text() == first
    assert "sort=title%20desc" in page.url


@WRITES
def test_an_object_is_created_deleted_and_comes_back(open_studio):
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="ListTally", exact=True).click()
    tallies = page.url
    page.get_by_role("link", name="New object").click()
    page.get_by_label("list string").fill("garden")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("status")).to_contain_text("Committed: new ListTally")
    page.get_by_role("link", name="Delete").click()
    expect(page.get_by_role("listitem").first).to_have_text("1 object is deleted.")
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("status")).to_contain_text("Committed: deletion of ListTally")
    expect(page.locator("tbody")).not_to_contain_text("garden")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("tbody")).to_contain_text("garden")
    page.goto(tallies)
    expect(page.get_by_role("status")).to_have_count(0)


def test_references_to_an_object_are_counted_and_lead_back(open_studio, todo):
    todo.prompt("group", "add", "garden")
    todo.add("rake", "@garden")
    page = open_studio(java_script_enabled=False)
    page.get_by_role("link", name="TodoGroup", exact=True).click()
    page.get_by_role("row", name=re.compile("garden")).locator("a.object").click()
    links = page.get_by_role("heading", name="References to it").locator("+ ul")
    expect(links).to_contain_text(re.compile(r"TodoItem\.\w+: 1"))
    links.get_by_role("link", name=re.compile("TodoItem")).click()
    expect(page.locator("tbody tr")).to_have_count(1)
    expect(page.locator("tbody")).to_contain_text("rake")
