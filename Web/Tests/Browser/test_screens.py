"""Names, conflicts, orders and counts: the requirements of the fourth app (MVP)."""

import fcntl
import json
import re
import threading

from playwright.sync_api import expect

from parts import add, done_titles, group_id, item_id, open_group, open_titles, row, sheet, title, wait_until


def test_S004_02_a_path_says_where_one_is(page, todo):
    todo.prompt("group", "add", "home")
    todo.add("bread", "@home")
    open_group(page)
    expect(open_titles(page)).to_have_text("bread")
    page.goto(todo.origin + title(page, "bread").get_attribute("href"))
    path = page.get_by_role("navigation", name="Where you are")
    expect(path.get_by_role("listitem")).to_have_text(["Lists", "home", "Details"])
    path.get_by_role("link", name="home").click()
    expect(page.locator("#name")).to_have_text("home")


def test_S004_04_the_reserved_name_is_refused(page, todo):
    page.get_by_label("New group", exact=True).fill("Important")
    page.get_by_label("New group", exact=True).press("Enter")
    expect(page.locator("#status")).to_contain_text("belongs to a list of its own")
    expect(page.get_by_label("New group", exact=True)).to_have_value("Important")
    assert todo.ask("POST", "/actions", "action=newGroup&text=Important").status == 409
    assert "Important" not in todo.prompt("group")


def test_S004_05_reads_are_answered_while_a_write_waits(todo):
    todo.add("milk")
    todo.ask()
    answers = []

    def write():
        answers.append(todo.ask("POST", "/lists/all/items", "line=bread+!h").status)

    with open(todo.path) as store:
        # As a process that writes for long.
        fcntl.flock(store, fcntl.LOCK_EX)
        writer = threading.Thread(target=write)
        before = todo.connections()
        writer.start()
        wait_until(lambda: todo.connections() > before)
        for _ in range(20):
            assert "1 open of 1" in todo.ask().text
        assert answers == []
    writer.join()
    assert answers == [303]
    assert "2 open of 2" in todo.ask().text


def test_S004_05_reads_are_answered_while_many_write(todo):
    def write():
        for _ in range(20):
            assert todo.ask("POST", "/lists/all/items", "line=bread+!h").status == 303

    todo.ask()
    writers = [threading.Thread(target=write) for _ in range(4)]
    for writer in writers:
        writer.start()
    reads = 0
    while any(writer.is_alive() for writer in writers):
        assert todo.ask().status == 200
        reads += 1
    assert reads > 0
    assert "80 open" in todo.ask().text


def test_S004_06_a_title_that_changed_meanwhile_is_a_conflict(page, todo):
    id = todo.add("bread")
    title(page, "bread").click()
    page.locator("input.retitle").fill("white bread")
    todo.prompt("edit", id, "rye bread")
    page.locator("input.retitle").press("Enter")
    expect(page.locator("#status")).to_contain_text(
        'it is "rye bread" now, and you wanted "white bread"')
    expect(page.locator("input.retitle")).to_have_value("white bread")
    page.locator("input.retitle").press("Escape")
    expect(open_titles(page)).to_have_text("rye bread")


def test_S004_06_a_form_of_details_conflicts_or_is_merged(page, todo):
    id = todo.add("bread")
    page.get_by_role("button", name="Details: bread").click()
    sheet(page).get_by_label("Title").fill("white bread")
    # Another property has changed: both hold.
    todo.prompt("star", id)
    todo.prompt("tag", id, "shop")
    sheet(page).get_by_role("button", name="Save").click()
    expect(row(page, "white bread").locator(".tag")).to_have_text("#shop")
    # The same property has changed: nothing is stored before the user has seen it.
    page.get_by_role("button", name="Details: white bread").click()
    sheet(page).get_by_label("Title").fill("dark bread")
    todo.prompt("edit", id, "rye bread")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text(
        'Title: it is "rye bread" now, and you wanted "dark bread".')
    assert "rye bread" in todo.prompt("ls")
    sheet(page).get_by_role("button", name="Save").click()
    expect(open_titles(page)).to_have_text("dark bread")


def test_S004_06_a_stale_form_is_answered_with_409(page, todo):
    todo.add("bread")
    expect(open_titles(page)).to_have_text("bread")
    id = item_id(page, "bread")
    body = f"action=retitle&id={id}&text=white&was=old"
    answer = todo.ask("POST", "/actions", body, Accept="application/json")
    assert answer.status == 409 and '"bread" now' in json.loads(answer.text)["error"]
    answer = todo.ask("POST", f"/items/{id}", "title=white&was-title=old&priority=normal&was-priority=normal")
    assert answer.status == 409 and "&quot;bread&quot; now" in answer.text
    assert 'value="white"' in answer.text


