from glossator.citations.showing import ShownPlaces

READ = "`src/a.py`, lines 10-20 of 90\n\n10| x\n"


def test_lines_that_were_read_were_shown() -> None:
    shown = ShownPlaces([READ])

    assert shown.hold("src/a.py", 12, 12)
    assert shown.hold("src/a.py", 1, 90)
    assert not shown.hold("src/a.py", 30, 40)
    assert not shown.hold("src/b.py", 12, 12)


def test_a_line_close_to_one_that_was_shown_is_no_invention() -> None:
    shown = ShownPlaces(["src/a.py:10: hit"])

    assert shown.hold("src/a.py", 7, 7)
    assert not shown.hold("src/a.py", 6, 6)


def test_a_path_may_be_written_from_a_higher_or_a_lower_folder() -> None:
    shown = ShownPlaces(
        ["a.py:3 and shop/src/b.py:4", "place=src/c.py:5", "src\\d.py:6", "my e.py:7"]
    )

    assert shown.hold("src/a.py", 3, 3)
    assert shown.hold("src/b.py", 4, 4)
    assert shown.hold("src/c.py", 5, 5)
    assert shown.hold("src/d.py", 6, 6)
    assert shown.hold("my e.py", 7, 7)


def test_numbered_lines_belong_to_the_file_named_above_them() -> None:
    outline = "`src/a.py` (Python): 1 functions\n\n   20-40| def f()\n      41| x = 1\n\nsrc/b.py\n"
    shown = ShownPlaces([outline])

    assert shown.hold("src/a.py", 30, 30)
    assert not shown.hold("src/a.py", 60, 60)
    assert not shown.hold("src/b.py", 30, 30)


def test_the_lines_of_a_diff_are_those_of_the_new_side() -> None:
    diff = (
        "--- a/src/a.py\n+++ b/src/a.py\n@@ -90,3 +10,3 @@\n  10| x\n    |-y\n  11|+z\n"
        "@@ -190,2 +110,2 @@\n 110|+w\n… 3 more lines of this diff are not shown\n 300| no row\n"
    )
    shown = ShownPlaces([diff])

    assert shown.hold("src/a.py", 11, 11)
    assert shown.hold("src/a.py", 110, 110)
    assert not shown.hold("src/a.py", 90, 90)
    assert not shown.hold("src/a.py", 300, 300)


def test_ranges_behind_a_name_of_a_file_are_shown() -> None:
    shown = ShownPlaces(["src/\n  a.py: class A 27-41, f() 44-60\n  b.py: g() 100-110 (v1-2)\n"])

    assert shown.hold("src/a.py", 50, 50)
    assert not shown.hold("src/a.py", 100, 100)
    assert shown.hold("src/b.py", 105, 105)


def test_a_file_that_quotes_numbers_of_another_is_no_listing_of_it() -> None:
    shown = ShownPlaces(["`src/b.py`, lines 79-80 of 80\n\n79| see a.py\n80| 80-90| x\n"])

    assert not shown.hold("src/a.py", 80, 80)
    assert shown.hold("src/b.py", 80, 80)


def test_a_long_run_without_blanks_beside_a_name_costs_no_time() -> None:
    shown = ShownPlaces([f"src/a.py:4 {'x' * 200_000} lines 7-9"])

    assert shown.hold("src/a.py", 4, 4)
    assert shown.hold("src/a.py", 9, 9)
