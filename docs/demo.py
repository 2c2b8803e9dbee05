"""Show Glossator on its own repository: explain, call chain, ask and check. Needs no key.

What is asked here is recorded in a folder of its own, which goes when the demo ends.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

SCENES = [
    ("Explain a function", ["explain", "server/glossator/agent/guards.py:47", "--no-model"]),
    ("Show its call chain", ["chain", "server/glossator/agent/guards.py:47", "--depth", "1"]),
    ("Ask about a convention", ["ask", "Can I use a mutable default argument?", "--no-model"]),
    ("用中文提问", ["ask", "慢查询怎么处理？", "--no-model"]),
    ("Ask what nobody knows", ["ask", "What is our convention for parental leave?", "--no-model"]),
    ("Check files against the conventions", ["check", "docs/demo"]),
]


def main() -> int:
    """Run every scene; fail when one ends with an error."""
    with tempfile.TemporaryDirectory(prefix="glossator-demo-") as state:
        return show({**os.environ, "XDG_STATE_HOME": state})


def show(environ: dict[str, str]) -> int:
    """Run the scenes one after the other."""
    failed = 0
    for title, arguments in SCENES:
        print(f"\n\033[1;36m━━ {title}\033[0m\n$ glossator {shlex.join(arguments)}\n", flush=True)
        code = subprocess.run(
            [sys.executable, "-m", "glossator", *arguments], cwd=ROOT, env=environ, check=False
        ).returncode
        failed += code > 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
