"""The page in a browser; a test is named by the number of the requirement that it shows."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect


def titles(page, part="open"):
    return page.locator(f"#{part} .title").all_inner_texts()


def add(page, line):
    page.get_by_label("New to-do").fill(line)
    page.get_by_label("New to-do").press("Enter")


def row(page, title):
    return page.locator(".row", has=page.get_by_text(title, exact=True))


def test_S000_01_a_group_is_made(page):
    page.get_by_label("New group").fill("집안일")
    page.get_by_label("New group").press("Enter")
    expect(page.locator("#lists").get_by_text("집안일")).to_be_visible()


def test_S000_03_a_group_is_deleted_once_confirmed(page, todo):
    todo.prompt("group", "add", "home")
    todo.add("bread", "@home")
    page.get_by_role("link", name="home").click()
    page.get_by_role("button", name="Delete group").click()
    expect(page.get_by_role("heading")).to_have_text('Delete group "home" and 1 to-do?')
    page.get_by_role("link", name="Cancel").click()
    expect(page.locator("#name")).to_have_text("home")
    page.get_by_role("button", name="Delete group").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("#name")).to_have_text("All")
    assert "home" not in todo.prompt("group")


def test_S000_04_an_item_is_added_by_the_grammar_of_the_prompt(page, todo):
    todo.prompt("group", "add", "집안일")
    add(page, "우유 사기 @집안일 due:2031-02-03 !high #장보기")
    item = row(page, "우유 사기")
    expect(item.locator(".due")).to_have_text("2031-02-03")
    expect(item.locator(".badge")).to_have_text("high")
    expect(item.locator(".tag")).to_have_text("#장보기")
    expect(item.locator(".group")).to_have_text("@집안일")
    expect(page.get_by_label("New to-do")).to_have_value("")


def test_S000_05_a_title_is_edited_in_place(page, todo):
    todo.add("bread")
    page.get_by_text("bread", exact=True).dblclick()
    page.locator("input.retitle").fill("rye bread")
    page.locator("input.retitle").press("Enter")
    expect(page.locator("#open .title")).to_have_text("rye bread")
    page.locator("#open .title").press("Enter")
    page.locator("input.retitle").fill("nothing")
    page.locator("input.retitle").press("Escape")
    expect(page.locator("#open .title")).to_have_text("rye bread")
    assert "rye bread" in todo.prompt("ls")


def test_S000_06_a_deletion_is_taken_back_by_the_toast(page, todo):
    todo.add("bread")
    row(page, "bread").get_by_role("button", name="Delete").click()
    expect(page.locator(".row")).to_have_count(0)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(page.locator("#open .title")).to_have_text("bread")


def test_S000_07_S002_06_S003_08_a_checked_item_is_among_the_completed(page, todo):
    todo.add("bread")
    todo.add("milk")
    row(page, "bread").get_by_role("checkbox").click()
    expect(page.locator("#completed s.title")).to_have_text("bread")
    assert titles(page) == ["milk"]
    row(page, "bread").get_by_role("checkbox").click()
    expect(page.locator("#open .title")).to_have_count(2)
    expect(page.locator("#completed-part")).to_be_hidden()


def test_S000_08_an_item_is_moved_by_the_keyboard(page, todo):
    for title in ["one", "two", "three"]:
        todo.add(title)
    expect(page.locator("#open .title")).to_have_text(["one", "two", "three"])
    page.get_by_text("three", exact=True).focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#open .title")).to_have_text(["one", "three", "two"])
    expect(page.get_by_text("three", exact=True)).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#open .title")).to_have_text(["three", "one", "two"])


def test_S000_09_the_ring_shows_the_progress(page, todo):
    todo.prompt("group", "add", "home")
    id = todo.add("bread", "@home")
    todo.add("milk", "@home")
    todo.prompt("done", id)
    expect(page.locator("#lists .groups").get_by_role("img", name="50%")).to_be_visible()


def test_S000_14_an_empty_list_says_so(page):
    expect(page.locator("#empty")).to_be_visible()
    add(page, "bread")
    expect(page.locator("#empty")).to_be_hidden()


def test_S002_02_an_empty_title_is_refused_under_the_field(page):
    add(page, "   ")
    expect(page.get_by_role("alert")).to_have_text("Please enter a to-do.")
    add(page, "bread due:never")
    expect(page.get_by_role("alert")).to_contain_text("never")
    expect(page.get_by_label("New to-do")).to_have_value("bread due:never")
    add(page, "bread")
    expect(page.locator("#add-error")).to_have_text("")


def test_S002_15_what_the_prompt_does_appears(page, todo):
    id = todo.add("bread")
    expect(page.locator("#open .title")).to_have_text("bread")
    todo.prompt("edit", id, "rye bread")
    expect(page.locator("#open .title")).to_have_text("rye bread")
    todo.prompt("done", id)
    expect(page.locator("#completed .title")).to_have_text("rye bread")
    todo.prompt("rm", id, "--yes")
    expect(page.locator(".row")).to_have_count(0)


def test_S003_02_important_is_pinned_and_takes_nothing(page, todo):
    id = todo.add("bread")
    page.get_by_role("link", name="Important").click()
    expect(page.get_by_label("New to-do")).to_have_count(0)
    expect(page.get_by_role("button", name="Rename")).to_have_count(0)
    todo.prompt("star", id)
    expect(page.locator("#open .title")).to_have_text("bread")


def test_S003_09_a_star_is_toggled(page, todo):
    todo.add("bread")
    star = row(page, "bread").get_by_role("button", name="Star")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")


def test_S004_04_a_reserved_name_is_refused(page, todo):
    page.get_by_label("New group").fill("Important")
    page.get_by_label("New group").press("Enter")
    expect(page.locator("#status")).to_contain_text("belongs to a list of its own")
    assert "Important" not in todo.prompt("group")


def test_S004_06_a_title_that_changed_meanwhile_is_a_conflict(page, todo):
    id = todo.add("bread")
    page.get_by_text("bread", exact=True).dblclick()
    page.locator("input.retitle").fill("white bread")
    todo.prompt("edit", id, "rye bread")
    expect(page.locator("#name")).to_have_text("All")
    page.locator("input.retitle").press("Enter")
    expect(page.locator("#status")).to_contain_text(
        'it is "rye bread" now, and you wanted "white bread"')
    expect(page.locator("input.retitle")).to_have_value("white bread")
    page.locator("input.retitle").press("Escape")
    expect(page.locator("#open .title")).to_have_text("rye bread")


def test_S004_08_the_order_is_in_the_address(page, todo):
    for title in ["beta", "alpha"]:
        todo.add(title)
    page.get_by_role("link", name="Title").click()
    expect(page).to_have_url(re.compile(r"sort=title"))
    assert titles(page) == ["alpha", "beta"]
    page.reload()
    assert titles(page) == ["alpha", "beta"]
    page.go_back()
    expect(page.locator("#open .title")).to_have_text(["beta", "alpha"])


def test_two_tabs_and_the_prompt_show_one_list(page, todo):
    other = page.context.new_page()
    other.goto(todo.origin + "/lists/all")
    add(page, "bread")
    expect(other.locator("#open .title")).to_have_text("bread")
    add(other, "milk")
    expect(page.locator("#open .title")).to_have_text(["bread", "milk"])
    assert "milk" in todo.prompt("ls")


def test_an_open_editor_keeps_its_text_and_caret(page, todo):
    todo.add("bread")
    page.get_by_text("bread", exact=True).dblclick()
    page.locator("input.retitle").press_sequentially("white ")
    todo.add("milk")
    expect(page.locator(".row")).to_have_count(2)
    expect(page.locator("input.retitle")).to_be_focused()
    page.locator("input.retitle").press_sequentially("bread")
    expect(page.locator("input.retitle")).to_have_value("white bread")


def test_undo_and_redo_by_keys(page):
    add(page, "bread")
    expect(page.locator(".row")).to_have_count(1)
    page.locator("#open .title").focus()
    page.keyboard.press("Control+z")
    expect(page.locator(".row")).to_have_count(0)
    page.locator("#undo").focus()
    page.keyboard.press("Control+Shift+z")
    expect(page.locator(".row")).to_have_count(1)


def test_texts_are_escaped(page, todo):
    todo.add('<img src=x onerror="document.title=1">')
    expect(page.locator("#open .title")).to_have_text('<img src=x onerror="document.title=1">')
    page.reload()
    expect(page.locator("#open .title")).to_have_text('<img src=x onerror="document.title=1">')
    assert page.locator("#open img").count() == 0


def test_a_large_change_sends_the_page_anew(page, todo):
    lines = [word for number in range(150) for word in ("-c", f"add item{number}")]
    todo.prompt(*lines)
    expect(page.locator(".row")).to_have_count(150)
    todo.prompt("rm", "--all", "--yes")
    expect(page.locator(".row")).to_have_count(0)


def test_without_script_forms_do_the_work(browser, todo):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(todo.link())
    add(page, "  ")
    expect(page.get_by_role("alert")).to_have_text("Please enter a to-do.")
    add(page, "bread")
    expect(page.locator("#open .title")).to_have_text("bread")
    row(page, "bread").get_by_role("checkbox").click()
    expect(page.locator("#completed .title")).to_have_text("bread")
    row(page, "bread").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator(".row")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#completed .title")).to_have_text("bread")
    context.close()


def test_a_narrow_page_does_not_scroll_sideways(browser, todo):
    todo.add("a title " + "that is long " * 10, "#tag", "due:2031-02-03")
    context = browser.new_context(viewport={"width": 320, "height": 600})
    page = context.new_page()
    page.goto(todo.link())
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()


def test_axe_finds_nothing(browser, todo):
    todo.prompt("group", "add", "home")
    todo.add("bread", "@home", "due:2001-01-01", "#tag")
    todo.prompt("done", todo.add("milk"))
    for scheme in ["light", "dark"]:
        context = browser.new_context(color_scheme=scheme, bypass_csp=True)
        page = context.new_page()
        page.goto(todo.link())
        for path in ["/lists/all", "/lists/important"]:
            page.goto(todo.origin + path)
            results = Axe().run(page)
            assert results.violations_count == 0, results.generate_report()
        context.close()
