"""How the page is used: quick add, without script, by keys, narrow, in both schemes and languages."""

import os
import pathlib
import re

import pytest
from playwright.sync_api import expect

from parts import add, done_titles, open_titles, row, sheet, states, swipe, title


def test_quick_add_reads_the_grammar_of_the_prompt(page, todo):
    todo.prompt("group", "add", "집안일")
    add(page, "우유 사기 @집안일 due:2031-02-03 !high #장보기")
    item = row(page, "우유 사기")
    expect(item.locator(".due")).to_have_text("2031-02-03")
    expect(item.locator(".badge")).to_have_text("high")
    expect(item.locator(".tag")).to_have_text("#장보기")
    expect(item.locator(".group")).to_have_text("@집안일")
    expect(page.get_by_label("New to-do", exact=True)).to_have_value("")


def test_a_link_on_another_page_opens_the_list(browser, todo):
    """The cookie was not sent with the redirect, so that the link was used and the answer 401."""
    todo.add("bread")
    context = browser.new_context()
    page = context.new_page()
    page.set_content(f'<a href="{todo.link()}">list</a>')
    page.get_by_role("link", name="list").click()
    expect(title(page, "bread")).to_be_visible()
    assert page.url == todo.origin + "/lists/all"
    context.close()


def test_what_is_understood_is_shown_while_typing(page, todo):
    todo.prompt("group", "add", "집안일")
    field = page.get_by_label("New to-do", exact=True)
    field.press_sequentially("우유 사기 @집안일 due:tomorrow !high #장보기")
    expect(page.locator(".chip")).to_have_text([
        "Title 우유 사기", "Group 집안일", "Due day Tomorrow", "Priority high", "Tag #장보기"])
    field.fill("milk due:never")
    expect(page.locator(".chip.wrong")).to_contain_text("never")
    field.fill("")
    expect(page.locator(".chip")).to_have_count(0)


def test_a_group_that_does_not_exist_is_made_once_confirmed(page, todo):
    add(page, "bread @bakery")
    expect(page.locator("#add-error")).to_have_text('There is no group "bakery" yet.')
    assert "bakery" not in todo.prompt("group")
    page.get_by_role("button", name="Make the group and add").click()
    expect(row(page, "bread").locator(".group")).to_have_text("@bakery")


def test_korean_is_typed_by_composition(page):
    field = page.get_by_label("New to-do", exact=True)
    field.focus()
    session = page.context.new_cdp_session(page)
    for text in ["ㅇ", "우", "우ㅇ", "우유"]:
        session.send("Input.imeSetComposition", {
            "text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    expect(page.locator(".chip").first).to_have_text("Title 우유")
    session.send("Input.insertText", {"text": "우유"})
    expect(field).to_have_value("우유")
    field.press("Enter")
    expect(open_titles(page)).to_have_text(["우유"])
    # A title in place is typed so too, and the keys of the page wait for the end.
    title(page, "우유").click()
    page.locator("input.retitle").select_text()
    session.send("Input.imeSetComposition", {"text": "두", "selectionStart": 1, "selectionEnd": 1})
    page.locator("input.retitle").dispatch_event("keydown", {"key": "Escape", "isComposing": True})
    session.send("Input.insertText", {"text": "두유"})
    page.locator("input.retitle").press("Enter")
    expect(open_titles(page)).to_have_text(["두유"])


def test_an_open_editor_keeps_its_text_and_caret(page, todo):
    todo.add("bread")
    title(page, "bread").click()
    page.locator("input.retitle").press("Home")
    page.locator("input.retitle").press_sequentially("white ")
    todo.add("milk")
    expect(page.locator(".row")).to_have_count(2)
    expect(page.locator("input.retitle")).to_be_focused()
    page.locator("input.retitle").press_sequentially("toast ")
    expect(page.locator("input.retitle")).to_have_value("white toast bread")


def test_undo_and_redo_by_button_and_by_keys(page):
    expect(page.locator("#undo")).to_be_disabled()
    add(page, "bread")
    expect(page.locator(".row")).to_have_count(1)
    page.locator("#undo").click()
    expect(page.locator(".row")).to_have_count(0)
    page.locator("#redo").click()
    expect(page.locator(".row")).to_have_count(1)
    title(page, "bread").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".row")).to_have_count(0)
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".row")).to_have_count(1)


