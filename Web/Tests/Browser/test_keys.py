"""The keys that work wherever the focus is, and how to turn them off."""

import re

from playwright.sync_api import expect

from parts import sheet


def test_keys_that_work_everywhere_can_be_turned_off(page):
    page.keyboard.press("?")
    switch = sheet(page).get_by_role("group", name="Keys n, / and ?")
    expect(switch.get_by_role("button", name="On")).to_have_attribute("aria-pressed", "true")
    # The script of the page has run when the page is loaded.
    with page.expect_navigation():
        switch.get_by_role("button", name="Off").click()
    page.keyboard.press("n")
    expect(page.get_by_label("New to-do", exact=True)).not_to_be_focused()
    page.keyboard.press("?")
    expect(sheet(page)).to_be_hidden()
    # The list of keys is opened by its link; there they are turned on.
    page.get_by_role("link", name=re.compile("Keyboard shortcuts")).click()
    expect(switch.get_by_role("button", name="Off")).to_have_attribute("aria-pressed", "true")
    with page.expect_navigation():
        switch.get_by_role("button", name="On").click()
    page.keyboard.press("n")
    expect(page.get_by_label("New to-do", exact=True)).to_be_focused()
