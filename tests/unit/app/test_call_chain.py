import pytest

from glossator.core.errors import InvalidArguments
from glossator.tools.call_chains import CallNode
from workbench import MakeBench

CYCLE = {
    "a.py": "def start():\n    ping()\n\n\ndef ping():\n    pong()\n\n\ndef pong():\n    ping()\n",
}


def names(nodes: tuple[CallNode, ...]) -> list[tuple[str, str, bool]]:
    return [(node.name, f"{node.shown_path}:{node.line}", node.is_cycle) for node in nodes]


async def test_callers_and_callees_are_followed_and_cycles_marked(make_bench: MakeBench) -> None:
    bench = make_bench(CYCLE)

    chain = await bench.application.call_chain(bench.target("a.py", 6), depth=3)

    assert chain.root.name == "ping"
    assert names(chain.callers) == [("start", "a.py:1", False), ("pong", "a.py:9", False)]
    assert names(chain.callees) == [("pong", "a.py:9", False)]
    assert names(chain.callees[0].children) == [("ping", "a.py:5", True)]
    assert "↻ already above" in chain.markdown


async def test_the_picture_has_each_function_once_and_no_markup_of_a_label(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(CYCLE)

    chain = await bench.application.call_chain(bench.target("a.py", 6), depth=3)

    assert chain.mermaid.startswith("flowchart LR\n")
    assert chain.mermaid.count('["ping<br/>a.py:5"]') == 1
    assert "n0 --> n2" in chain.mermaid


async def test_depth_limits_how_far_it_goes(make_bench: MakeBench) -> None:
    bench = make_bench(CYCLE)

    chain = await bench.application.call_chain(bench.target("a.py", 2), depth=1)

    assert [node.children for node in chain.callees] == [()]


async def test_no_function_at_the_cursor_is_said_with_the_place(make_bench: MakeBench) -> None:
    bench = make_bench({"a.py": "x = 1\n"})

    with pytest.raises(InvalidArguments, match=r"no function at a\.py:1"):
        await bench.application.call_chain(bench.target("a.py", 1))


@pytest.mark.parametrize("depth", [0, -1, 7])
async def test_a_depth_out_of_range_is_refused(make_bench: MakeBench, depth: int) -> None:
    bench = make_bench(CYCLE)

    with pytest.raises(InvalidArguments, match="`depth` must be from 1 to 6"):
        await bench.application.call_chain(bench.target("a.py", 6), depth=depth)


async def test_what_is_near_comes_first_where_a_tree_is_too_large(make_bench: MakeBench) -> None:
    far = "".join(f"def far{number}():\n    near0()\n\n\n" for number in range(250))
    near = "".join(f"def near{number}():\n    target()\n\n\n" for number in range(5))
    bench = make_bench({"a.py": f"def target():\n    pass\n\n\n{near}{far}"})

    chain = await bench.application.call_chain(bench.target("a.py", 1))

    assert [node.name for node in chain.callers] == [f"near{number}" for number in range(5)]
    assert len(chain.callers[0].children) == 195
    assert "This is not all" in chain.markdown
