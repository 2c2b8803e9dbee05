"""All cases of the linter: at least one for each code."""

from unit.linting.header_cases import GLOBS, HEADER, SKILLS
from unit.linting.library_cases import REACH, RULES, SIZES
from unit.linting.text_cases import COMMANDS, LINKS

CASES = (*HEADER, *SKILLS, *GLOBS, *LINKS, *COMMANDS, *RULES, *SIZES, *REACH)
