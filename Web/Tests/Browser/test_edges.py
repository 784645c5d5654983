"""What a careful reader of the page found: input that was lost or sent unasked, links that led elsewhere."""

import json
import re
import resource
import shutil

from playwright.sync_api import expect

from parts import (
    add, drag, open_group, open_titles, row, scroll_to, sheet, tab_to, title, wait_until)
from test_groups import PNG


def test_leaving_an_editor_after_a_conflict_overwrites_nothing(page, todo):
    id = todo.add("bread")
    title(page, "bread").click()
    editor = page.locator("input.retitle")
    editor.fill("white bread")
    todo.prompt("edit", id, "rye bread")
    editor.press("Enter")
    expect(page.locator("#status")).to_contain_text('it is "rye bread" now')
    page.get_by_label("New to-do", exact=True).click()
    add(page, "milk")
    expect(row(page, "milk")).to_be_visible()
    expect(editor).to_have_value("white bread")
    assert "rye bread" in todo.prompt("ls")
    editor.press("Escape")
    expect(open_titles(page)).to_have_text(["rye bread", "milk"])


def test_a_refused_line_is_told_although_the_next_one_is_added(page, todo):
    held = []
    page.route("**/items", lambda route: route.continue_() if held else held.append(route))
    field = page.get_by_label("New to-do", exact=True)
    add(page, "bread due:never")
    add(page, "milk")
    field.fill("eg")
    # The second line is sent once the first is answered.
    wait_until(lambda: len(held) == 1 or page.wait_for_timeout(10))
    held[0].continue_()
    expect(row(page, "milk")).to_be_visible()
    expect(page.locator("#add-error")).to_contain_text("bread due:never: ")
    expect(field).to_have_value("eg")
    field.press("Enter")
    expect(page.locator("#add-error")).to_be_empty()


def press_held(page, key, times):
    for _ in range(times):
        page.keyboard.down(key)
    page.keyboard.up(key)


def test_a_key_that_opens_a_field_writes_nothing_into_it(page, todo):
    todo.add("bread")
    title(page, "bread").focus()
    press_held(page, "e", 4)
    expect(page.locator("input.retitle")).to_have_value("bread")
    page.keyboard.press("Escape")
    press_held(page, "n", 4)
    expect(page.get_by_label("New to-do", exact=True)).to_be_focused()
    expect(page.get_by_label("New to-do", exact=True)).to_have_value("")
    # What is held down there is written.
    press_held(page, "n", 3)
    expect(page.get_by_label("New to-do", exact=True)).to_have_value("nnn")


def test_other_keys_that_are_held_down_do_what_browsers_do(page, todo):
    for text in ["one", "two"]:
        todo.add(text)
    expect(page.locator(".row")).to_have_count(2)
    title(page, "one").focus()
    press_held(page, "Tab", 3)
    # The first one goes to the star.
    for control in [title(page, "one"), row(page, "one").get_by_role("button", name="Star")]:
        expect(control).not_to_be_focused()


def test_a_key_that_is_held_down_is_pressed_once(page, todo):
    for text in ["one", "two", "three", "four"]:
        todo.add(text)
    expect(page.locator(".row")).to_have_count(4)
    title(page, "one").focus()
    press_held(page, "ArrowDown", 2)
    expect(title(page, "three")).to_be_focused()
    press_held(page, "Delete", 5)
    expect(open_titles(page)).to_have_text(["one", "two", "four"])
    title(page, "one").focus()
    press_held(page, "x", 4)
    expect(open_titles(page)).to_have_text(["two", "four"])
    add(page, "five")
    expect(open_titles(page)).to_have_text(["two", "four", "five"])


def test_views_and_orders_keep_the_mode_that_the_page_is_in(page, todo):
    todo.add("bread")
    page.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_role("link", name="Grid").click()
    expect(page).to_have_url(re.compile("view=grid"))
    expect(page.get_by_role("link", name="Done", exact=True)).to_be_visible()
    page.locator("#orders a", has_text="Title").click()
    expect(page).to_have_url(re.compile("sort=title.*mode=edit"))
    page.get_by_role("link", name="Done", exact=True).click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("link", name="Edit", exact=True)).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Light").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert "sort=title" in page.url


def test_links_keep_the_part_of_the_list(long_page, todo):
    scroll_to(long_page, 0.5)
    expect(long_page).to_have_url(re.compile(r"from=4\d\d\d"))
    # Another part may be asked for meanwhile.
    long_page.wait_for_function("""() => {
      const part = new URLSearchParams(location.search).get("from");
      const paths = [...document.querySelectorAll("#edit, .views a")].map((link) => link.href);
      paths.push(document.querySelector(".settings [name=back]").value);
      return paths.every((path) => new URL(path, location.href).searchParams.get("from") === part);
    }""")
    # Another order begins at its first row.
    for link in long_page.locator("#orders a").all():
        assert "from" not in link.get_attribute("href")
    long_page.goto(todo.origin + long_page.locator("#edit").get_attribute("href"))
    expect(long_page.locator("#open .row").first).to_contain_text(re.compile(r"item 4\d\d\d"))


