"""What other programs and the system do meanwhile: nothing is lost, and nothing is changed unseen."""

import re

import pytest
from playwright.sync_api import expect

from parts import add, hide, open_group, open_titles, row, scroll_to, sheet, swipe, title


def test_saving_again_after_a_conflict_keeps_what_others_changed(page, todo):
    id = todo.add("bread")
    page.get_by_role("button", name="Details: bread").click()
    sheet(page).get_by_label("Title").fill("white bread")
    todo.prompt("edit", id, "rye bread")
    todo.prompt("tag", id, "shop")
    todo.prompt("due", id, "2031-02-03")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text('it is "rye bread" now')
    expect(sheet(page).get_by_label("Tags")).to_have_value("shop")
    sheet(page).get_by_role("button", name="Save").click()
    item = row(page, "white bread")
    expect(item.locator(".tag")).to_have_text("#shop")
    expect(item.locator(".due")).to_have_text("2031-02-03")


def test_a_group_form_after_a_conflict_keeps_what_others_changed(page, todo):
    todo.prompt("group", "add", "home", "--color", "#112233")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_label("Name").fill("house")
    todo.prompt("group", "edit", "home", "--name", "flat", "--color", "#445566")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text('it is "flat" now')
    expect(sheet(page).get_by_role("alert")).not_to_contain_text("#112233")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("#groups .name")).to_have_text(["house"])
    expect(page.locator("#groups .part")).to_have_attribute("stroke", "#445566")


def test_a_text_that_is_too_long_stays_in_its_form(page, todo):
    todo.add("bread")
    page.get_by_role("button", name="Details: bread").click()
    sheet(page).get_by_label("Note").evaluate("note => { note.value = 'x'.repeat(1100000); }")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_have_text("That is too long to be sent.")
    assert sheet(page).get_by_label("Note").evaluate("note => note.value.length") == 1_100_000
    # A long text of letters that take many bytes is none.
    sheet(page).get_by_label("Note").evaluate("note => { note.value = '가'.repeat(20000); }")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page)).to_be_hidden()
    expect(row(page, "bread").locator(".note")).to_contain_text("가가")


def test_the_undo_of_a_toast_takes_back_nothing_else(page, todo):
    todo.add("mine")
    row(page, "mine").hover()
    row(page, "mine").get_by_role("button", name="Delete").click()
    toast = page.get_by_role("status").first
    expect(toast).to_contain_text("Deleted.")
    todo.add("of the prompt")
    expect(open_titles(page)).to_have_text(["of the prompt"])
    toast.get_by_role("button", name="Undo").click()
    expect(toast).to_contain_text("not the last change any more")
    expect(open_titles(page)).to_have_text(["of the prompt"])


def test_a_file_that_was_not_chosen_removes_no_picture(page, todo):
    todo.prompt("group", "add", "home")
    todo.prompt("group", "image", "home", "drawn")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_label("From a file").check()
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_have_text("Please choose a picture.")
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator("#picture img")).to_be_visible()


def test_an_editor_stays_when_its_row_leaves_the_window(long_page, todo):
    title(long_page, "item 3").click()
    editor = long_page.locator("input.retitle")
    editor.fill("half wri")
    scroll_to(long_page, 0.5)
    expect(long_page.locator("#open .row").first).to_contain_text(re.compile(r"item 4[89]\d\d"))
    expect(editor).to_have_value("half wri")
    assert "half wri" not in todo.ask().text
    editor.press("Escape")
    expect(editor).to_have_count(0)
    expect(long_page.locator(".row")).to_have_count(200)


def test_an_editor_stays_when_its_item_is_deleted(page, todo):
    id = todo.add("bread")
    todo.add("milk")
    title(page, "bread").click()
    editor = page.locator("input.retitle")
    editor.fill("half wri")
    todo.prompt("rm", id, "--yes")
    expect(page.locator("#count")).to_have_text("1 open of 1")
    expect(editor).to_have_value("half wri")
    editor.press("Enter")
    expect(page.locator("#status")).to_have_text("There is no such to-do any more.")
    editor.press("Escape")
    expect(open_titles(page)).to_have_text(["milk"])


