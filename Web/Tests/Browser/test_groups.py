"""Groups: the requirements of the first app (MVC)."""

import base64
import http.server
import json
import threading

import pytest
from playwright.sync_api import expect

from parts import (
    add, done_titles, drag, group_id, item_id, open_group, open_titles, row, sheet, title, wait_until)

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.fixture
def animals():
    """A server with the interface of The Dog API, on this machine."""

    class Handler(http.server.BaseHTTPRequestHandler):
        requests = []
        fails = False

        def do_GET(self):
            Handler.requests.append((self.path, self.headers.get("x-api-key")))
            if Handler.fails:
                return self.send_error(503)
            if self.path.startswith("/v1/"):
                port = self.server.server_port
                body = json.dumps([{"url": f"http://127.0.0.1:{port}/dog.png"}]).encode()
                kind = "application/json"
            else:
                body, kind = PNG, "image/png"
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    Handler.address = f"http://127.0.0.1:{server.server_port}"
    yield Handler
    server.shutdown()
    server.server_close()


def test_S000_01_a_group_is_made_by_a_form(page, todo):
    page.get_by_label("New group", exact=True).fill("집안일")
    page.get_by_label("New group", exact=True).press("Enter")
    expect(page.locator("#groups").get_by_text("집안일")).to_be_visible()
    expect(page.get_by_label("New group", exact=True)).to_have_value("")
    assert "집안일" in todo.prompt("group")


def test_S000_02_a_group_is_changed_in_its_form(page, todo):
    todo.prompt("group", "add", "home", "--color", "#112233")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    expect(sheet(page).get_by_label("Name")).to_have_value("home")
    expect(sheet(page).get_by_label("Color")).to_have_value("#112233")
    sheet(page).get_by_label("Name").fill("house")
    sheet(page).get_by_label("Color").fill("#445566")
    sheet(page).get_by_label("Drawn").check()
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page)).to_be_hidden()
    expect(page.locator("#name")).to_have_text("house")
    expect(page.locator("#picture img")).to_be_visible()
    expect(page.locator("#groups .part")).to_have_attribute("stroke", "#445566")


def test_S000_03_a_group_is_deleted_once_confirmed(page, todo):
    todo.prompt("group", "add", "home")
    todo.add("bread", "@home")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_role("button", name="Delete group").click()
    expect(sheet(page).get_by_role("heading")).to_have_text('Delete group "home" and 1 to-do?')
    sheet(page).get_by_role("link", name="Cancel").click()
    expect(sheet(page)).to_be_hidden()
    assert "home" in todo.prompt("group")
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_role("button", name="Delete group").click()
    sheet(page).get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator("#name")).to_have_text("All")
    assert "home" not in todo.prompt("group")


def test_S000_04_a_row_adds_an_item_to_the_open_group(page, todo):
    todo.prompt("group", "add", "집안일")
    open_group(page)
    add(page, "우유 사기")
    expect(open_titles(page)).to_have_text("우유 사기")
    page.locator("#own a").first.click()
    expect(row(page, "우유 사기").locator(".group")).to_have_text("@집안일")


def test_S000_05_a_title_is_edited_in_place(page, todo):
    todo.add("bread")
    title(page, "bread").click()
    page.locator("input.retitle").fill("rye bread")
    page.locator("input.retitle").press("Enter")
    expect(open_titles(page)).to_have_text("rye bread")
    expect(open_titles(page)).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("input.retitle").fill("nothing")
    page.locator("input.retitle").press("Escape")
    expect(open_titles(page)).to_have_text("rye bread")
    assert "rye bread" in todo.prompt("ls")


def test_S000_06_a_deletion_is_taken_back_by_the_toast(page, todo):
    todo.add("bread")
    row(page, "bread").hover()
    row(page, "bread").get_by_role("button", name="Delete").click()
    expect(page.locator(".row")).to_have_count(0)
    page.get_by_role("status").get_by_role("button", name="Undo").click()
    expect(open_titles(page)).to_have_text("bread")


