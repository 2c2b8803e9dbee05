"""Start Glossator: `glossator` or `python -m glossator`."""

import sys


def main() -> int:
    """Run the command line and return the exit code."""
    from glossator.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
