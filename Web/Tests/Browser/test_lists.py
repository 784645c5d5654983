"""Categories, the important list and confirmation: the requirements of the third app (MVI)."""

from playwright.sync_api import expect

from parts import add, done_titles, open_group, open_titles, row, sheet, swipe, title


def test_S003_02_S004_16_important_is_pinned_and_takes_nothing(page, todo):
    id = todo.add("bread")
    expect(page.locator("#own .name")).to_have_text(["All", "Important", "No group"])
    page.get_by_role("link", name="Important").click()
    expect(page.get_by_label("New to-do", exact=True)).to_have_count(0)
    expect(page.get_by_role("link", name="Edit group")).to_have_count(0)
    expect(page.locator("#empty label")).to_have_count(0)
    todo.prompt("star", id)
    expect(open_titles(page)).to_have_text("bread")
    assert todo.ask("POST", "/actions", "action=newGroup&text=Important").status == 409


def test_S003_05_a_state_looks_the_same_however_it_was_reached(page, open_page, todo):
    for name in ["one", "two", "three"]:
        add(page, name)
    expect(page.locator(".row")).to_have_count(3)
    row(page, "two").get_by_role("checkbox").click()
    expect(done_titles(page)).to_have_text("two")
    row(page, "one").get_by_role("button", name="Star").click()
    expect(row(page, "one").get_by_role("button", name="Star")).to_have_attribute(
        "aria-pressed", "true")
    state = "[...document.querySelectorAll('.row, #lists li')].map((e) => e.outerHTML)"
    assert page.evaluate(state) == open_page().evaluate(state)


def test_S003_08_the_completed_are_a_section_that_can_be_closed(page, todo):
    todo.add("bread")
    expect(page.locator("#completed-part")).to_be_hidden()
    todo.prompt("done", todo.add("milk"))
    expect(done_titles(page)).to_have_text("milk")
    page.get_by_text("Completed").click()
    expect(title(page, "milk")).to_be_hidden()
    page.get_by_text("Completed").click()
    expect(title(page, "milk")).to_be_visible()


def test_S003_09_a_star_is_toggled(page, todo):
    todo.add("bread")
    star = row(page, "bread").get_by_role("button", name="Star")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "true")
    star.click()
    expect(star).to_have_attribute("aria-pressed", "false")


def test_S003_10_S004_14_one_dialog_makes_and_changes_items(page, todo):
    todo.prompt("group", "add", "home")
    page.get_by_role("link", name="New to-do with all fields").click()
    dialog = sheet(page)
    expect(dialog.get_by_role("heading")).to_have_text("New to-do")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_have_text("Please enter a to-do.")
    dialog.get_by_label("Title").fill("bread")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Details: bread").click()
    expect(dialog.get_by_label("Title")).to_have_value("bread")
    dialog.get_by_label("Title").fill("rye bread")
    dialog.get_by_label("high").check()
    dialog.get_by_label("Due day").fill("2031-02-03")
    dialog.get_by_label("Time").fill("14:30")
    dialog.get_by_label("Group").select_option("home")
    dialog.get_by_label("Tags").fill("shop, two words")
    dialog.get_by_label("Note").fill("with seeds\nsliced")
    dialog.get_by_role("button", name="Save").click()
    item = row(page, "rye bread")
    expect(item.locator(".due")).to_have_text("2031-02-03 14:30")
    expect(item.locator(".badge")).to_have_text("high")
    expect(item.locator(".group")).to_have_text("@home")
    expect(item.locator(".tag")).to_have_text(["#shop", "#two words"])
    expect(item.locator(".note")).to_have_text("with seeds")
    page.keyboard.press("Control+z")
    expect(title(page, "bread")).to_be_visible()


def test_S003_11_groups_are_made_renamed_and_deleted(page, todo):
    page.get_by_label("New group", exact=True).fill("home")
    page.get_by_label("New group", exact=True).press("Enter")
    open_group(page)
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_label("Name").fill("house")
    sheet(page).get_by_role("button", name="Save").click()
    expect(page.locator("#groups .name")).to_have_text("house")
    page.get_by_role("link", name="Edit group").click()
    sheet(page).get_by_role("button", name="Delete group").click()
    sheet(page).get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator("#groups li")).to_have_count(0)


def test_S003_12_what_was_swiped_is_what_is_deleted(open_page, todo):
    for name in ["one", "two", "three"]:
        todo.add(name)
    page = open_page(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    swipe(page, row(page, "two").locator(".card"), -120)
    delete = row(page, "two").get_by_role("button", name="Delete")
    expect(delete).to_be_visible()
    # Swiping alone deletes nothing, however far.
    expect(page.locator(".row")).to_have_count(3)
    delete.tap()
    expect(sheet(page).get_by_role("heading")).to_have_text('Delete "two"?')
    # Another item takes its place while the question is open.
    todo.add("four")
    expect(page.locator(".row")).to_have_count(4)
    sheet(page).get_by_role("button", name="Delete").click()
    expect(open_titles(page)).to_have_text(["one", "three", "four"])
    expect(sheet(page)).to_be_hidden()


def test_S003_12_a_question_about_something_that_changed_is_refused(open_page, todo):
    id = todo.add("bread")
    page = open_page(has_touch=True, viewport={"width": 390, "height": 800})
    swipe(page, row(page, "bread").locator(".card"), -120)
    row(page, "bread").get_by_role("button", name="Delete").tap()
    expect(sheet(page).get_by_role("heading")).to_have_text('Delete "bread"?')
    todo.prompt("edit", id, "rye bread")
    expect(open_titles(page)).to_have_text("rye bread")
    sheet(page).get_by_role("button", name="Delete").click()
    expect(page.locator("#status")).to_contain_text("has changed since")
    expect(sheet(page)).to_be_hidden()
    expect(open_titles(page)).to_have_text("rye bread")


def test_S003_13_an_alert_can_be_dismissed(page, todo):
    page.route("**/actions", lambda route: route.fulfill(
        status=500, content_type="application/json", body='{"error": "The disk is full."}'))
    todo.add("bread")
    row(page, "bread").get_by_role("checkbox").click()
    alert = page.locator("#failure")
    expect(alert).to_be_visible()
    expect(alert).to_contain_text("The disk is full.")
    alert.get_by_role("button", name="OK").click()
    expect(alert).to_be_hidden()
    row(page, "bread").get_by_role("checkbox").click()
    expect(alert).to_be_visible()
    page.unroute("**/actions")
    row(page, "bread").get_by_role("checkbox").click()
    expect(done_titles(page)).to_have_text("bread")
    expect(alert).to_be_hidden()


def test_S003_16_a_dialog_closes_by_escape_and_by_a_press_outside(page, todo):
    todo.add("bread")
    details = page.get_by_role("button", name="Details: bread")
    details.click()
    expect(sheet(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet(page)).to_be_hidden()
    expect(details).to_be_focused()
    details.click()
    sheet(page).get_by_label("Title").fill("never saved")
    page.mouse.click(5, 5)
    expect(sheet(page)).to_be_hidden()
    # The press did nothing else, and the row works as before.
    expect(open_titles(page)).to_have_text("bread")
    row(page, "bread").get_by_role("checkbox").click()
    expect(done_titles(page)).to_have_text("bread")