def test_S000_07_S002_06_a_check_box_completes_and_crosses_out(page, todo):
    todo.add("bread")
    todo.add("milk")
    row(page, "bread").get_by_role("checkbox").click()
    expect(page.locator("#completed .title s")).to_have_text("bread")
    expect(row(page, "bread").get_by_role("checkbox")).to_be_checked()
    expect(open_titles(page)).to_have_text(["milk"])
    row(page, "bread").get_by_role("checkbox").click()
    expect(open_titles(page)).to_have_text(["bread", "milk"])
    expect(page.locator("#completed-part")).to_be_hidden()


def test_S000_08_an_item_is_dragged(page, todo):
    for name in ["one", "two", "three"]:
        todo.add(name)
    expect(open_titles(page)).to_have_text(["one", "two", "three"])
    row(page, "three").hover()
    drag(page, row(page, "three").locator(".grip"), row(page, "one"))
    expect(open_titles(page)).to_have_text(["three", "one", "two"])
    drag(page, row(page, "three").locator(".grip"), row(page, "one"), below=True)
    expect(open_titles(page)).to_have_text(["one", "three", "two"])
    assert todo.prompt("ls", "--sort", "manual").index("three") < todo.prompt(
        "ls", "--sort", "manual").index("two")


def test_S000_08_an_item_is_dragged_to_another_group(page, todo):
    todo.prompt("group", "add", "home")
    todo.add("bread")
    expect(open_titles(page)).to_have_text("bread")
    drag(page, row(page, "bread").locator(".grip"), page.locator("#groups a"))
    expect(row(page, "bread").locator(".group")).to_have_text("@home")


def test_S000_08_an_item_is_moved_by_keys(page, todo):
    todo.prompt("group", "add", "home")
    todo.prompt("group", "add", "work")
    for name in ["one", "two", "three"]:
        todo.add(name)
    expect(open_titles(page)).to_have_text(["one", "two", "three"])
    title(page, "three").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(open_titles(page)).to_have_text(["one", "three", "two"])
    expect(title(page, "three")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    expect(open_titles(page)).to_have_text(["three", "one", "two"])
    page.keyboard.press("Alt+ArrowDown")
    expect(open_titles(page)).to_have_text(["one", "three", "two"])
    for group in ["@home", "@work"]:
        page.keyboard.press("Alt+Shift+ArrowDown")
        expect(row(page, "three").locator(".group")).to_have_text(group)
    page.locator("#groups a", has_text="work").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#groups .name")).to_have_text(["work", "home"])


def test_S000_09_a_ring_shows_the_progress(page, open_page, todo):
    todo.prompt("group", "add", "home")
    expect(page.locator("#groups").get_by_role("img", name="0%")).to_be_visible()
    first = todo.add("bread", "@home")
    second = todo.add("milk", "@home")
    todo.prompt("done", first)
    expect(page.locator("#groups").get_by_role("img", name="50%")).to_be_visible()
    still = open_page(reduced_motion="reduce")
    for shown in [page, still]:
        shown.evaluate("""() => {
          const animate = Element.prototype.animate;
          window.turned = 0;
          Element.prototype.animate = function (...rest) {
            if (this.matches(".part")) window.turned++;
            return animate.apply(this, rest);
          };
        }""")
    todo.prompt("done", second)
    for shown in [page, still]:
        expect(shown.locator("#groups").get_by_role("img", name="100%")).to_be_visible()
    assert page.evaluate("window.turned") == 1 and still.evaluate("window.turned") == 0


def test_S000_10_S000_37_pictures_come_from_the_store(page, todo, animals):
    todo.restart(TODO_IMAGE_SERVER=animals.address, TODO_IMAGE_KEY="secret-key")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(todo.origin + "/lists/all")
    todo.prompt("group", "add", "home")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_label("A dog or a cat").check()
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("#picture img")).to_be_visible()
    picture = page.locator("#picture img").get_attribute("src")
    answer = todo.ask(path=picture)
    assert (answer.status, answer.bytes, answer.getheader("Content-Type")) == (200, PNG, "image/png")
    # The server asked with the key; the browser asked the server alone, and got no key.
    assert ("secret-key" in str(animals.requests[0])) and animals.requests[1][1] is None
    assert all(url.startswith(todo.origin) for url in asked)
    assert "secret-key" not in page.content()
    # A server that fails leaves the group as it is.
    animals.fails = True
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_label("A dog or a cat").check()
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text("503")
    assert todo.ask(path=picture).bytes == PNG