def test_everything_works_by_keys(page, todo):
    todo.add("one")
    todo.add("two")
    expect(page.locator(".row")).to_have_count(2)
    page.keyboard.press("n")
    expect(page.get_by_label("New to-do", exact=True)).to_be_focused()
    page.keyboard.type("three\n")
    expect(page.locator(".row")).to_have_count(3)
    title(page, "one").focus()
    page.keyboard.press("ArrowDown")
    expect(title(page, "two")).to_be_focused()
    page.keyboard.press("s")
    expect(row(page, "two").get_by_role("button", name="Star")).to_have_attribute(
        "aria-pressed", "true")
    page.keyboard.press("1")
    expect(row(page, "two").locator(".badge")).to_have_text("high")
    expect(title(page, "two")).to_be_focused()
    page.keyboard.press("o")
    expect(sheet(page).get_by_label("Title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sheet(page)).to_be_hidden()
    title(page, "two").focus()
    page.keyboard.press("x")
    expect(done_titles(page)).to_have_text("two")
    title(page, "one").focus()
    page.keyboard.press("Delete")
    expect(title(page, "one")).to_have_count(0)
    expect(title(page, "three")).to_be_focused()
    page.keyboard.press("?")
    expect(sheet(page)).to_contain_text("Keyboard shortcuts")
    for key in ["Ctrl+Z", "Alt+Shift+↑", "Delete"]:
        expect(sheet(page).locator("kbd").get_by_text(key, exact=True)).to_be_visible()


def test_letters_that_are_typed_into_a_field_are_no_shortcuts(page, todo):
    todo.add("bread")
    page.get_by_label("New to-do", exact=True).press_sequentially("xsn?1")
    expect(page.get_by_label("New to-do", exact=True)).to_have_value("xsn?1")
    expect(done_titles(page)).to_have_count(0)
    expect(sheet(page)).to_be_hidden()


def test_a_vertical_touch_scrolls_and_a_short_one_uncovers_nothing(open_page, todo):
    todo.add("bread")
    page = open_page(has_touch=True, viewport={"width": 390, "height": 800})
    card = row(page, "bread").locator(".card")
    for by, down in [(-20, 0), (-60, 150), (0, 150)]:
        swipe(page, card, by, down)
        expect(row(page, "bread")).not_to_have_class(re.compile("swip"))
    swipe(page, card, -120)
    expect(row(page, "bread").get_by_role("button", name="Delete")).to_be_visible()
    swipe(page, card, 120)
    expect(row(page, "bread").get_by_role("button", name="Delete")).to_be_hidden()


def test_texts_are_escaped(page, todo):
    text = '<img src=x onerror="document.title=1">'
    todo.add(text)
    expect(open_titles(page)).to_have_text(text)
    page.reload()
    expect(open_titles(page)).to_have_text(text)
    page.get_by_label("New to-do", exact=True).fill(text)
    expect(page.locator(".chip").first).to_contain_text("<img")
    assert page.locator("main img:not(#picture img)").count() == 0


def test_without_script_forms_do_the_work(open_page, todo):
    todo.prompt("group", "add", "home")
    page = open_page(java_script_enabled=False)
    add(page, "  ")
    expect(page.locator("#add-error")).to_have_text("Please enter a to-do.")
    add(page, "bread")
    expect(open_titles(page)).to_have_text("bread")
    expect(page.locator("#status")).to_have_text("Added.")
    row(page, "bread").get_by_role("checkbox").click()
    expect(done_titles(page)).to_have_text("bread")
    title(page, "bread").click()
    page.get_by_label("Title").fill("rye bread")
    page.get_by_label("Group").select_option("home")
    page.get_by_role("button", name="Save").click()
    expect(row(page, "rye bread").locator(".group")).to_have_text("@home")
    row(page, "rye bread").hover()
    row(page, "rye bread").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading")).to_have_text('Delete "rye bread"?')
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".row")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(done_titles(page)).to_have_text("rye bread")
    page.get_by_role("link", name="New group with a picture").click()
    page.get_by_label("Name").fill("work")
    page.get_by_label("First to-dos").fill("report")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#name")).to_have_text("work")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_role("button", name="Delete all…").click()
    page.get_by_label("Type 1").fill("1")
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".row")).to_have_count(0)
    page.get_by_role("button", name="한국어").click()
    expect(page.locator("#count")).to_have_text("0개 가운데 0개 남음")


def test_the_page_speaks_korean_too(open_page, todo):
    todo.add("우유", "due:today")
    page = open_page(cookies=[("todo-language", "ko")])
    expect(page.locator("html")).to_have_attribute("lang", "ko")
    expect(page.locator("#count")).to_have_text("1개 가운데 1개 남음")
    expect(row(page, "우유").locator(".due")).to_have_text("오늘")
    page.get_by_label("새 할일", exact=True).fill(" ")
    page.get_by_label("새 할일", exact=True).press("Enter")
    expect(page.locator("#add-error")).to_have_text("할일을 입력해주세요!")
    # Events come in the language of the page.
    todo.add("빵", "!high")
    expect(row(page, "빵").locator(".badge")).to_have_text("높음")


@pytest.mark.parametrize("view", ["list", "grid"])
def test_a_narrow_page_does_not_scroll_sideways(open_page, todo, view):
    todo.prompt("group", "add", "a-group-with-a-name-that-has-no-blanks-and-does-not-fit")
    todo.prompt("group", "add", "home")
    todo.add("a title " + "that is long " * 10 + "x" * 60, "#tag", "due:2031-02-03", "@home")
    page = open_page("/lists/all?view=" + view, viewport={"width": 320, "height": 600})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.get_by_role("link", name="New group with a picture").click()
    expect(sheet(page)).to_be_visible()
    assert sheet(page).evaluate("e => e.scrollWidth <= e.clientWidth")


def test_screenshots_are_kept_for_people(open_page, todo):
    folder = os.environ.get("TODO_SCREENSHOTS")
    if not folder:
        return
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    states(todo)

    def keep(name, path="/lists/all", prepare=None, **options):
        page = open_page(path, **options)
        expect(page.locator("h1").first).to_be_visible()
        if prepare:
            prepare(page)
        page.screenshot(path=f"{folder}/{name}.png", full_page=prepare is None)

    def type_line(page):
        page.get_by_label("New to-do", exact=True).fill("buy milk @home due:tomorrow !high #shop")
        expect(page.locator(".chip")).to_have_count(5)

    def open_details(page):
        page.get_by_role("button", name="Details: bread").click()
        expect(sheet(page)).to_be_visible()

    wide, narrow = {"width": 1200, "height": 800}, {"width": 320, "height": 700}
    keep("1-list-light", viewport=wide)
    keep("2-grid-dark-korean", "/lists/all?view=grid", viewport=wide, color_scheme="dark",
         cookies=[("todo-language", "ko")])
    keep("3-typing", prepare=type_line, viewport=wide)
    keep("4-details", prepare=open_details, viewport=wide)
    keep("5-narrow", viewport=narrow, color_scheme="dark")
    keep("6-empty", "/lists/important", viewport=wide)
