"""The parser of the command line, which says in the reader's language what it cannot read."""

import argparse
import os
import sys
from typing import NoReturn

from glossator.app.phrasing import Phrasing
from glossator.subcommands.writing import locale_of

_USAGE = "usage: "


class Parser(argparse.ArgumentParser):
    """A parser whose errors are told in English or Chinese; those of its subcommands are too."""

    def error(self, message: str) -> NoReturn:
        """Show the usage and what is wrong, and end the program."""
        say = Phrasing.for_locale(locale_of(os.environ))
        usage = self.format_usage().removeprefix(_USAGE)
        head = f"{say(_USAGE, '用法：')}{usage}"
        told = f"{self.prog}{say(': error: ', ': 错误：')}{say.translate(message)}\n"
        sys.stderr.write(head)
        self.exit(2, told)
