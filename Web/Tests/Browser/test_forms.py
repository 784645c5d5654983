"""The forms of items and groups: where they fit, what they ask for, and what they say."""

import json

import pytest
from playwright.sync_api import expect

from parts import item_id, open_group, open_titles, row, sheet, title
from test_groups import PNG


def overflow(element):
    return element.evaluate("e => e.scrollWidth - e.clientWidth")


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_details_fit_on_a_narrow_screen(open_page, todo, width):
    todo.add("bread", "due:2031-02-03", "every:week")
    size = {"width": width, "height": 700}
    page = open_page(viewport=size, is_mobile=True)
    page.get_by_role("button", name="Details: bread").click()
    expect(sheet(page)).to_be_visible()
    assert overflow(sheet(page)) <= 0
    path = "/items/" + item_id(page, "bread")
    for script in [True, False]:
        alone = open_page(path, viewport=size, java_script_enabled=script, is_mobile=True)
        expect(alone.get_by_label("Due day")).to_have_value("2031-02-03")
        box = alone.locator("main").bounding_box()
        for field in ["Title", "Due day", "Time", "Note"]:
            inner = alone.get_by_label(field).bounding_box()
            assert inner["x"] >= box["x"]
            assert inner["x"] + inner["width"] <= box["x"] + box["width"] <= width


def test_the_editor_of_a_title_covers_no_line_below_it(page, todo):
    todo.add("bread", "due:2031-02-03", "#shop")
    title(page, "bread").click()
    editor = page.locator("input.retitle")
    expect(editor).to_be_focused()
    # Its outline is two pixels wide.
    box = editor.bounding_box()
    assert box["y"] + box["height"] + 2 <= page.locator(".facts").bounding_box()["y"]


def test_a_handle_can_be_hit(open_page, todo):
    todo.add("bread")
    for width in [320, 1000]:
        page = open_page(viewport={"width": width, "height": 700})
        row(page, "bread").hover()
        hits = row(page, "bread").locator(".grip").evaluate("""grip => {
          const { left, right, top, bottom } = grip.getBoundingClientRect();
          const corners = [[left + 1, top + 1], [right - 1, top + 1], [left + 1, bottom - 1],
            [right - 1, bottom - 1]].map(([x, y]) => document.elementFromPoint(x, y)?.className);
          return [right - left, bottom - top, ...corners];
        }""")
        assert hits == [24, 24, "grip", "grip", "grip", "grip"]


def test_the_details_show_and_change_how_an_item_repeats(page, todo):
    todo.add("bread", "due:2031-02-03", "every:week", "wait:2001-01-01", "est:1h")
    page.get_by_role("button", name="Details: bread").click()
    plan = sheet(page).get_by_label("Repeats")
    expect(plan).to_have_value("every:week wait:2001-01-01 est:1h")
    plan.fill("every:never")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text("never")
    plan.fill("매월:1일")
    sheet(page).get_by_label("Tags").fill("#shop, home")
    sheet(page).get_by_role("button", name="Save").click()
    expect(row(page, "bread").locator(".repeats")).to_contain_text("every month")
    expect(row(page, "bread").locator(".tag")).to_have_text(["#shop", "#home"])
    page.get_by_role("button", name="Details: bread").click()
    expect(plan).not_to_have_value("")
    plan.fill("")
    sheet(page).get_by_role("button", name="Save").click()
    expect(row(page, "bread").locator(".repeats")).to_have_count(0)


def edit_group(page):
    open_group(page)
    page.get_by_role("link", name="Edit group").click()


def test_a_file_that_is_chosen_is_the_picture(page, todo, tmp_path):
    (tmp_path / "dot.png").write_bytes(PNG)
    todo.prompt("group", "add", "home")
    edit_group(page)
    choice, file = sheet(page).get_by_label("From a file"), sheet(page).get_by_label("Picture file")
    file.set_input_files(tmp_path / "dot.png")
    expect(choice).to_be_checked()
    # Another choice gives the file up.
    sheet(page).get_by_label("Drawn").check()
    expect(file).to_have_value("")
    file.set_input_files(tmp_path / "dot.png")
    expect(choice).to_be_checked()
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("#picture img")).to_be_visible()
    assert todo.ask(path=page.locator("#picture img").get_attribute("src")).bytes == PNG


