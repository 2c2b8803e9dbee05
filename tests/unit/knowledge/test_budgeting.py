from glossator.core.tokens import estimate_tokens
from glossator.knowledge.budgeting import cut_to_budget
from glossator.knowledge.documents import Section
from glossator.knowledge.index import Hit
from glossator.knowledge.outcomes import Found


def hit(name: str, n_lines: int, score: float = 0.9) -> Hit:
    text = "\n".join(f"{name} line {number} says something" for number in range(n_lines))
    return Hit(Section(name, f"{name}.md", (name,), 11, 10 + n_lines, text), score)


def size(*hits: Hit) -> int:
    return sum(estimate_tokens(each.section.text) for each in hits)


def test_what_fits_is_given_whole_and_in_order() -> None:
    hits = (hit("a", 5), hit("b", 5))

    cut = cut_to_budget(Found(hits, (), 0), limit=6, max_tokens=size(*hits))

    assert cut.hits == hits
    assert (cut.cut, cut.left_out, cut.n_tokens_left_out, cut.n_lines_cut) == (0, (), 0, 0)


def test_a_section_that_does_not_fit_is_left_out_and_counted_while_a_smaller_one_is_given() -> None:
    large, small = hit("large", 50), hit("small", 2)
    first = hit("first", 5)

    cut = cut_to_budget(Found((first, large, small), (), 1), limit=6, max_tokens=size(first, small))

    assert cut.hits == (first, small)
    assert cut.left_out == (large,)
    assert cut.cut == 2
    assert cut.n_tokens_left_out == size(large)


def test_the_first_section_is_cut_at_a_line_rather_than_left_out() -> None:
    first, second = hit("first", 100), hit("second", 2)

    cut = cut_to_budget(Found((first, second), (), 0), limit=6, max_tokens=100)

    (kept,) = cut.hits
    assert first.section.text.startswith(kept.section.text)
    assert size(kept) <= 100
    assert kept.section.last_line == kept.section.first_line + kept.section.text.count("\n")
    assert cut.n_lines_cut == first.section.last_line - kept.section.last_line > 0
    assert cut.left_out == (second,)


def test_one_endless_line_is_given_all_the_same() -> None:
    section = Section("a", "a.md", ("a",), 1, 1, "x" * 10_000)

    cut = cut_to_budget(Found((Hit(section, 0.9),), (), 0), limit=6, max_tokens=10)

    assert cut.hits[0].section == section


def test_sections_over_the_limit_are_left_out_too() -> None:
    hits = tuple(hit(name, 2) for name in "abc")

    cut = cut_to_budget(Found(hits, (), 0), limit=2, max_tokens=10_000)

    assert cut.hits == hits[:2]
    assert cut.left_out == hits[2:]