def test_S000_10_a_picture_of_a_file_is_stored(page, todo, tmp_path):
    (tmp_path / "dot.png").write_bytes(PNG)
    (tmp_path / "text.png").write_bytes(b"no picture")
    todo.prompt("group", "add", "home")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_label("From a file").check()
    sheet(page).get_by_label("Picture file").set_input_files(tmp_path / "text.png")
    sheet(page).get_by_role("button", name="Save").click()
    expect(sheet(page).get_by_role("alert")).to_contain_text("not a picture")
    sheet(page).get_by_label("From a file").check()
    sheet(page).get_by_label("Picture file").set_input_files(tmp_path / "dot.png")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("#picture img")).to_be_visible()
    assert todo.ask(path=page.locator("#picture img").get_attribute("src")).bytes == PNG


def test_S000_11_a_group_has_a_colour(page, todo):
    page.get_by_role("link", name="New group with a picture").click()
    expect(sheet(page).get_by_label("Color")).to_have_attribute("type", "color")
    sheet(page).get_by_label("Name").fill("home")
    sheet(page).get_by_label("Color").fill("#123456")
    sheet(page).get_by_label("First to-dos").fill("bread")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("#groups .color")).to_have_attribute("fill", "#123456")


def test_S000_12_groups_are_a_list_or_a_grid(page, todo):
    todo.prompt("group", "add", "home")
    page.get_by_role("link", name="Grid").click()
    expect(page).to_have_url(todo.origin + "/lists/all?view=grid")
    expect(page.locator("#lists")).to_have_class("grid")
    page.reload()
    expect(page.locator("#groups")).to_have_css("display", "grid")
    open_group(page)
    expect(page.locator("#lists")).to_have_class("grid")
    page.go_back()
    page.go_back()
    expect(page.locator("#lists")).to_have_class("list")


def test_S000_13_light_and_dark_by_the_system_or_by_choice(open_page):
    def back(page):
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    light, dark = open_page(color_scheme="light"), open_page(color_scheme="dark")
    colors = [back(light), back(dark)]
    assert colors[0] != colors[1]
    light.get_by_role("button", name="Dark").click()
    expect(light.locator("html")).to_have_attribute("data-theme", "dark")
    assert back(light) == colors[1]
    light.reload()
    assert back(light) == colors[1]
    light.get_by_role("button", name="Auto").click()
    expect(light.get_by_role("button", name="Auto")).to_have_attribute("aria-pressed", "true")
    assert back(light) == colors[0]


def test_S000_14_S002_11_an_empty_list_has_a_picture_and_a_button(page):
    expect(page.locator("#empty svg")).to_be_visible()
    page.locator("#empty").get_by_text("Add the first one").click()
    expect(page.get_by_label("New to-do", exact=True)).to_be_focused()
    page.keyboard.type("bread\n")
    expect(open_titles(page)).to_have_text("bread")
    expect(page.locator("#empty")).to_be_hidden()


def test_S000_15_lists_details_and_editing_are_reached_by_links(page, todo):
    todo.prompt("group", "add", "home")
    todo.add("bread", "@home")
    page.get_by_role("navigation", name="Lists").get_by_role("link", name="home").click()
    expect(page.locator("#name")).to_have_text("home")
    page.get_by_role("button", name="Details: bread").click()
    expect(sheet(page).get_by_label("Title")).to_have_value("bread")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Edit", exact=True).click()
    expect(page.get_by_role("link", name="Done")).to_be_visible()


