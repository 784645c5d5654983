"""The keys that work wherever the focus is, and how to turn them off."""

import re

import pytest

from playwright.sync_api import expect

from parts import done_titles, open_titles, row, sheet, title


def test_keys_that_work_everywhere_can_be_turned_off(page):
    page.keyboard.press("?")
    switch = sheet(page).get_by_role("group", name="Keys n, / and ?")
    expect(switch.get_by_role("button", name="On")).to_have_attribute("aria-pressed", "true")
    # The script of the page has run when the page is loaded.
    with page.expect_navigation():
        switch.get_by_role("button", name="Off").click()
    page.keyboard.press("n")
    expect(page.get_by_label("New to-do", exact=True)).not_to_be_focused()
    page.keyboard.press("?")
    expect(sheet(page)).to_be_hidden()
    # The list of keys is opened by its link; there they are turned on.
    page.get_by_role("link", name=re.compile("Keyboard shortcuts")).click()
    expect(switch.get_by_role("button", name="Off")).to_have_attribute("aria-pressed", "true")
    with page.expect_navigation():
        switch.get_by_role("button", name="On").click()
    page.keyboard.press("n")
    expect(page.get_by_label("New to-do", exact=True)).to_be_focused()


@pytest.mark.parametrize("key", ["j", "k", "ArrowDown", "ArrowUp"])
def test_a_page_that_was_just_opened_goes_to_its_first_row(page, todo, key):
    todo.add("one")
    todo.add("two")
    expect(page.locator(".row")).to_have_count(2)
    page.keyboard.press(key)
    expect(title(page, "one")).to_be_focused()
    page.keyboard.press("j")
    expect(title(page, "two")).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(title(page, "one")).to_be_focused()


def test_the_list_that_was_skipped_to_goes_to_its_first_row(page, todo):
    todo.add("one")
    expect(page.locator(".row")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(title(page, "one")).to_be_focused()


def test_letters_go_to_no_row_where_keys_are_turned_off(open_page, todo):
    todo.add("one")
    page = open_page(cookies=[("todo-keys", "off")])
    expect(page.locator(".row")).to_have_count(1)
    page.keyboard.press("j")
    expect(title(page, "one")).not_to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(title(page, "one")).to_be_focused()


def press(page, key, code, **held):
    """Presses a key as a keyboard does that types another alphabet."""
    page.evaluate("""([key, code, held]) => document.activeElement.dispatchEvent(new KeyboardEvent(
        "keydown", { key, code, bubbles: true, cancelable: true, ...held }))""", [key, code, held])


def test_letters_are_those_of_the_keys_where_hangul_is_typed(page, todo):
    for name in ["one", "two"]:
        todo.add(name)
    expect(page.locator(".row")).to_have_count(2)
    press(page, "ㅓ", "KeyJ")
    expect(title(page, "one")).to_be_focused()
    press(page, "Process", "KeyJ")
    expect(title(page, "two")).to_be_focused()
    press(page, "ㄴ", "KeyS")
    expect(row(page, "two").get_by_role("button", name="Star")).to_have_attribute(
        "aria-pressed", "true")
    press(page, "ㅌ", "KeyX")
    expect(done_titles(page)).to_have_text(["two"])
    press(page, "ㅋ", "KeyZ", ctrlKey=True)
    expect(open_titles(page)).to_have_text(["one", "two"])
    press(page, "ㅜ", "KeyN")
    expect(page.get_by_label("New to-do", exact=True)).to_be_focused()


def test_keyboards_with_latin_letters_elsewhere_keep_them(page, todo):
    """On Dvorak's the letter j is where others have c, and h where they have j."""
    todo.add("one")
    expect(page.locator(".row")).to_have_count(1)
    press(page, "h", "KeyJ")
    expect(title(page, "one")).not_to_be_focused()
    press(page, "j", "KeyC")
    expect(title(page, "one")).to_be_focused()


def test_the_field_for_a_new_item_is_left_by_keys(page, todo):
    todo.add("one")
    expect(page.locator(".row")).to_have_count(1)
    field = page.get_by_label("New to-do", exact=True)
    page.keyboard.press("n")
    field.press_sequentially("half")
    page.keyboard.press("Escape")
    expect(page.locator("#list")).to_be_focused()
    expect(field).to_have_value("half")
    page.keyboard.press("n")
    page.keyboard.press("ArrowDown")
    expect(title(page, "one")).to_be_focused()


def test_a_sorted_list_says_why_nothing_moves(open_page, todo):
    todo.add("one")
    todo.add("two")
    page = open_page("/lists/all?sort=title")
    title(page, "two").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#status")).to_have_text(
        'This list is sorted. Choose the order "By hand" to move to-dos.')
    expect(open_titles(page)).to_have_text(["one", "two"])


def test_the_list_of_keys_begins_with_the_first(open_page):
    """Its only button had the focus, below the keys, which were scrolled away."""
    page = open_page(viewport={"width": 320, "height": 500})
    page.keyboard.press("?")
    expect(sheet(page).get_by_role("heading")).to_be_focused()
    assert sheet(page).evaluate("e => e.scrollTop") == 0
    expect(sheet(page).locator("kbd").first).to_be_in_viewport()
