"""Parts of the page that tests look for."""

import re
import time

from playwright.sync_api import expect


def open_titles(page):
    return page.locator("#open .title")


def done_titles(page):
    return page.locator("#completed .title")


def row(page, title):
    return page.locator(".row", has=page.get_by_text(title, exact=True))


def title(page, text):
    return row(page, text).locator(".title")


def add(page, line):
    field = page.get_by_label("New to-do", exact=True)
    field.fill(line)
    field.press("Enter")


def open_group(page):
    """Opens the only group; the script of its page has run then, without which a link opens no dialog."""
    with page.expect_navigation():
        page.locator("#groups a").click()


def sheet(page):
    return page.get_by_role("dialog")


def item_id(page, text):
    """The whole id of the item with a title."""
    return row(page, text).get_attribute("data-id")


def group_id(page, name):
    return page.locator("#groups a", has_text=re.compile(re.escape(name))).get_attribute("data-list")


def wait_until(holds):
    """Waits until something holds that is not on a page; after ten seconds it is an error."""
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def scroll_to(page, part):
    page.evaluate("(part) => scrollTo(0, document.documentElement.scrollHeight * part)", part)


def hide(page, is_hidden):
    """Puts the page into the background, as a browser tells it."""
    page.evaluate("""(isHidden) => {
      Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }""", is_hidden)


def drag(page, handle, target, *, below=False):
    """Drags with the mouse, in some steps; `below` is the lower half of the target."""
    handle.hover()
    page.mouse.down()
    box = target.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] * (0.8 if below else 0.2)
    page.mouse.move(x, y, steps=8)
    page.mouse.up()


def swipe(page, target, by, down=0):
    """Moves one finger over something, and rests before it lifts it.

    The browser makes the touches itself: of touches sent one by one, one in some thousands got no answer.
    """
    box = target.bounding_box()
    session = page.context.new_cdp_session(page)
    session.send("Input.synthesizeScrollGesture", {
        "x": box["x"] + box["width"] * 0.6, "y": box["y"] + box["height"] / 2,
        "xDistance": by, "yDistance": down, "preventFling": True, "speed": 600,
        "gestureSourceType": "touch"})
    session.detach()
    # The row glides to where it stays. The wait has a limit: an animation may never finish.
    target.evaluate("""card => Promise.race([
        Promise.allSettled(card.getAnimations().map((a) => a.finished)),
        new Promise((resolve) => setTimeout(resolve, 2000))])""")


def tab_to(page, target, key="Tab"):
    """Presses a key until something has the focus."""
    expect(target).to_be_visible()
    for _ in range(80):
        if target.evaluate("e => e === document.activeElement"):
            return
        page.keyboard.press(key)
    assert False, f"{target} cannot be reached by {key}"


def states(todo):
    """Pages of each kind, with something on them."""
    todo.prompt("group", "add", "home")
    todo.prompt("group", "add", "work", "--color", "#ffcc00")
    todo.prompt("group", "image", "work", "drawn")
    todo.add("bread", "@home", "due:2001-01-01", "#tag", "!high")
    todo.prompt("done", todo.add("milk"))
