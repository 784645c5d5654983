"""What people need who hear the page, or use it with the keyboard alone."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from parts import (
    add, done_titles, group_id, item_id, open_titles, row, sheet, states, tab_to, title)


def check(page, name):
    page.mouse.move(0, 0)
    results = Axe().run(page)
    assert results.violations_count == 0, name + "\n" + results.generate_report()


@pytest.mark.parametrize("look", ["light", "dark", "korean", "narrow"])
def test_axe_finds_nothing_on_any_page(open_page, todo, look):
    states(todo)
    options = {
        "light": {}, "dark": {"color_scheme": "dark"},
        "korean": {"cookies": [("todo-language", "ko")]},
        "narrow": {"viewport": {"width": 320, "height": 640}, "has_touch": True},
    }[look]
    page = open_page(bypass_csp=True, **options)
    item, group = item_id(page, "bread"), group_id(page, "home")
    for path in [
        "/lists/all", "/lists/all?view=grid", "/lists/important", "/lists/ungrouped",
        f"/lists/{group}", "/lists/all?mode=edit", f"/items/{item}", "/items/new",
        f"/groups/{group}/edit", "/groups/new", "/help", "/items/nothing",
    ]:
        page.goto(todo.origin + path)
        check(page, path)


def submit(page, path, **fields):
    """Sends a form as a browser without a script does, and shows the page of the answer."""
    with page.expect_navigation():
        page.evaluate("""([path, fields]) => {
          const form = Object.assign(document.createElement("form"), { method: "post", action: path });
          for (const [name, value] of Object.entries(fields)) {
            form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
          }
          document.body.append(form);
          HTMLFormElement.prototype.submit.call(form);
        }""", [path, fields])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_answers(open_page, todo, scheme):
    states(todo)
    page = open_page(color_scheme=scheme, bypass_csp=True)
    item, group = item_id(page, "bread"), group_id(page, "home")
    for name, path, fields, text in [
        ("question about an item", "/actions", {"action": f"delete {item}"}, "Delete"),
        ("question about a group", "/actions", {"action": f"deleteGroup {group}"}, "Delete"),
        ("question about all", "/actions", {"action": "deleteAll", "list": "all"}, "Type 2"),
        ("nothing to be added", "/lists/all/items", {"line": " "}, "Please enter a to-do."),
        ("no such action", "/actions", {"action": "dance"}, "Back"),
        ("no name", f"/groups/{group}/edit", {"name": " ", "color": "#808080", "picture": "drawn"}, "Name"),
        ("no title", f"/items/{item}", {"title": " "}, "Title"),
    ]:
        page.goto(todo.origin + "/lists/all")
        submit(page, path, **fields)
        expect(page.locator("body")).to_contain_text(text)
        check(page, name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_while_something_happens(open_page, todo, scheme):
    states(todo)
    page = open_page(color_scheme=scheme, bypass_csp=True)
    page.get_by_label("New to-do", exact=True).fill("milk @home due:tomorrow !high #shop")
    expect(page.locator(".chip")).to_have_count(5)
    check(page, "chips")
    add(page, " ")
    expect(page.locator("#add-error")).to_have_text("Please enter a to-do.")
    check(page, "an error under the field")
    title(page, "bread").focus()
    page.keyboard.press("s")
    expect(page.locator("#status button")).to_be_visible()
    check(page, "a toast")
    page.goto(todo.origin + "/lists/all?mode=edit")
    page.get_by_role("button", name="Delete all…").click()
    expect(sheet(page)).to_be_visible()
    check(page, "a question in a dialog")
    page.keyboard.press("Escape")
    todo.stop()
    expect(page.locator("#connection")).not_to_be_empty()
    check(page, "no connection")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_dialogs_and_editors(open_page, todo, scheme):
    states(todo)
    page = open_page(color_scheme=scheme, bypass_csp=True)
    for name, control in [
        ("details", page.get_by_role("button", name="Details: bread")),
        ("a new group", page.get_by_role("link", name="New group with a picture")),
        ("a new to-do", page.get_by_role("link", name="New to-do with all fields")),
        ("keys", page.get_by_role("link", name="Keyboard shortcuts")),
    ]:
        control.click()
        expect(sheet(page)).to_be_visible()
        check(page, name)
        page.keyboard.press("Escape")
        expect(sheet(page)).to_be_hidden()
    title(page, "bread").click()
    expect(page.locator("input.retitle")).to_be_focused()
    check(page, "the editor of a title")
    page.keyboard.press("Escape")
    add(page, "milk @bakery")
    expect(page.get_by_role("button", name="Make the group and add")).to_be_visible()
    check(page, "a group that is to be made")
    page.route("**/actions", lambda route: route.fulfill(
        status=500, content_type="application/json", body='{"error": "The disk is full."}'))
    row(page, "bread").get_by_role("button", name="Star").click()
    expect(page.locator("#failure")).to_be_visible()
    check(page, "a failure of the store")
    # It is dismissed by a key.
    tab_to(page, page.locator("#failure button"))
    page.keyboard.press("Enter")
    expect(page.locator("#failure")).to_be_hidden()
    page.goto(f"{todo.origin}/lists/{group_id(page, 'home')}?mode=edit")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator("input.retitle")).to_be_focused()
    check(page, "the editor of a group's name")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_conflicts(open_page, todo, scheme):
    states(todo)
    page = open_page(color_scheme=scheme, bypass_csp=True)
    item, group = item_id(page, "bread"), group_id(page, "home")
    for path, fields in [
        (f"/items/{item}", {"title": "rye", "was-title": "white"}),
        (f"/groups/{group}/edit", {"name": "house", "was-name": "flat", "color": "#808080", "picture": "kept"}),
        ("/actions", {"action": f"retitle {item}", "text": "rye", "was": "white"}),
    ]:
        page.goto(todo.origin + "/lists/all")
        submit(page, path, **fields)
        expect(page.get_by_role("alert").first).to_contain_text(re.compile("now|changed"))
        check(page, path)


def test_axe_finds_nothing_without_a_list_or_a_link(browser, open_page, todo):
    page = open_page(bypass_csp=True)
    expect(page.locator(".row")).to_have_count(0)
    check(page, "an empty list")
    stranger = browser.new_context(bypass_csp=True)
    page = stranger.new_page()
    assert page.goto(todo.origin + "/lists/all").status == 401
    check(page, "no link")
    # The page that a link opens leads on at once.
    entry = todo.ask(path=todo.link().removeprefix(todo.origin), Cookie=None).text
    page.set_content(re.sub("<meta http-equiv=.refresh.[^>]*>", "", entry))
    expect(page.get_by_role("link", name="todo")).to_be_visible()
    check(page, "a link")
    stranger.close()


def test_counts_are_told_when_they_change(page, todo):
    count = page.locator("#count")
    expect(count).to_have_attribute("aria-live", "polite")
    # A live region tells what changes in it: it must stay the same element.
    count.evaluate("e => e.wasThere = true")
    todo.add("bread")
    expect(count).to_have_text("1 open of 1")
    assert count.evaluate("e => e.wasThere")


def test_a_group_is_made_changed_and_deleted_by_keys(page, todo):
    tab_to(page, page.get_by_role("link", name="New group with a picture"))
    page.keyboard.press("Enter")
    expect(sheet(page).get_by_label("Name")).to_be_focused()
    page.keyboard.type("home")
    # The arrows choose among the pictures, of which the first is chosen.
    drawn = sheet(page).get_by_role("radio", name="Drawn")
    radios = sheet(page).get_by_role("radio")
    tab_to(page, sheet(page).locator("[type=radio]:checked"))
    for _ in range(radios.count()):
        if drawn.is_checked():
            break
        page.keyboard.press("ArrowDown")
    expect(drawn).to_be_checked()
    tab_to(page, sheet(page).get_by_label("First to-dos"))
    page.keyboard.type("sweep\ncook")
    tab_to(page, sheet(page).get_by_role("button", name="Save"))
    page.keyboard.press("Enter")
    expect(page.locator("#groups a")).to_contain_text("home")
    tab_to(page, page.locator("#groups a"))
    page.keyboard.press("Enter")
    expect(page.locator("#name")).to_have_text("home")
    expect(open_titles(page)).to_have_text(["sweep", "cook"])

    # Its form is in the editing mode.
    tab_to(page, page.get_by_role("link", name="Edit", exact=True))
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Done", exact=True)).to_be_visible()
    form = page.get_by_role("link", name="Edit group")
    tab_to(page, form)
    page.keyboard.press("Enter")
    expect(sheet(page).get_by_label("Name")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("house")
    tab_to(page, sheet(page).get_by_role("button", name="Save"))
    page.keyboard.press("Enter")
    expect(page.locator("#name")).to_have_text("house")
    tab_to(page, form)
    page.keyboard.press("Enter")
    tab_to(page, sheet(page).get_by_role("button", name=re.compile("Delete", re.I)))
    page.keyboard.press("Enter")
    expect(sheet(page).get_by_role("heading")).to_contain_text("house")
    tab_to(page, sheet(page).get_by_role("button", name="Delete"))
    page.keyboard.press("Enter")
    expect(page.locator("#groups a")).to_have_count(0)
    expect(page.locator(".row")).to_have_count(0)


def test_all_is_deleted_and_brought_back_by_keys(page, todo):
    for text in ["one", "two", "three"]:
        todo.add(text)
    expect(page.locator(".row")).to_have_count(3)
    tab_to(page, page.get_by_role("link", name="Edit", exact=True))
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="Delete all…"))
    page.keyboard.press("Enter")
    expect(sheet(page).get_by_label("Type 3")).to_be_focused()
    page.keyboard.type("3\n")
    expect(page.locator(".row")).to_have_count(0)
    tab_to(page, page.locator("#status button"))
    page.keyboard.press("Enter")
    expect(open_titles(page)).to_have_text(["one", "two", "three"])


def test_orders_and_views_are_chosen_by_keys(page, todo):
    todo.add("b", "due:2031-01-02")
    todo.add("a", "due:2031-01-01")
    todo.prompt("group", "add", "home")
    expect(page.locator(".row")).to_have_count(2)
    tab_to(page, page.get_by_role("link", name="Grid"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("view=grid"))
    tab_to(page, page.locator("#orders a", has_text=re.compile("due", re.I)))
    page.keyboard.press("Enter")
    expect(open_titles(page)).to_have_text(["a", "b"])


def test_without_script_stars_are_given_and_what_was_undone_is_done_again(open_page, todo):
    todo.add("bread")
    page = open_page(java_script_enabled=False)
    row(page, "bread").get_by_role("button", name="Star").click()
    expect(row(page, "bread").get_by_role("button", name="Star")).to_have_attribute(
        "aria-pressed", "true")
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "bread").get_by_role("button", name="Star")).to_have_attribute(
        "aria-pressed", "false")
    page.get_by_role("button", name="Redo").click()
    expect(row(page, "bread").get_by_role("button", name="Star")).to_have_attribute(
        "aria-pressed", "true")


def test_without_script_a_conflict_is_shown_and_can_be_settled(open_page, todo):
    short = todo.add("bread")
    page = open_page(java_script_enabled=False)
    title(page, "bread").click()
    page.get_by_label("Title").fill("rye bread")
    todo.prompt("edit", short, "white bread")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("white bread")
    page.get_by_role("button", name="Save").click()
    expect(open_titles(page)).to_have_text("rye bread")
    expect(done_titles(page)).to_have_count(0)
