"""`glossator skills`: which skills there are, what activates each, and what is wrong with them."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing, count

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.skills.listing import ListedSkill
    from glossator.terminal import Terminal

EXIT_OK = 0
EXIT_PROBLEMS = 1


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    commands.add_parser(
        "skills",
        parents=[common],
        help="list the skills: where each is from, what activates it, what is wrong with it",
    )


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """List the skills as lines or as JSON; 1 when something is wrong with one of them."""
    from glossator.terminal import print_json

    listed = await application.knowledge.list_skills()
    say = application.phrase()
    if parsed.json:
        print_json({"skills": listed})
    else:
        for skill in listed:
            for line in _describe(skill, say):
                terminal.show_line(line)
        terminal.show_notice(_summarize(listed, say))
    return EXIT_PROBLEMS if _count_problems(listed) else EXIT_OK


def _describe(skill: "ListedSkill", say: Phrasing) -> list[str]:
    """Write one skill: its name and place, what it is about, what activates it, its problems."""
    state = {
        "active": "",
        "shadowed": say(f", hidden by {skill.detail}", f"，被 {skill.detail} 覆盖"),
        "skipped": say(", skipped", "，已跳过"),
        "untrusted": say(", not trusted", "，未受信任"),
    }[skill.state]
    tokens = say(f"{skill.n_tokens:,} tokens", f"{skill.n_tokens:,} 词元")
    about = f"{skill.origin}{say(', ', '，')}{tokens}{state}"
    lines = [f"{skill.name}  {skill.path}{say.enclose(about)}"]
    if skill.description:
        lines.append(f"    {skill.description}")
    if skill.state == "active":
        lines.append(f"    {say('; ', '；').join(_list_triggers(skill, say))}")
    lines += [
        f"    ! {each.path}:{each.line} {say.translate(each.message)}" for each in skill.problems
    ]
    return lines


def _list_triggers(skill: "ListedSkill", say: Phrasing) -> list[str]:
    """List what activates a skill."""
    triggers = []
    if skill.always:
        triggers.append(say("always", "始终"))
    if skill.for_model:
        triggers.append(say("the model", "模型"))
    if skill.for_user:
        triggers.append(f"/{skill.name}")
    if skill.for_model and skill.keywords:
        triggers.append(say("keywords ", "关键词 ") + say.join(skill.keywords))
    if skill.for_model and skill.globs:
        triggers.append("globs " + ", ".join(skill.globs))
    return triggers or [say("nobody can activate it", "无法激活")]


def _count_problems(listed: "Sequence[ListedSkill]") -> int:
    return sum(not each.is_note for skill in listed for each in skill.problems)


def _summarize(listed: "Sequence[ListedSkill]", say: Phrasing) -> str:
    n_active = sum(skill.state == "active" for skill in listed)
    n_problems = _count_problems(listed)
    return say(
        f"{count(n_active, 'skill')}, {count(len(listed) - n_active, 'file')} not used, "
        f"{count(n_problems, 'problem')}",
        f"{n_active} 个技能，{len(listed) - n_active} 个文件未使用，{n_problems} 个问题",
    )
