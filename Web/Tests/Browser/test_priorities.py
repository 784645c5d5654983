"""Priorities, errors and deletion: the requirements of the second app (MVVM)."""

import json
import signal

from playwright.sync_api import expect

from parts import add, done_titles, open_group, open_titles, row, sheet, title


def test_S002_01_a_form_adds_an_item_with_a_priority(page, todo):
    page.get_by_label("New to-do", exact=True).fill("bread")
    page.get_by_role("combobox", name="Priority").select_option("high")
    page.get_by_role("button", name="Add", exact=True).last.click()
    expect(row(page, "bread").locator(".badge")).to_have_text("high")
    page.get_by_role("link", name="New to-do with all fields").click()
    sheet(page).get_by_label("Title").fill("milk")
    sheet(page).get_by_label("low").check()
    sheet(page).get_by_role("button", name="Save").click()
    expect(row(page, "milk").locator(".badge")).to_have_text("low")


def test_S002_02_an_item_without_a_title_is_refused(page, todo):
    add(page, "   ")
    error = page.locator("#add-error")
    expect(error).to_have_text("Please enter a to-do.")
    expect(page.get_by_label("New to-do", exact=True)).to_have_attribute("aria-invalid", "true")
    add(page, "bread due:never")
    expect(error).to_contain_text("never")
    expect(page.get_by_label("New to-do", exact=True)).to_have_value("bread due:never")
    add(page, "bread")
    expect(error).to_have_text("")
    expect(open_titles(page)).to_have_text(["bread"])
    answer = todo.ask("POST", "/lists/all/items", "line=++")
    assert answer.status == 422 and "Please enter a to-do." in answer.text


def test_S002_03_an_item_without_a_priority_is_refused_after_the_title(page, todo):
    todo.restart(TODO_PRIORITY="")
    answer = todo.ask("POST", "/lists/all/items", "line=++")
    assert answer.status == 422 and "choose a priority" not in answer.text
    answer = todo.ask("POST", "/lists/all/items", "line=bread")
    assert answer.status == 422 and "Please choose a priority." in answer.text
    assert 'value="bread"' in answer.text
    page.goto(todo.origin + "/lists/all")
    add(page, "bread")
    expect(page.locator("#add-error")).to_have_text("Please choose a priority.")
    page.get_by_role("combobox", name="Priority").select_option("low")
    page.get_by_label("New to-do", exact=True).press("Enter")
    expect(row(page, "bread").locator(".badge")).to_have_text("low")


def test_S002_04_errors_and_successes_are_told(page, todo):
    status = page.locator("#status")
    add(page, "bread")
    expect(status).to_contain_text("Added.")
    title(page, "bread").click()
    page.locator("input.retitle").fill(" ")
    page.locator("input.retitle").press("Enter")
    expect(status).to_have_text("Please enter a to-do.")
    page.locator("input.retitle").press("Escape")
    row(page, "bread").get_by_role("checkbox").click()
    expect(status).to_contain_text("Done.")
    expect(done_titles(page)).to_have_text("bread")


def test_S002_05_a_priority_has_a_colour_and_a_word(page, open_page, todo):
    for word in ["high", "normal", "low"]:
        todo.add("item " + word, "--pri", word)
    expect(page.locator(".badge")).to_have_text(["high", "normal", "low"])
    colors = [badge.evaluate("e => getComputedStyle(e).color") for badge in page.locator(".badge").all()]
    assert len(set(colors)) == 3
    korean = open_page(cookies=[("todo-language", "ko")])
    expect(korean.locator(".badge")).to_have_text(["높음", "보통", "낮음"])
    title(page, "item low").focus()
    page.keyboard.press("1")
    expect(row(page, "item low").locator(".badge")).to_have_text("high")
    page.keyboard.press("0")
    expect(row(page, "item low").locator(".badge")).to_have_count(0)


def test_S002_07_S002_09_single_items_are_deleted_in_the_mode_for_editing(page, todo):
    todo.add("bread")
    todo.add("milk")
    page.evaluate("window.isSamePage = true")
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page).to_have_url(todo.origin + "/lists/all?mode=edit")
    expect(page.get_by_label("New to-do", exact=True)).to_be_hidden()
    row(page, "bread").get_by_role("button", name="Delete").click()
    expect(open_titles(page)).to_have_text(["milk"])
    page.get_by_role("link", name="Done").click()
    expect(page).to_have_url(todo.origin + "/lists/all")
    expect(open_titles(page)).to_have_text(["milk"])
    expect(page.get_by_label("New to-do", exact=True)).to_be_visible()
    assert page.evaluate("window.isSamePage")
    page.go_back()
    expect(page.get_by_role("link", name="Done")).to_be_visible()
    page.reload()
    expect(page.get_by_role("link", name="Done")).to_be_visible()


def test_S002_08_all_items_are_deleted_once_their_number_was_typed(page, todo):
    todo.prompt("group", "add", "home")
    for name in ["bread", "milk", "eggs"]:
        todo.add(name, "@home")
    todo.add("elsewhere")
    open_group(page)
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_role("button", name="Delete all…").click()
    expect(sheet(page).get_by_role("heading")).to_have_text("Delete all 3 to-dos of this list?")
    sheet(page).get_by_label("Type 3").fill("2")
    sheet(page).get_by_role("button", name="Delete").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text("Type 3")
    expect(page.locator(".row")).to_have_count(3)
    sheet(page).get_by_label("Type 3").fill("3")
    sheet(page).get_by_role("button", name="Delete").click()
    expect(page.locator(".row")).to_have_count(0)
    assert "elsewhere" in todo.prompt("ls")
    # It is one step, so one undo brings all of them back.
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.locator(".row")).to_have_count(3)


def test_S002_10_items_survive_a_server_that_is_killed(page, todo):
    add(page, "bread")
    expect(open_titles(page)).to_have_text(["bread"])
    todo.restart(signal.SIGKILL)
    page.goto("about:blank")
    assert "bread" in todo.ask().text
    assert "bread" in todo.prompt("ls")


def test_S002_15_the_page_follows_the_store(page, todo):
    id = todo.add("bread")
    expect(open_titles(page)).to_have_text("bread")
    todo.prompt("edit", id, "rye bread")
    expect(open_titles(page)).to_have_text("rye bread")
    todo.prompt("done", id)
    expect(done_titles(page)).to_have_text("rye bread")
    todo.prompt("rm", id, "--yes")
    expect(page.locator(".row")).to_have_count(0)
    answer = todo.ask("POST", "/lists/all/items", "line=x+!h", Accept="application/json")
    assert json.loads(answer.text)["said"] == "Added."
