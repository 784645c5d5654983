"""Drags, messages and editors while something else happens."""

import re
import resource

from playwright.sync_api import expect

from parts import hide, open_titles, row, title


def test_a_row_that_changes_while_it_is_dragged_is_put_where_it_is_dropped(page, todo):
    todo.prompt("group", "add", "home")
    ids = [todo.add(name) for name in ["one", "two", "three"]]
    expect(open_titles(page)).to_have_text(["one", "two", "three"])
    row(page, "one").locator(".grip").hover()
    page.mouse.down()
    over = row(page, "three").bounding_box()
    page.mouse.move(over["x"] + 300, over["y"] + over["height"] * 0.8, steps=5)
    todo.prompt("tag", ids[0], "shop")
    expect(row(page, "one").locator(".tag")).to_have_text("#shop")
    group = page.locator("#groups a")
    over = group.bounding_box()
    page.mouse.move(over["x"] + 20, over["y"] + 10, steps=5)
    expect(row(page, "one")).to_have_class(re.compile("dragging"))
    page.mouse.up()
    expect(row(page, "one").locator(".group")).to_have_text("@home")
    expect(open_titles(page)).to_have_text(["one", "two", "three"])


def test_a_failure_of_the_store_is_told_once(page, todo):
    todo.add("bread")
    page.route("**/actions", lambda route: route.fulfill(
        status=500, content_type="application/json", body='{"error": "The disk is full."}'))
    row(page, "bread").get_by_role("checkbox").click()
    expect(page.locator("#failure")).to_contain_text("The disk is full.")
    expect(page.locator("#status")).to_have_text("")


def test_a_lost_request_is_forgotten_while_events_still_come(page, todo):
    todo.add("bread")
    page.route("**/actions", lambda route: route.abort())
    row(page, "bread").get_by_role("button", name="Star").click()
    expect(page.locator("#connection")).to_have_text("Reconnecting…")
    # Nothing is sent, and nothing changes.
    expect(page.locator("#connection")).to_have_text("")


def test_a_page_that_nobody_sees_has_no_connection(long_page):
    page = long_page
    page.add_init_script("""
      window.opened = [];
      window.EventSource = class extends EventSource {
        constructor(...rest) { super(...rest); window.opened.push(this); }
      };
    """)
    page.reload()
    page.wait_for_function("() => window.opened[0]?.readyState === EventSource.OPEN")
    # Other rows are asked for, and have not come.
    page.route("**/events*", lambda route: None)
    with page.expect_request("**/events*"):
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight / 2)")
    hide(page, True)
    closed = page.evaluate("opened.map((source) => source.readyState === EventSource.CLOSED)")
    assert closed == [True, True]


def test_a_row_shows_no_old_state_when_its_editor_is_closed(page, todo):
    id = todo.add("bread")
    todo.prompt("edit", id, "rye")
    title(page, "rye").click()
    todo.prompt("tag", id, "shop")
    todo.prompt("group", "add", "home")
    # The tag came before the group, and waits for the editor.
    expect(page.locator("#groups a")).to_have_count(1)
    hide(page, True)
    todo.prompt("undo")
    todo.prompt("undo")
    hide(page, False)
    expect(page.locator("#groups a")).to_have_count(0)
    page.locator("input.retitle").press("Escape")
    expect(title(page, "rye")).to_be_visible()
    expect(page.locator(".tag")).to_have_count(0)


def test_an_item_is_dragged_with_a_finger(open_page, todo):
    for text in ["one", "two", "three"]:
        todo.add(text)
    page = open_page(has_touch=True, viewport={"width": 390, "height": 800})
    grip = row(page, "three").locator(".grip")
    box, target = grip.bounding_box(), row(page, "one").bounding_box()
    session = page.context.new_cdp_session(page)
    session.send("Input.synthesizeScrollGesture", {
        "x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "xDistance": 0,
        # The first 15 points tell the browser that the finger moves.
        "yDistance": target["y"] + 20 - box["y"] - box["height"] / 2, "preventFling": True,
        "speed": 400, "gestureSourceType": "touch"})
    session.detach()
    expect(open_titles(page)).to_have_text(["three", "one", "two"])


def test_a_store_that_fails_is_told_until_it_works_again(page, todo):
    todo.add("bread")
    star = row(page, "bread").get_by_role("button", name="Star")
    expect(star).to_be_visible()
    # On a full disk only what a file has already can be written; the limit of the process is like that.
    limits = resource.prlimit(todo.server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(todo.server.pid, resource.RLIMIT_FSIZE, (16_384, limits[1]))
    star.click()
    alert = page.locator("#failure")
    expect(alert).to_be_visible()
    expect(star).to_have_attribute("aria-pressed", "false")
    # What others commit says nothing of this write.
    todo.add("milk")
    expect(row(page, "milk")).to_be_visible()
    expect(alert).to_be_visible()
    resource.prlimit(todo.server.pid, resource.RLIMIT_FSIZE, limits)
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    expect(alert).to_be_hidden()
    page.reload()
    expect(star).to_have_attribute("aria-pressed", "true")
