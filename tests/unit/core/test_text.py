from glossator.core.text import SourceText, contains_chinese, split_lines


def test_lines_end_where_an_editor_ends_them_and_nowhere_else() -> None:
    text = "a\fb\u2028c\x0bd\x85e\nf\r\ng\rh"

    assert split_lines(text) == ["a\fb\u2028c\x0bd\x85e", "f", "g", "h"]


def test_a_final_line_break_does_not_start_another_line() -> None:
    assert split_lines("a\n") == ["a"]
    assert split_lines("a\n\n") == ["a", ""]
    assert split_lines("") == []


def test_kept_ends_join_to_the_same_text() -> None:
    text = "a\r\n\rb\n\nc"

    assert "".join(split_lines(text, keep_ends=True)) == text


def test_equal_texts_have_equal_hashes_even_with_a_lone_surrogate() -> None:
    first = SourceText("a.py", "x = '\udcff'")
    second = SourceText("b.py", "x = '\udcff'")

    assert first.content_hash == second.content_hash


def test_a_single_han_character_makes_a_chinese_question() -> None:
    assert contains_chinese("what is 锁?")
    assert not contains_chinese("naïve café ？")
