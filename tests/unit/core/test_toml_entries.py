from glossator.core.locations import Range
from glossator.core.toml_entries import list_entries

TEXT = """\
# Comment
[check] # of conventions
onSave = false # not on save
"exclude" = [
  "a#b", # one
  'c',
]
note = '''
x = 1
[y]
'''

[agent]
a.b = "x # y"
inline = {c = 1, d = 2}
"""


def text_at(place: Range) -> str:
    lines = TEXT.split("\n")[place.start.line - 1 : place.end.line]
    lines[-1] = lines[-1][: place.end.column]
    lines[0] = lines[0][place.start.column :]
    return "\n".join(lines)


def test_every_entry_is_found_where_it_stands() -> None:
    found = []
    for entry in list_entries(TEXT):
        places = [each for each in (entry.key_range, entry.value_range) if each is not None]
        found.append((entry.key, entry.value, *map(text_at, places)))

    assert found == [
        ("check", None, "check"),
        ("check.onSave", False, "onSave", "false"),
        ("check.exclude", ["a#b", "c"], '"exclude"', "[\n  \"a#b\", # one\n  'c',\n]"),
        ("check.note", "x = 1\n[y]\n", "note", "'''\nx = 1\n[y]\n'''"),
        ("agent", None, "agent"),
        ("agent.a.b", "x # y", "a.b", '"x # y"'),
        ("agent.inline", {"c": 1, "d": 2}, "inline", "{c = 1, d = 2}"),
    ]


def test_windows_line_ends_move_nothing() -> None:
    [header, entry] = list_entries("[agent]\r\ntoolRounds = 3\r\n")

    assert (header.key_range.start.line, entry.key_range.start.line) == (1, 2)
    assert entry.value_range is not None
    assert (entry.value_range.start.column, entry.value_range.end.column) == (13, 14)
