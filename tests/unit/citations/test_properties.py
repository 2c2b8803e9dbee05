"""Whatever the notation, a place of a real file is found; whatever the drift, the name is."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from glossator.citations.finding import find_citations
from glossator.citations.judging import FileText, Judge
from glossator.citations.showing import ShownPlaces
from glossator.core.text import SourceText

PATHS = ("src/shop/cart.py", "商店/购物车.py", "my shop/the cart.py", "a-b/c_d.e/f.test.ts", "x.go")
NOTATIONS: tuple[Callable[[str, int, int], str], ...] = (
    lambda path, first, last: f"`{path}:{first}-{last}`",
    lambda path, first, last: f"[it]({path.replace(' ', '%20')}#L{first}-L{last})",
    lambda path, first, last: f"`{path}` (lines {first}-{last})",
    lambda path, first, last: f"`{path}`, lines {first} to {last}",
    lambda path, first, last: f"**`{path}`**: {first}–{last}",
    lambda path, first, last: f"见`{path}`：{first}至{last}。",
    lambda path, first, last: f"（`{path}` 第 {first} 行到第 {last} 行）",
    lambda path, first, last: f"“{path}：{first}－{last}”",
    lambda path, first, last: f"lines {first}-{last} of `{path}`",
    lambda path, first, last: f"`{path.replace('/', chr(92))}:{first}-{last}`",
    lambda path, first, last: f"`b/{path}:{first}-{last}`",
    lambda path, first, last: f"`{path}:{first}:1-{last}:9`",
)
names = st.from_regex(r"[a-z]{3,8}_[0-9]{1,4}", fullmatch=True)


def make_source(path: str, functions: list[str]) -> SourceText:
    text = "".join(f"def {name}(value):\n    return value\n\n\n" for name in functions)
    return SourceText(path, text)


@given(
    path=st.sampled_from(PATHS),
    functions=st.lists(names, min_size=1, max_size=12, unique=True),
    notation=st.sampled_from(NOTATIONS),
    data=st.data(),
)
def test_a_place_of_a_file_is_exact_in_every_notation(
    path: str, functions: list[str], notation: Callable[[str, int, int], str], data: st.DataObject
) -> None:
    source = make_source(path, functions)
    index = data.draw(st.integers(0, len(functions) - 1))
    first, last = 4 * index + 1, 4 * index + 2
    answer = f"The function `{functions[index]}` returns it, {notation(path, first, last)} says so."

    [cited] = find_citations(answer)
    judged = Judge(lambda wanted: [FileText((), source)] if wanted == path else "no-file").judge(
        cited
    )

    assert (judged.verdict, judged.is_proven) == ("exact", True)
    assert (judged.place.first_line, judged.place.last_line) == (first, last)


@given(
    functions=st.lists(names, min_size=1, max_size=12, unique=True),
    n_new=st.integers(4, 40),
    was_read=st.booleans(),
    data=st.data(),
)
def test_lines_put_in_above_move_a_place_to_where_its_name_stands(
    functions: list[str], n_new: int, was_read: bool, data: st.DataObject
) -> None:
    before = make_source("a.py", functions)
    after = SourceText("a.py", "# new\n" * n_new + before.text)
    line = 4 * data.draw(st.integers(0, len(functions) - 1)) + 1
    [cited] = find_citations(f"`{functions[line // 4]}` (a.py:{line})")

    file = FileText((before,) if was_read else (), after)
    judged = Judge(lambda path: [file]).judge(cited)

    assert (judged.verdict, judged.place.first_line) == ("moved", line + n_new)
    assert judged.reason == ("changed" if was_read else "")


pieces = st.sampled_from(
    [
        "a.py", "src/a.py", "仓库.py", "my dir/b.go", ":", "：", "#L", "12", "0", "-3", "9" * 30,
        "-", "–", "至", ", ", "，", " and ", " lines ", " line ", "第", " 行", "行", "(", ")", "（",
        "[", "](", "`", "```\n", "\n", " ", "“", "”", "*", "def f():", "http://x", "C:\\",
        "\\", "/", "…", "\u202e", "\x0c", "\u2028", "\ud800", "L", " of ", "a/", "%20", "%",
        "\\u{202e}", "|",
    ]
)  # fmt: skip


@given(st.lists(pieces, max_size=40).map("".join))
def test_whatever_is_written_is_judged_and_stands_where_it_is_said_to(answer: str) -> None:
    source = SourceText("src/a.py", "def f():\n    return 1\n\n\ndef g():\n    return 2\n")
    judge = Judge(
        lambda path: [FileText((), source)] if path.endswith("a.py") else "no-file",
        ShownPlaces([answer]).hold,
    )

    for cited in find_citations(answer, names=("仓库.py",)):
        judged = judge.judge(cited)

        assert 0 <= cited.start < cited.end <= len(answer)
        if judged.verdict != "missing":
            assert 1 <= judged.place.first_line <= judged.place.last_line <= 6
        else:
            assert judged.reason
