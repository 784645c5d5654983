"""Long lists whose rows are not all of one height."""

import pytest
from playwright.sync_api import expect

LONG = " that is so long that it takes several lines on a narrow screen" * 3


def numbers_on_screen(page):
    """The numbers of the items whose rows are seen."""
    return page.evaluate("""() => [...document.querySelectorAll("#open .row")]
      .filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      }).map((row) => Number(row.querySelector(".title").textContent.trim().split(" ")[1]))""")


@pytest.mark.parametrize("long", [range(500), range(500, 1500)], ids=["first", "last"])
def test_rows_are_seen_wherever_a_list_of_two_heights_is_scrolled_to(open_page, todo, long):
    file = todo.folder / "tasks.txt"
    file.write_text("".join(
        f"item {number}{LONG if number in long else ''}\n" for number in range(1500)))
    todo.prompt("import", str(file))
    page = open_page(viewport={"width": 390, "height": 740})
    expect(page.locator(".row").first).to_contain_text("item 0")
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/events" in request.url else 0)
    for part in [0.5, 0.9, 0.3, 0.7]:
        asked.clear()
        page.evaluate("(part) => scrollTo(0, document.documentElement.scrollHeight * part)", part)
        page.wait_for_function("""() => document.elementFromPoint(innerWidth * 0.6, innerHeight / 2)
          ?.closest(".row")""")
        assert len(asked) <= 2, asked
    # The end is the end, though its rows were expected to be higher or lower than they are.
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator(".row").first).to_contain_text("item 0")
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.locator(".row", has_text="item 1499")).to_be_in_viewport()
    # Reading on from anywhere misses no row.
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight * 0.4)")
    page.wait_for_function("""() => document.elementFromPoint(innerWidth * 0.6, innerHeight / 2)
      ?.closest(".row")""")
    last = numbers_on_screen(page)[-1]
    for _ in range(30):
        page.evaluate("scrollBy(0, innerHeight * 0.8)")
        page.wait_for_function("""() => [innerHeight / 2, innerHeight - 60].every((y) =>
          document.elementFromPoint(innerWidth * 0.6, y)?.closest(".row"))""")
        numbers = numbers_on_screen(page)
        assert numbers[0] <= last + 1
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        last = numbers[-1]
