from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.model.thinking import ThinkSplitter


def _split(pieces: list[str]) -> tuple[str, str]:
    splitter = ThinkSplitter()
    parts = [part for piece in pieces for part in splitter.feed(piece)] + splitter.close()
    reasoning, text = ("".join(t for kind, t in parts if kind == k) for k in ("reasoning", "text"))
    return reasoning, text


@pytest.mark.parametrize(
    ("answer", "reasoning", "text"),
    [
        ("<think>Hm.</think>\n\nYes.", "Hm.", "Yes."),
        ("\n<thinking>Hm.</thinking>Yes.", "Hm.", "Yes."),
        ("<think></think><think>a</think>b", "a", "b"),
        ("<think>Hm. </thi", "Hm. </thi", ""),
        ("<thi", "", "<thi"),
        ("[THINK]Hm.[/THINK]Yes.", "Hm.", "Yes."),
        ("◁think▷Hm.◁/think▷Yes.", "Hm.", "Yes."),
        ("[THE END]", "", "[THE END]"),
        ("a <think>b</think>", "", "a <think>b</think>"),
        ("```\n<think>x</think>\n```", "", "```\n<think>x</think>\n```"),
        ("<thinker>", "", "<thinker>"),
        ("", "", ""),
    ],
)
@given(data=st.data())
def test_the_split_does_not_depend_on_the_chunks(
    answer: str, reasoning: str, text: str, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(answer)))))
    edges = [0, *cuts, len(answer)]
    pieces = [answer[start:stop] for start, stop in pairwise(edges)]

    assert _split(pieces) == (reasoning, text)
