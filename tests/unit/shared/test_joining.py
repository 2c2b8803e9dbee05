"""The application with a team's index beside its own: joined, cited, and done without."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

import workbench
from glossator.app.byte_cache import ByteCache
from glossator.app.library import read_library
from glossator.app.phrasing import Phrasing
from glossator.app.retrieval.meaning import Meaning
from glossator.app.retrieval.members import Members
from glossator.app.retrieval.retrieving import Query, Seeker
from glossator.app.retrieval.sharing import ShareRequest
from glossator.core.errors import InvalidArguments, OutsideWorkspace
from glossator.core.events import KnowledgeFound
from glossator.doctor import examine
from glossator.knowledge.routing import Found
from glossator.shared.connecting import Address, SharedUnavailable
from glossator.shared.desk import SharedDesk
from unit.semantic.encoders import MeaningEncoder

LEDGER = """\
---
keywords: [ledger]
---
# Bookkeeping
## Closing the ledger
The ledger is sealed each evening; afterwards nobody posts to it.
"""
PENGUINS = """\
# Penguins
## Counting penguins
Penguins are counted twice a year, in March and in October.
"""
ENGLISH = Phrasing(is_chinese=False)


@pytest.fixture
async def make_bench(tmp_path: Path) -> AsyncIterator[workbench.MakeBench]:
    async with AsyncExitStack() as stack:

        def make(name: str, *arguments: object, **options: object) -> workbench.Bench:
            bench = workbench.make_bench(tmp_path / name, *arguments, **options)  # type: ignore[arg-type]  # Handed on.
            stack.push_async_callback(bench.application.close)
            return bench

        yield make


def settings(url: str) -> dict[str, object]:
    return {"shared.url": url, "knowledge.bundled": False}


async def publish_ledger(make_bench: workbench.MakeBench, address: Address) -> None:
    bench = make_bench("ledgers", {"knowledge/ledger.md": LEDGER}, settings=settings(address.url))
    await bench.application.knowledge.share(ShareRequest())


async def test_what_a_colleague_published_is_found_and_can_be_cited(
    make_bench: workbench.MakeBench, address: Address
) -> None:
    await publish_ledger(make_bench, address)
    bench = make_bench(
        "penguins", {"knowledge/penguins.md": PENGUINS}, settings=settings(address.url)
    )

    answer = await bench.application.ask("When is the ledger sealed?", emit=bench.hear)

    assert "The ledger is sealed each evening" in answer.markdown
    assert [str(source.place) for source in answer.sources] == [
        "shared/default/ledgers/knowledge/ledger.md:5-6"
    ]
    assert [(each.text, each.verdict) for each in answer.citations] == [
        ("shared/default/ledgers/knowledge/ledger.md:5-6", "exact")
    ]
    assert [event.members for event in bench.heard(KnowledgeFound)] == [("words", "shared")]


async def test_what_the_team_has_and_what_is_here_answer_together(
    make_bench: workbench.MakeBench, address: Address
) -> None:
    await publish_ledger(make_bench, address)
    bench = make_bench(
        "penguins",
        {"knowledge/noon.md": LEDGER.replace("each evening", "at noon, too")},
        settings=settings(address.url),
    )

    answer = await bench.application.ask("When is the ledger sealed?")

    assert {str(each.place.path) for each in answer.sources} == {
        "knowledge/noon.md",
        "shared/default/ledgers/knowledge/ledger.md",
    }


async def test_lines_that_were_not_given_are_no_evidence(
    make_bench: workbench.MakeBench, address: Address
) -> None:
    await publish_ledger(make_bench, address)
    members = Members(shared=SharedDesk(address, "default"))
    seeker = Seeker(members)
    seeker.find(read_library(()), Query("When is the ledger sealed?"))

    [text] = seeker.list_given()

    assert text.path is None
    assert text.lines[:4] == ("", "", "", "")
    assert text.lines[5] == "The ledger is sealed each evening; afterwards nobody posts to it."
    members.close()


async def test_a_database_that_is_away_costs_one_notice_and_nothing_else(
    make_bench: workbench.MakeBench, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = "postgresql://me:s3cr3t-pw@127.0.0.1:1/team"
    bench = make_bench(
        "penguins",
        {"knowledge/penguins.md": PENGUINS},
        settings={**settings(url), "audit.enabled": True, "audit.content": True},
    )

    first = await bench.application.ask("How often are penguins counted?", emit=bench.hear)
    second = await bench.application.ask("How often are penguins counted?", emit=bench.hear)
    chinese = await bench.application.ask("企鹅每年数几次？", emit=bench.hear)

    assert [source.title for source in first.sources] == ["Penguins › Counting penguins"]
    assert "Without the team's index: The shared index team at 127.0.0.1:1 is away" in first.notice
    assert "team's index" not in second.notice
    assert "团队共享索引" not in chinese.notice
    status = bench.application.status()
    assert status.shared is not None
    assert "is away" in status.shared.problem
    examined = examine(status, ENGLISH)
    shown = json.dumps(
        [repr(first), repr(second), repr(status), repr(examined), caplog.text, repr(bench.events)]
    )
    shown += "".join(file.read_text() for file in audit_files())
    assert "s3cr3t" not in shown


def audit_files() -> list[Path]:
    import platformdirs

    folder = platformdirs.user_state_path("glossator", appauthor=False) / "audit"
    return list(folder.glob("*"))


async def test_vectors_are_shared_as_well(
    make_bench: workbench.MakeBench, address: Address, tmp_path: Path
) -> None:
    encoder = MeaningEncoder((("ledger", "账本"), ("Penguins", "企鹅")))
    publisher = Meaning(encoder, ByteCache(tmp_path / "one.sqlite3"))
    bench = make_bench(
        "ledgers",
        {"knowledge/ledger.md": LEDGER, "knowledge/penguins.md": PENGUINS},
        settings=settings(address.url),
        make_members=lambda: Members(publisher, SharedDesk(address, "default")),
    )
    report = await bench.application.knowledge.share(ShareRequest())
    asked = encoder.asked
    again = await bench.application.knowledge.share(ShareRequest())

    reader = Meaning(encoder, ByteCache(tmp_path / "two.sqlite3"))
    members = Members(reader, SharedDesk(address, "default"))
    seeker = Seeker(members)
    found = seeker.find(read_library(()), Query("账本什么时候封存"))

    assert (report.published.n_vectors, again.published.n_vectors) == (2, 0)
    assert encoder.asked == asked + 1
    assert isinstance(found, Found)
    assert found.hits[0].section.path == "shared/default/ledgers/knowledge/ledger.md"
    evidence = seeker.evidence_of(found.hits[0].section)
    assert evidence is not None
    assert evidence.found_by == ("shared", "meaning")
    members.close()


async def test_a_dry_run_says_what_would_be_shared(
    make_bench: workbench.MakeBench, address: Address
) -> None:
    bench = make_bench(
        "ledgers",
        {"knowledge/ledger.md": LEDGER, "notes/penguins.md": PENGUINS, "notes/code.py": ""},
        settings=settings(address.url),
    )

    report = await bench.application.knowledge.share(ShareRequest(dry_run=True))
    of_folder = await bench.application.knowledge.share(
        ShareRequest(folders=(bench.root / "notes",), source="zoo", dry_run=True)
    )

    assert report.published.added == ("ledgers/knowledge/ledger.md",)
    assert of_folder.published.added == ("zoo/notes/penguins.md",)
    desk = SharedDesk(address, "default")
    with pytest.raises(SharedUnavailable, match="no shared index yet"):
        desk.survey()
    desk.close()


async def test_what_cannot_be_shared_is_named(
    make_bench: workbench.MakeBench, address: Address
) -> None:
    bench = make_bench("empty", {"a.py": ""}, settings=settings(address.url))
    share = bench.application.knowledge.share

    with pytest.raises(InvalidArguments, match="There is no knowledge to share"):
        await share(ShareRequest())
    with pytest.raises(InvalidArguments, match="cannot be the name of a collection"):
        await share(ShareRequest(collection="a/b"))
    with pytest.raises(OutsideWorkspace):
        await share(ShareRequest(folders=(bench.root.parent,)))
    without = make_bench("without", {"knowledge/a.md": LEDGER})
    with pytest.raises(SharedUnavailable, match=r"Set `shared\.url`"):
        await without.application.knowledge.share(ShareRequest())
    wrong = make_bench("wrong", {"knowledge/a.md": LEDGER}, settings=settings("mysql://x/y"))
    with pytest.raises(SharedUnavailable, match="is no address of a PostgreSQL database"):
        await wrong.application.knowledge.share(ShareRequest())


async def test_the_overview_of_a_collection_is_part_of_the_examination(
    make_bench: workbench.MakeBench, address: Address
) -> None:
    await publish_ledger(make_bench, address)
    bench = make_bench("reader", {"a.py": ""}, settings=settings(address.url))

    await bench.application.knowledge.examine_members()

    examined = {each.subject: each.state for each in examine(bench.application.status(), ENGLISH)}
    assert examined["Shared index"].endswith("1 document, 1 section, no vectors")
    assert examined["Meaning"] == "not used; knowledge is found by its words"


async def test_a_workspace_cannot_choose_the_database(make_bench: workbench.MakeBench) -> None:
    bench = make_bench(
        "cunning",
        {"glossator.toml": '[shared]\nurl = "postgresql://evil.example/db"\n', "a.py": ""},
    )

    status = bench.application.status()

    assert status.shared is None
    assert any("`shared.url` is ignored" in problem for problem in status.problems)