def test_a_title_in_conflict_is_stored_by_one_who_insists(page, todo):
    id = todo.add("bread")
    title(page, "bread").click()
    page.locator("input.retitle").fill("white bread")
    todo.prompt("edit", id, "rye bread")
    page.locator("input.retitle").press("Enter")
    expect(page.locator("#status")).to_contain_text('it is "rye bread" now')
    page.locator("input.retitle").press("Enter")
    expect(open_titles(page)).to_have_text("white bread")


def test_a_row_that_changes_stays_uncovered(open_page, todo):
    id = todo.add("bread")
    page = open_page(has_touch=True, viewport={"width": 390, "height": 800})
    swipe(page, row(page, "bread").locator(".card"), -120)
    expect(row(page, "bread").get_by_role("button", name="Delete")).to_be_visible()
    todo.prompt("edit", id, "rye bread")
    expect(row(page, "rye bread").get_by_role("button", name="Delete")).to_be_visible()
    row(page, "rye bread").get_by_role("button", name="Delete").tap()
    expect(sheet(page).get_by_role("heading")).to_have_text('Delete "rye bread"?')


def test_a_drag_ends_with_its_button(page, todo):
    ids = [todo.add(name) for name in ["one", "two", "three"]]
    expect(open_titles(page)).to_have_text(["one", "two", "three"])
    row(page, "three").locator(".grip").hover()
    page.mouse.down()
    page.mouse.move(300, 300, steps=3)
    # Its row is replaced, and the button is released over the lists.
    todo.prompt("edit", ids[2], "third")
    expect(open_titles(page)).to_have_text(["one", "two", "third"])
    page.mouse.move(20, 400)
    page.mouse.up()
    box = row(page, "one").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 5, steps=4)
    expect(row(page, "third")).not_to_have_class(re.compile("dragging"))
    page.mouse.click(box["x"] + 200, box["y"] + box["height"] - 3)
    expect(open_titles(page)).to_have_text(["one", "two", "third"])


def test_a_lost_request_is_told_until_one_is_answered(page, todo):
    todo.add("bread")
    todo.add("milk")
    expect(page.locator(".row")).to_have_count(2)
    page.route("**/actions", lambda route: route.abort())
    row(page, "bread").get_by_role("button", name="Star").click()
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
    page.unroute("**/actions")
    # Not by an event: this changes nothing.
    page.get_by_role("button", name="Details: bread").click()
    expect(sheet(page)).to_be_visible()
    expect(page.locator("#connection")).to_have_text("")


@pytest.mark.parametrize("name", ["Star", "Done"])
def test_an_action_while_the_server_is_away_is_told_not_to_be_saved(page, todo, name):
    """Only "Reconnecting…" was told, twice, and the action was gone."""
    todo.add("bread")
    control = row(page, "bread").get_by_label(name + ": bread")
    expect(control).to_be_visible()
    todo.stop()
    control.click()
    expect(page.locator("#status")).to_have_text("The server does not answer. This may not have been saved.")
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
    expect(page.locator("#connection")).to_be_hidden()
    todo.start()
    expect(page.locator("#connection")).to_have_text("")
    control.click()
    expect(page.locator("#status")).to_contain_text({"Star": "Starred.", "Done": "Done."}[name])


def test_a_line_that_is_written_while_the_server_is_away_comes_back(page, todo):
    expect(page.locator("#empty")).to_be_visible()
    todo.stop()
    add(page, "bread")
    expect(page.locator("#add-error")).to_have_text("The server does not answer. This may not have been saved.")
    expect(page.get_by_label("New to-do", exact=True)).to_have_value("bread")
    todo.start()
    page.get_by_label("New to-do", exact=True).press("Enter")
    expect(open_titles(page)).to_have_text(["bread"])