def test_S000_16_a_new_group_lacks_one_thing_at_a_time(page, todo):
    page.get_by_role("link", name="New group with a picture").click()
    alert = sheet(page).get_by_role("alert")
    sheet(page).get_by_label("From a file").check()
    sheet(page).get_by_role("button", name="Save").click()
    expect(alert).to_have_text("Please choose a picture.")
    sheet(page).get_by_label("Drawn").check()
    sheet(page).get_by_role("button", name="Save").click()
    expect(alert).to_have_text("Please enter a name for the group.")
    sheet(page).get_by_label("Name").fill("home")
    sheet(page).get_by_role("button", name="Save").click()
    expect(alert).to_have_text("Please enter at least one to-do.")
    assert "home" not in todo.prompt("group")
    sheet(page).get_by_label("First to-dos").fill("bread\nmilk")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("home")
    expect(page.locator("#groups .number")).to_have_text("2")


def test_S000_17_S004_01_S004_03_each_view_is_html_of_the_server(todo, page):
    todo.prompt("group", "add", "home")
    todo.add("bread")
    expect(open_titles(page)).to_have_text("bread")
    item, group = item_id(page, "bread"), group_id(page, "home")
    for path, text in {
        "/lists/all": "bread", f"/items/{item}": "bread", "/items/new": "New to-do",
        f"/groups/{group}/edit": "home", "/groups/new": "First to-dos", "/help": "Ctrl+Z",
    }.items():
        answer = todo.ask(path=path)
        assert (answer.status, answer.getheader("Content-Type")) == (200, "text/html; charset=utf-8")
        assert text in answer.text and answer.text.startswith("<!doctype html>")


def test_S000_18_S000_36_S003_04_each_action_is_one_post(todo, page):
    todo.prompt("group", "add", "home")
    todo.add("bread")
    expect(open_titles(page)).to_have_text("bread")
    item, group = item_id(page, "bread"), group_id(page, "home")

    def post(body, path="/actions"):
        answer = todo.ask("POST", path, body, Accept="application/json")
        return answer.status, json.loads(answer.text)

    for body in [
        f"action=done+{item}", f"action=reopen+{item}", f"action=star+{item}",
        f"action=unstar+{item}", f"action=priority&id={item}&priority=high",
        f"action=group&id={item}&group={group}", f"action=retitle&id={item}&text=milk&was=bread",
        f"action=move&id={item}&to=first", f"action=renameGroup&id={group}&text=house",
        "action=newGroup&text=work", f"action=delete&ask=no&id={item}", "action=undo",
        "action=redo",
    ]:
        status, answer = post(body)
        assert status == 200 and answer["said"], body
    status, answer = post(f"action=deleteGroup+{group}")
    assert status == 200 and "Delete group &quot;house&quot;" in answer["html"]
    assert post("line=bread+!h", "/lists/all/items")[0] == 200
    assert post("action=format")[0] == 400


def test_S000_20_the_first_paint_comes_from_the_server(open_page, todo):
    todo.add("bread")
    page = open_page(java_script_enabled=False)
    expect(open_titles(page)).to_have_text("bread")


def test_S000_21_an_answer_comes_after_the_commit(todo):
    for number in range(5):
        todo.ask("POST", "/lists/all/items", f"line=bread{number}+!h")
        assert f"bread{number}" in todo.prompt("ls")


def test_S000_30_an_action_of_one_page_is_done_once_with_many_pages_open(open_page, todo):
    pages = [open_page() for _ in range(3)]
    add(pages[0], "bread")
    for page in pages:
        expect(open_titles(page)).to_have_text(["bread"])
    assert todo.prompt("ls").count("bread") == 1


def test_S000_32_a_page_that_is_closed_listens_no_more(open_page, todo):
    kept = open_page()
    todo.add("milk")
    expect(open_titles(kept)).to_have_text(["milk"])
    streams = todo.connections()
    others = [open_page() for _ in range(5)]
    for other in others:
        expect(open_titles(other)).to_have_text(["milk"])
    wait_until(lambda: todo.connections() >= streams + 5)
    for other in others:
        other.context.close()
    wait_until(lambda: todo.connections() <= streams)
    add(kept, "bread")
    expect(open_titles(kept)).to_have_text(["milk", "bread"])
    row(kept, "bread").get_by_role("checkbox").click()
    expect(done_titles(kept)).to_have_text(["bread"])
