"""What is done while an earlier write is under way: nothing is ignored, and nothing is cleared."""

import pytest
from playwright.sync_api import expect

from parts import done_titles, open_titles, row, sheet, title


@pytest.fixture
def answers(page):
    """Holds the answers to writes back until the test lets them go."""
    page.evaluate("""() => {
      const ask = window.fetch;
      window.held = [];
      window.fetch = async (path, options) => {
        const answer = await ask(path, options);
        if (options?.method) await new Promise((go) => window.held.push(go));
        return answer;
      };
      window.letGo = async () => {
        while (window.held.length === 0) await new Promise(requestAnimationFrame);
        window.held.shift()();
      };
    }""")
    return lambda: page.evaluate("window.letGo()")


def new_item(page):
    return page.get_by_label("New to-do", exact=True)


def test_lines_typed_fast_arrive_all_and_in_their_order(page, answers):
    lines = ["one", "two", "two", "three"]
    for line in lines:
        # Letter by letter: the line before must not be in the field any more.
        new_item(page).press_sequentially(line)
        new_item(page).press("Enter")
    new_item(page).press_sequentially("fo")
    for _ in lines:
        answers()
    expect(open_titles(page)).to_have_text(lines)
    # The answers leave alone what is being typed, and where.
    expect(new_item(page)).to_have_value("fo")
    expect(new_item(page)).to_be_focused()


def test_an_answer_takes_the_focus_from_nothing(page, answers, todo):
    todo.prompt("group", "add", "home")
    new_item(page).press_sequentially("one")
    new_item(page).press("Enter")
    page.get_by_label("New group", exact=True).focus()
    answers()
    expect(page.locator("#status")).to_contain_text("Added.")
    expect(page.get_by_label("New group", exact=True)).to_be_focused()


def test_a_refused_line_comes_back_or_is_named(page, answers):
    new_item(page).press_sequentially("bread due:never")
    new_item(page).press("Enter")
    expect(new_item(page)).to_have_value("")
    answers()
    expect(new_item(page)).to_have_value("bread due:never")
    expect(new_item(page)).to_have_attribute("aria-invalid", "true")
    # The next line is being typed already when this one is refused.
    new_item(page).press("Enter")
    new_item(page).press_sequentially("milk")
    answers()
    expect(page.locator("#add-error")).to_contain_text("bread due:never: ")
    expect(new_item(page)).to_have_value("milk")
    new_item(page).press("Enter")
    answers()
    expect(open_titles(page)).to_have_text("milk")
    expect(page.locator("#add-error")).to_have_text("")


def test_groups_typed_fast_arrive_all(page, answers):
    field = page.get_by_label("New group", exact=True)
    for name in ["home", "work"]:
        field.press_sequentially(name)
        field.press("Enter")
    field.press_sequentially("Important")
    answers()
    answers()
    expect(page.locator("#groups .name")).to_have_text(["home", "work"])
    expect(field).to_have_value("Important")
    field.press("Enter")
    answers()
    expect(page.locator("#status")).to_contain_text("belongs to a list of its own")
    expect(field).to_have_value("Important")


def test_each_key_moves_a_row_further(page, todo, answers):
    for name in ["one", "two", "three", "four"]:
        todo.add(name)
    for group in ["home", "work", "shop"]:
        todo.prompt("group", "add", group)
    expect(open_titles(page)).to_have_text(["one", "two", "three", "four"])
    title(page, "four").focus()
    for _ in range(3):
        page.keyboard.press("Alt+ArrowUp")
    # The event of the first commit shows what is between; the last keys began after it.
    expect(open_titles(page)).to_have_text(["one", "two", "four", "three"])
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowUp")
    for _ in range(5):
        answers()
    expect(open_titles(page)).to_have_text(["four", "one", "two", "three"])
    expect(title(page, "four")).to_be_focused()
    for _ in range(2):
        page.keyboard.press("Alt+Shift+ArrowDown")
    expect(row(page, "four").locator(".group")).to_have_text("@home")
    page.keyboard.press("Alt+Shift+ArrowDown")
    for _ in range(3):
        answers()
    expect(row(page, "four").locator(".group")).to_have_text("@shop")
    page.locator("#groups a", has_text="shop").focus()
    for _ in range(2):
        page.keyboard.press("Alt+ArrowUp")
    answers()
    answers()
    expect(page.locator("#groups .name")).to_have_text(["shop", "home", "work"])


def test_a_key_after_a_move_that_was_refused_begins_where_the_row_is(page, todo):
    for name in ["one", "two", "three"]:
        todo.add(name)
    expect(open_titles(page)).to_have_text(["one", "two", "three"])
    page.route("**/actions", lambda route: route.fulfill(
        status=409, content_type="application/json", body='{"error": "It is not possible."}'))
    title(page, "three").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#status")).to_contain_text("It is not possible.")
    page.unroute("**/actions")
    page.keyboard.press("Alt+ArrowUp")
    expect(open_titles(page)).to_have_text(["one", "three", "two"])
    # A row that came meanwhile is passed too.
    todo.prompt("mv", todo.add("four"), "top")
    expect(open_titles(page)).to_have_text(["four", "one", "three", "two"])
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    expect(open_titles(page)).to_have_text(["three", "four", "one", "two"])


def test_a_form_is_sent_once_however_often_its_button_is_pressed(page, answers):
    page.get_by_role("link", name="New to-do with all fields").click()
    sheet(page).get_by_label("Title").fill("bread")
    sheet(page).get_by_role("button", name="Save").dblclick()
    answers()
    expect(sheet(page)).to_be_hidden()
    expect(open_titles(page)).to_have_text(["bread"])
    assert page.evaluate("window.held.length") == 0


def test_the_answer_to_a_form_leaves_the_next_one_open(page, answers, todo):
    todo.add("bread")
    page.get_by_role("button", name="Details: bread").click()
    sheet(page).get_by_label("Title").fill("rye bread")
    sheet(page).get_by_role("button", name="Save").click()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="New to-do with all fields").click()
    sheet(page).get_by_label("Title").fill("milk")
    answers()
    expect(page.locator("#status")).to_contain_text("Changed.")
    expect(sheet(page).get_by_label("Title")).to_have_value("milk")


def test_a_box_and_the_undo_of_it_are_done_in_their_order(page, todo):
    todo.add("bread")
    row(page, "bread").get_by_role("checkbox").click()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    expect(done_titles(page)).to_have_text("bread")