def test_without_script_a_file_that_is_sent_is_the_picture(open_page, todo, tmp_path):
    (tmp_path / "dot.png").write_bytes(PNG)
    page = open_page("/groups/new", java_script_enabled=False)
    page.get_by_label("Name").fill("home")
    page.get_by_label("First to-dos, at least one").fill("bread")
    page.get_by_label("Picture file").set_input_files(tmp_path / "dot.png")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#name")).to_have_text("home")
    assert todo.ask(path=page.locator("#picture img").get_attribute("src")).bytes == PNG


def test_a_picture_that_is_too_large_is_told_the_limit(page, todo, tmp_path):
    (tmp_path / "large.png").write_bytes(PNG + bytes(6_000_000))
    todo.prompt("group", "add", "home")
    edit_group(page)
    sheet(page).get_by_label("Picture file").set_input_files(tmp_path / "large.png")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_have_text(
        "The picture is too large: the maximum is 5 MB.")


def test_a_random_picture_without_a_network_is_told_in_one_language(open_page, todo):
    # Nothing listens at this port.
    todo.restart(TODO_IMAGE_SERVER="http://127.0.0.1:1")
    todo.prompt("group", "add", "home")
    page = open_page(cookies=[("todo-language", "ko")])
    open_group(page)
    page.get_by_role("link", name="그룹 편집").click()
    sheet(page).get_by_label("개나 고양이 사진").check()
    sheet(page).get_by_role("button", name="저장").click()
    expect(sheet(page).get_by_role("alert")).to_have_text(
        "그림을 가져올 수 없습니다: 서버에 연결할 수 없습니다.")


def test_a_group_that_was_deleted_comes_back_by_the_toast(page, todo):
    """The page of a group that is gone is left by two ways, of which one says nothing."""
    todo.prompt("group", "add", "home")
    todo.add("bread", "@home")
    edit_group(page)
    sheet(page).get_by_role("button", name="Delete group").click()
    sheet(page).get_by_role("button", name="Delete", exact=True).click()
    status = page.get_by_role("status").first
    expect(status).to_contain_text("Deleted.")
    expect(page).to_have_url(todo.origin + "/lists/all")
    expect(page.locator("#groups a")).to_have_count(0)
    status.get_by_role("button", name="Undo").click()
    expect(page.locator("#groups .name")).to_have_text(["home"])
    expect(open_titles(page)).to_have_text(["bread"])


def test_a_group_that_does_not_exist_is_said_not_to(page, todo):
    todo.prompt("group", "add", "home")
    page.get_by_label("New to-do", exact=True).fill("bread @homme")
    expect(page.locator(".chip.missing")).to_have_text("No such group homme")
    page.get_by_label("New to-do", exact=True).fill("bread @home")
    expect(page.locator(".chip.group")).to_have_text("Group home")
    expect(page.locator(".chip.missing")).to_have_count(0)


def test_a_page_that_does_not_exist_is_named_so(open_page):
    expect(open_page("/lists/nothing")).to_have_title("There is no such page. – todo")


def test_a_link_that_was_used_opens_the_list_of_its_browser(open_page, todo):
    page = open_page()
    link = todo.link()
    page.goto(link)
    expect(page).to_have_url(todo.origin + "/lists/all")
    page.goto(link)
    expect(page).to_have_url(todo.origin + "/lists/all")
    expect(page.locator("#list")).to_be_visible()


def test_characters_that_act_on_a_page_are_shown_as_signs(page, todo):
    """A mark that turns the direction of writing turned what came after the title too."""
    answer = todo.ask(
        "POST", "/lists/all/items", "line=a%00b%E2%80%AEc+%23t%E2%80%AEg", Accept="application/json")
    assert "said" in json.loads(answer.text)
    expect(open_titles(page)).to_have_text(["a\ufffdb\ufffdc"])
    expect(page.locator(".tag")).to_have_text(["#t\ufffdg"])
    assert all(sign not in todo.ask().text for sign in "\0\u202e")
    page.get_by_label("New to-do", exact=True).fill("x\u202ey")
    expect(page.locator(".chip").first).to_have_text("Title x\ufffdy")
    id = page.locator(".row").get_attribute("data-id")
    assert "a\ufffdb\ufffdc" in todo.ask("POST", "/actions", f"action=delete+{id}").text
    # Its details can be saved, and the title can be edited: what is shown is what it was.
    page.get_by_role("button", name="Details:").click()
    sheet(page).get_by_label("Note").fill("note")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator(".note")).to_have_text("note")
    open_titles(page).click()
    page.locator("input.retitle").fill("abc")
    page.locator("input.retitle").press("Enter")
    expect(open_titles(page)).to_have_text(["abc"])
