"""What is analysed, ready to be looked at in parts: values, and words that every subject needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from glossator.app.phrasing import Phrasing, count

MAX_PARTS = 6
PART_TOKENS = 6_000
_SHOWN_FOLDERS = 3

Material = tuple[tuple[str, str], ...]
"""Pairs of a label and a text, to be framed."""


@dataclass(frozen=True, slots=True)
class SubjectPart:
    """A part that one helper can look at. `title` is for people."""

    title: str
    paths: tuple[str, ...]
    task: str
    material: Material


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be analysed. `facts` are the answer without a model, as Markdown.

    `title` heads the answer and `question` stands for it in a session. `task` asks for the whole,
    from `overview` and from what was found out about the `parts`; without parts there is nothing
    that a model could add. `is_change` says that it is a change to be reviewed.
    """

    title: str
    question: str
    task: str
    facts: str
    overview: Material
    parts: tuple[SubjectPart, ...]
    is_change: bool = False


def add_question(task: str, question: str, say: Phrasing) -> str:
    """Return a task, with what is asked in particular if anything is."""
    if not question:
        return task
    return f"{task}\n\n" + say(
        f"Above all, answer this as far as it goes: {question}", f"首先请尽量回答：{question}"
    )


def describe_paths(paths: Sequence[str], say: Phrasing) -> str:
    """Name some files in a few words: by their folders, with how many they are."""
    if len(paths) == 1:
        return f"`{paths[0]}`"
    folders = list(dict.fromkeys(path.rpartition("/")[0] or "." for path in paths))
    named = ", ".join(f"`{folder}/`" for folder in folders[:_SHOWN_FOLDERS])
    if len(folders) > _SHOWN_FOLDERS:
        n_more = len(folders) - _SHOWN_FOLDERS
        named += say(f" and {n_more} more", f" 等另外 {n_more} 个文件夹")
    return named + say(f" ({count(len(paths), 'file')})", f"（{len(paths)} 个文件）")
