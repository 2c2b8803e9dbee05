"""What is found, cut to what may be given: whole sections, best first, and never silently."""

from dataclasses import replace

from glossator.core.tokens import estimate_tokens
from glossator.knowledge.documents import Section
from glossator.knowledge.outcomes import Found
from glossator.knowledge.section_words import leave_out_examples


def cut_to_budget(found: Found, *, limit: int, max_tokens: int) -> Found:
    """Keep the best sections: at most `limit`, and as many whole ones as fit into `max_tokens`.

    A section that does not fit is left out, a smaller one behind it may still fit. Only the first
    is cut in itself, at a line, when it is too large alone: the best is never left out.
    """
    kept, left = [], []
    n_lines_cut, room = 0, max_tokens
    for position, hit in enumerate(found.hits):
        size = estimate_tokens(leave_out_examples(hit.section.text))
        if position == 0 and size > room:
            section = _cut_section(hit.section, room)
            n_lines_cut = hit.section.last_line - section.last_line
            kept.append(replace(hit, section=section))
            room = 0
        elif size <= room and len(kept) < limit:
            kept.append(hit)
            room -= size
        else:
            left.append(hit)
    return replace(
        found,
        hits=tuple(kept),
        cut=found.cut + len(left),
        left_out=(*left, *found.left_out),
        n_lines_cut=n_lines_cut,
    )


def _cut_section(section: Section, max_tokens: int) -> Section:
    """Return the beginning of a section, whole lines of it, at least one."""
    lines = section.text.split("\n")
    n_kept, size = 0, 0
    for line in lines:
        size += estimate_tokens(line + "\n")
        if n_kept and size > max_tokens:
            break
        n_kept += 1
    return replace(
        section,
        text="\n".join(lines[:n_kept]),
        last_line=section.first_line + n_kept - 1,
    )