def test_the_important_list_takes_no_items(page, todo):
    answer = todo.ask("POST", "/lists/important/items", "line=bread")
    assert answer.status == 409 and "shows what has a star" in answer.text
    assert "bread" not in todo.prompt("ls")


def test_without_script_a_line_stays_where_the_store_fails(open_page, todo):
    page = open_page(java_script_enabled=False)
    limits = resource.prlimit(todo.server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(todo.server.pid, resource.RLIMIT_FSIZE, (16_384, limits[1]))
    add(page, "bread #shop")
    expect(page.locator("#add-error")).not_to_be_empty()
    expect(page.get_by_label("New to-do", exact=True)).to_have_value("bread #shop")
    resource.prlimit(todo.server.pid, resource.RLIMIT_FSIZE, limits)
    page.get_by_label("New to-do", exact=True).press("Enter")
    expect(open_titles(page)).to_have_text(["bread"])


def test_a_title_of_two_lines_is_not_changed_by_looking_at_it(page, todo):
    (todo.folder / "list.json").write_text(
        json.dumps([{"title": "bread\nmilk"}, {"title": "rye\r\nrice"}]))
    todo.prompt("import", str(todo.folder / "list.json"))
    titles = [r"bread\nmilk", r"rye\r\nrice"]
    assert all(text in todo.prompt("export") for text in titles)
    expect(page.locator(".row")).to_have_count(2)
    for number, shown in enumerate(["bread milk", "rye rice"]):
        item = page.locator(".row").nth(number)
        for key in ["Enter", "Tab"]:
            item.locator("a.title").click()
            page.locator("input.retitle").press(key)
            expect(page.locator("input.retitle")).to_have_count(0)
        item.locator(".details").click()
        expect(sheet(page).get_by_label("Title")).to_have_value(shown)
        sheet(page).get_by_label("Tags").fill("shop")
        sheet(page).get_by_role("button", name="Save").click()
        expect(item.locator(".tag")).to_have_text("#shop")
    assert all(text in todo.prompt("export") for text in titles)
    # One who changes it has seen it.
    page.locator(".row").nth(1).locator("a.title").click()
    page.locator("input.retitle").fill("rye")
    page.locator("input.retitle").press("Enter")
    expect(open_titles(page).nth(1)).to_have_text("rye")


def test_a_drag_is_given_up_by_escape(page, todo):
    for text in ["one", "two", "three"]:
        todo.add(text)
    expect(page.locator(".row")).to_have_count(3)
    row(page, "three").locator(".grip").hover()
    page.mouse.down()
    box = row(page, "one").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 5, steps=4)
    expect(row(page, "three")).to_have_class(re.compile("dragging"))
    page.keyboard.press("Escape")
    expect(row(page, "three")).not_to_have_class(re.compile("dragging"))
    page.mouse.up()
    # A drag that is not given up moves it.
    expect(open_titles(page)).to_have_text(["one", "two", "three"])
    drag(page, row(page, "three").locator(".grip"), row(page, "one"))
    expect(open_titles(page)).to_have_text(["three", "one", "two"])


def test_the_key_of_an_editor_goes_to_the_one_that_is_open(page, todo):
    todo.add("bread")
    title(page, "bread").click()
    page.locator("input.retitle").fill("half wri")
    page.locator("input.retitle").evaluate("e => e.setAttribute('aria-invalid', 'true')")
    page.locator(".row .star").focus()
    page.keyboard.press("e")
    expect(page.locator("input.retitle")).to_be_focused()
    expect(page.locator("input.retitle")).to_have_value("half wri")


def test_a_key_of_a_composition_ends_no_editor(page, todo):
    todo.add("두유")
    for event in [{"isComposing": True}, {"keyCode": 229}]:
        title(page, "두유").click()
        editor = page.locator("input.retitle")
        editor.fill("두유 우")
        editor.evaluate("""(field, event) => field.dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", bubbles: true, ...event }))""", event)
        expect(editor).to_have_value("두유 우")
        editor.press("Escape")
    field = page.get_by_label("New to-do", exact=True)
    field.focus()
    session = page.context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "우", "selectionStart": 1, "selectionEnd": 1})
    field.evaluate("""field => field.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", bubbles: true, isComposing: true }))""")
    expect(field).to_be_focused()
    session.send("Input.insertText", {"text": "우유"})
    field.press("Enter")
    expect(open_titles(page)).to_have_text(["두유", "우유"])


