import pytest

from glossator.app.phrasing import Phrasing
from glossator.lsp.versions import explain_mismatch


@pytest.mark.parametrize("plugin", ["0.4.0", "0.4.9", "0.4", "", "of my own making", "9" * 50])
def test_a_plug_in_of_the_same_first_two_numbers_fits_and_one_without_is_not_judged(
    plugin: str,
) -> None:
    assert explain_mismatch(plugin, "0.4.2", Phrasing(is_chinese=False)) == ""


@pytest.mark.parametrize(("plugin", "update"), [("0.5.0", "server"), ("0.3.9", "plug-in")])
def test_the_older_one_is_to_be_updated(plugin: str, update: str) -> None:
    assert explain_mismatch(plugin, "0.4.2", Phrasing(is_chinese=False)).endswith(
        f"update the {update}."
    )


def test_it_is_told_in_chinese_too() -> None:
    assert explain_mismatch("1.0", "0.4.2", Phrasing(is_chinese=True)).endswith("请更新服务器。")