def test_a_lost_cookie_is_told(page, todo):
    page.context.clear_cookies()
    page.get_by_label("New to-do", exact=True).fill("bread")
    page.get_by_label("New to-do", exact=True).press("Enter")
    expect(page.locator("pre")).to_have_text(["todo web --link", "Scripts/web --link"])


def test_events_without_a_cookie_lead_to_the_page_that_says_how(page, todo):
    page.context.clear_cookies()
    hide(page, True)
    hide(page, False)
    expect(page.locator("pre")).to_have_text(["todo web --link", "Scripts/web --link"])


def test_a_refusal_does_not_hide_that_the_store_failed(page, todo):
    todo.add("bread")
    page.route("**/actions", lambda route: route.fulfill(
        status=500, content_type="application/json", body='{"error": "The disk is full."}'))
    row(page, "bread").get_by_role("checkbox").click()
    expect(page.locator("#failure")).to_be_visible()
    add(page, " ")
    expect(page.locator("#add-error")).to_have_text("Please enter a to-do.")
    expect(page.locator("#failure")).to_be_visible()
    add(page, "milk")
    expect(page.locator("#failure")).to_be_hidden()


def test_a_page_keeps_its_language(page, todo):
    todo.add("bread", "!high")
    expect(row(page, "bread").locator(".badge")).to_have_text("high")
    other = page.context.new_page()
    other.goto(todo.origin + "/lists/all")
    other.get_by_role("button", name="한국어").click()
    expect(row(other, "bread").locator(".badge")).to_have_text("높음")
    hide(page, True)
    todo.add("milk", "!low")
    hide(page, False)
    expect(row(page, "milk").locator(".badge")).to_have_text("low")


def test_the_title_of_the_window_is_that_of_the_group(page, todo):
    todo.prompt("group", "add", "home")
    open_group(page)
    expect(page).to_have_title("home – todo")
    todo.prompt("group", "edit", "home", "--name", "house")
    expect(page).to_have_title("house – todo")


def test_keys_in_an_editor_move_no_row(page, todo):
    todo.add("one")
    todo.add("two")
    title(page, "two").click()
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Escape")
    todo.add("three")
    expect(open_titles(page)).to_have_text(["one", "two", "three"])


def test_rows_that_are_the_same_are_kept_by_a_whole_state(open_page, todo):
    todo.add("one", "#tag")
    todo.add("two & <three>")
    page = open_page()
    page.evaluate("for (const row of document.querySelectorAll('.row')) row.isKept = true")
    hide(page, True)
    todo.add("four")
    hide(page, False)
    expect(page.locator(".row")).to_have_count(3)
    assert page.evaluate("[...document.querySelectorAll('.row')].map((row) => row.isKept === true)") == [
        True, True, False]


@pytest.mark.parametrize("deleted, next", [("two", "three"), ("three", "two")])
def test_the_focus_stays_near_a_row_that_goes_away(page, todo, deleted, next):
    for name in ["one", "two", "three"]:
        todo.add(name)
    expect(page.locator(".row")).to_have_count(3)
    row(page, deleted).get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".row")).to_have_count(2)
    expect(title(page, next)).to_be_focused()
    # A toast's button that was pressed goes away too.
    page.get_by_role("status").get_by_role("button", name="Undo").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".row")).to_have_count(3)
    expect(page.locator("#list")).to_be_focused()


def test_items_hidden_until_a_day_are_counted_and_not_shown(page, todo):
    todo.add("now")
    todo.add("later", "wait:2199-01-01")
    expect(open_titles(page)).to_have_text(["now"])
    expect(page.locator("#count")).to_have_text("1 open of 2, 1 hidden until a day")
    assert 'later' not in todo.ask().text


def test_toasts_are_in_the_accessibility_tree_before_their_text(page):
    for region in ["#status", "#connection"]:
        assert page.locator(region).evaluate("e => getComputedStyle(e).display") != "none"
        expect(page.locator(region)).to_be_hidden()
