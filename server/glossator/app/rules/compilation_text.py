"""What came of compiling a rule, in words for the terminal and the editor."""

from glossator.app.phrasing import Phrasing, count
from glossator.app.rules.compiling import Compilation


def describe_compilation(compilation: Compilation, say: Phrasing) -> str:
    """Say what the check flags in the workspace and where first, or why there is none."""
    breadth, n_rounds = compilation.breadth, compilation.n_rounds
    # Below what is wrong with an example stands the example.
    reason = "\n".join(map(say.translate, compilation.reason.split("\n")))
    if compilation.outcome == "impossible":
        return say(
            f"The model says that syntax alone cannot decide this: {reason}",
            f"模型认为仅凭语法无法判断：{reason}",
        )
    if compilation.outcome == "unproven":
        return say(
            f"No check stood its proof in {count(n_rounds, 'attempt')}. What was wrong last:\n"
            f"{reason}",
            f"尝试 {n_rounds} 次，没有检查通过证明。最后一次的问题：\n{reason}",
        )
    flagged = say(
        f"The check flags {count(breadth.n_findings, 'place')} in {breadth.n_flagged_files} "
        f"of {count(breadth.n_files, 'file')} of the workspace.",
        f"该检查在工作区 {breadth.n_files} 个文件中的 {breadth.n_flagged_files} 个里"
        f"发现 {breadth.n_findings} 处。",
    )
    places = (f"  {place.path}:{place.line}: {place.code}" for place in breadth.places)
    return "\n".join([flagged, *places])