def test_a_refused_form_keeps_the_chosen_file(page, todo, tmp_path):
    (tmp_path / "dot.png").write_bytes(PNG)
    todo.prompt("group", "add", "home")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_label("Picture file").set_input_files(tmp_path / "dot.png")
    sheet(page).get_by_label("Name").fill(" ")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).not_to_be_empty()
    expect(sheet(page).get_by_label("From a file")).to_be_checked()
    sheet(page).get_by_label("Name").fill("house")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("#name")).to_have_text("house")
    assert todo.ask(path=page.locator("#picture img").get_attribute("src")).bytes == PNG


def test_S003_11_a_group_is_renamed_in_place(page, todo):
    todo.prompt("group", "add", "home")
    todo.prompt("group", "add", "work")
    page.locator("#groups a", has_text="home").click()
    expect(page.locator("#name")).to_have_text("home")
    expect(page.locator("#rename")).to_be_hidden()
    page.get_by_role("link", name="Edit", exact=True).click()
    tab_to(page, page.get_by_role("button", name="Rename"))
    page.keyboard.press("Enter")
    page.keyboard.type("work\n")
    # A name that another group has gets a number.
    expect(page.locator("#status")).to_contain_text('Saved as "work (1)".')
    expect(page.locator("#name")).to_have_text("work (1)")
    expect(page.get_by_role("button", name="Rename")).to_be_focused()
    page.keyboard.press("Enter")
    editor = page.locator("input.retitle")
    editor.fill("house")
    todo.prompt("group", "edit", "work (1)", "--name", "flat")
    expect(page.locator("#groups .name").first).to_have_text("flat")
    editor.press("Enter")
    expect(page.locator("#status")).to_contain_text('it is "flat" now')
    editor.press("Escape")
    expect(page.locator("#name")).to_have_text("flat")


def test_a_swipe_over_a_row_that_is_replaced_goes_on(open_page, todo):
    id = todo.add("bread")
    page = open_page(has_touch=True, viewport={"width": 390, "height": 800})
    card = row(page, "bread").locator(".card")
    touch = {"pointerType": "touch", "pointerId": 7, "isPrimary": True, "bubbles": True}
    card.dispatch_event("pointerdown", {**touch, "clientX": 200, "clientY": 100})
    todo.prompt("edit", id, "rye bread")
    expect(row(page, "rye bread")).to_be_visible()
    # An error of the script would fail the test.
    page.locator("#list").dispatch_event("pointermove", {**touch, "clientX": 100, "clientY": 100})
    expect(row(page, "rye bread")).not_to_have_class(re.compile("swip"))


def test_all_texts_are_escaped(page, todo):
    evil = '<img src=x onerror="document.title=1">'
    todo.prompt("group", "add", evil)
    id = todo.add("bread")
    for words in [["mv", id, "@" + evil], ["note", id, evil]]:
        todo.prompt(*words)
    group = page.locator("#groups a .name")
    expect(group).to_have_text(evil)
    expect(row(page, "bread").locator(".note")).to_contain_text("<img")
    page.reload()
    expect(group).to_have_text(evil)
    expect(row(page, "bread").locator(".group")).to_have_text("@" + evil)
    add(page, f'milk due:{evil.replace(" ", "")}')
    expect(page.locator("#add-error")).to_contain_text("<img")
    page.locator("#groups a").click()
    expect(page.locator("#name")).to_have_text(evil)
    page.get_by_role("link", name="Edit group").click()
    expect(sheet(page).get_by_label("Name")).to_have_value(evil)
    sheet(page).get_by_role("button", name="Delete group").click()
    expect(sheet(page).get_by_role("heading")).to_contain_text("<img")
    # Nothing of it became an element.
    assert page.locator("img[src=x]").count() == 0


def test_without_script_the_whole_of_a_long_list_can_be_read(long_list, open_page, todo):
    todo.stop()
    for file in long_list.folder.glob("list.croft*"):
        shutil.copy(file, todo.folder)
    todo.start()
    page = open_page(java_script_enabled=False)
    expect(page.locator(".row")).to_have_count(200)
    expect(page.get_by_role("link", name="Earlier to-dos")).to_have_count(0)
    page.get_by_role("link", name="More to-dos").click()
    expect(open_titles(page).first).to_have_text("item 200")
    page.get_by_role("link", name="Earlier to-dos").click()
    expect(open_titles(page).first).to_have_text("item 0")
    page.goto(todo.origin + "/lists/all?from=9800")
    expect(page.get_by_role("link", name="More to-dos")).to_have_count(0)
    expect(open_titles(page).last).to_have_text("item 9999")
