"""Every requirement of the page has a test that is named by its number."""

import requirements


def test_each_requirement_has_a_test():
    assert set(requirements.ASKED) <= set(requirements.tests())