def test_S004_07_two_tabs_and_the_prompt_show_one_list(page, todo):
    other = page.context.new_page()
    other.goto(todo.origin + "/lists/all")
    add(page, "bread")
    expect(open_titles(other)).to_have_text("bread")
    add(other, "milk")
    todo.add("eggs")
    for tab in [page, other]:
        expect(open_titles(tab)).to_have_text(["bread", "milk", "eggs"])
    assert "milk" in todo.prompt("ls")


def test_S004_08_the_order_is_in_the_address(page, todo):
    for name in ["beta", "alpha"]:
        todo.add(name)
    page.locator("#orders").get_by_role("link", name="Title").click()
    expect(page).to_have_url(re.compile(r"sort=title"))
    expect(open_titles(page)).to_have_text(["alpha", "beta"])
    page.reload()
    expect(open_titles(page)).to_have_text(["alpha", "beta"])
    page.go_back()
    expect(open_titles(page)).to_have_text(["beta", "alpha"])


def test_S004_09_a_commit_changes_the_rows_that_it_is_about(page, todo):
    ids = [todo.add(name) for name in ["one", "two", "three"]]
    expect(open_titles(page)).to_have_text(["one", "two", "three"])
    page.evaluate("for (const row of document.querySelectorAll('.row')) row.isKept = true")
    todo.prompt("edit", ids[1], "deux")
    expect(open_titles(page)).to_have_text(["one", "deux", "three"])
    kept = page.evaluate("[...document.querySelectorAll('.row')].map((row) => row.isKept === true)")
    assert kept == [True, False, True]


def test_S004_10_lists_and_the_page_have_counts(page, todo):
    todo.prompt("group", "add", "home")
    first = todo.add("bread", "@home")
    todo.add("milk", "@home")
    todo.prompt("star", first)
    todo.prompt("done", first)
    expect(page.locator("#count")).to_have_text("1 open of 2")
    expect(page.locator("#own .number")).to_have_text(["1", "0", "0"])
    expect(page.locator("#groups .number")).to_have_text(["1"])


def test_S004_11_errors_have_statuses_and_json(todo):
    id = "00000000-0000-0000-0000-000000000000"

    def post(path, body, accept=None):
        answer = todo.ask("POST", path, body, Accept=accept)
        if accept:
            assert answer.getheader("Content-Type") == "application/json"
            assert json.loads(answer.text)["error"]
        return answer.status

    for accept in [None, "application/json"]:
        assert post("/lists/all/items", "line=++", accept) == 422
        assert post("/lists/all/items", "line=x+due:never", accept) == 422
        assert post("/actions", "action=format", accept) == 400
        assert post("/actions", f"action=done+{id}", accept) == 404
        assert post("/actions", f"action=confirm&token={id}", accept) == 409
        assert post("/actions", "action=redo", accept) == 409
        assert post(f"/items/{id}", "title=x", accept) == 404
        assert post(f"/groups/{id}/edit", "name=x", accept) == 404
    for path in [f"/lists/{id}", "/lists/nothing", f"/items/{id}", f"/groups/{id}/picture"]:
        assert todo.ask(path=path).status == 404


def test_S004_12_the_name_that_was_stored_is_shown(page, todo):
    todo.prompt("group", "add", "home")
    expect(page.locator("#groups .name")).to_have_text(["home"])
    page.get_by_label("New group", exact=True).fill("  home ")
    page.get_by_label("New group", exact=True).press("Enter")
    expect(page.locator("#status")).to_contain_text('Saved as "home (1)".')
    expect(page.locator("#groups .name")).to_have_text(["home", "home (1)"])
    # A group keeps its own name.
    answer = todo.ask(
        "POST", "/actions", f"action=renameGroup&id={group_id(page, 'home (1)')}&text=home+(1)",
        Accept="application/json")
    assert json.loads(answer.text)["said"] == 'Saved as "home (1)".'


def test_S004_13_the_question_says_how_many_items_a_group_has(page, todo):
    todo.prompt("group", "add", "home")
    for name in ["bread", "milk"]:
        todo.add(name, "@home")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_role("button", name="Delete group").click()
    expect(sheet(page).get_by_role("heading")).to_have_text('Delete group "home" and 2 to-dos?')
    # An item that is added meanwhile was not in the question.
    todo.add("eggs", "@home")
    sheet(page).get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator("#status")).to_contain_text("has changed since")
    assert "home" in todo.prompt("group")


def test_S004_17_a_row_has_title_box_and_star(page, todo):
    todo.add("bread")
    item = row(page, "bread")
    expect(item.get_by_role("checkbox", name="Done: bread")).to_be_visible()
    expect(item.get_by_role("link", name="bread", exact=True)).to_be_visible()
    expect(item.get_by_role("button", name="Star: bread")).to_be_visible()
    todo.prompt("done", todo.add("milk"))
    expect(page.locator("summary")).to_have_text("Completed")
    expect(done_titles(page)).to_have_text("milk")
