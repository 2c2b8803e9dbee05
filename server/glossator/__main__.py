"""Start Glossator: `glossator` or `python -m glossator`."""

import sys
from collections.abc import Sequence


def main() -> int:
    """Run the command line and return the exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["check"]:
        return _check(arguments)
    from glossator.cli import run

    return run(arguments)


def _check(arguments: Sequence[str]) -> int:
    """Say again what a check said when nothing has changed: most of its time is the start."""
    from glossator.app.checking.kept_answers import Basis, find_answer
    from glossator.app.own_folders import find_own_folder

    folder = find_own_folder("cache")
    answer = find_answer(arguments, folder)
    if answer is not None:
        try:
            return answer.give()
        except OSError as error:
            from glossator.subcommands.writing import tell_unwritable

            tell_unwritable(error)
            return 2
    basis = Basis.listen(arguments, folder)
    from glossator.cli import run

    return run(arguments, basis)


if __name__ == "__main__":
    sys.exit(main())
