"""Links, imports, places and commands, and what is found in them."""

from unit.linting.case import Case

PACKAGE = '{"scripts": {"build": "x", "test:unit": "y"}}'
MAKEFILE = ".PHONY: test\ntest: build\n\t@echo ok\nbuild:\n\ttrue\n%.o: %.c\n\tcc\n"

LINKED = {
    "docs/发布 流程.md": "# 发布\n\n## 回滚 步骤\n\n文。\n",
    "docs/style.md": "# Style\n\nx\n",
}
LINKS = [
    Case(
        "dead-link", "knowledge/a.md", "# T\n\nSee [style](../doc/style.md#style).\n",
        "../doc/style.md#style", "# T\n\nSee [style](../docs/style.md#style).\n", LINKED,
    ),
    Case(
        "dead-link", "AGENTS.md", "# T\n\n见[发布](发布%20流程.md)。\n", "发布%20流程.md",
        "# T\n\n见[发布](docs/%E5%8F%91%E5%B8%83%20%E6%B5%81%E7%A8%8B.md)。\n", LINKED,
    ),
    Case("dead-link", "knowledge/a.md", "# T\n\n🙂 ![图](img/x.png) y\n", "img/x.png"),
    Case("dead-link", "knowledge/a.md", "# T\n\nA [x][y].\n\n[y]: gone.md\n", "gone.md"),
    Case("dead-link", "knowledge/a.md", '# T\n\n<img src="gone.png" alt="">\n', "gone.png"),
    Case(
        "dead-anchor", "knowledge/a.md", "# T\n\n## Two words\n\n[x](#two-wrods)\n", "#two-wrods",
        "# T\n\n## Two words\n\n[x](#two-words)\n",
    ),
    Case(
        "dead-anchor", "AGENTS.md", "# T\n\n[x](docs/style.md#stile)\n", "docs/style.md#stile",
        "# T\n\n[x](docs/style.md#style)\n", LINKED,
    ),
    Case("dead-import", "CLAUDE.md", "# T\n\nRead @docs/gone.md first.\n", "docs/gone.md"),
    Case("dead-import", "CLAUDE.md", "# T\n\n先读@docs/没有.md。\n", "docs/没有.md"),
    Case(
        "dead-import", "CLAUDE.md", "# T\n\n@doc/style.md\n", "doc/style.md",
        "# T\n\n@docs/style.md\n", LINKED,
    ),
    Case("outside-import", "CLAUDE.md", "# T\n\n@../other/x.md\n", "../other/x.md"),
    Case(
        "cyclic-import", "CLAUDE.md", "# T\n\n@docs/a.md\n", "docs/a.md",
        files={"docs/a.md": "# A\n\n@b.md\n", "docs/b.md": "# B\n\n@../CLAUDE.md\n"},
    ),
    Case(
        "line-beyond-end", "AGENTS.md", "# T\n\nSee `src/a.py:3`.\n", "src/a.py:3",
        files={"src/a.py": "1\n2\n"},
    ),
    Case(
        "line-beyond-end", "AGENTS.md", "# T\n\n见 `src/a.py:1-9`。\n", "src/a.py:1-9",
        files={"src/a.py": "1\n2\n"},
    ),
    Case(
        "missing-path", "AGENTS.md", "# T\n\nThe entry is `src/main.py`.\n", "src/main.py",
        "# T\n\nThe entry is `src/app/main.py`.\n", {"src/app/main.py": ""},
    ),
    Case(
        "missing-path", "AGENTS.md", "# T\n\n路由在 `src/routes/`。\n", "src/routes/",
        files={"src/app/main.py": ""},
    ),
]  # fmt: skip

COMMANDS = [
    *(
        Case("missing-file-of-command", "AGENTS.md", f"# T\n\nRun `{command}`.\n", name)
        for command, name in (
            ("make test", "make"), ("npm run build", "npm"), ("npm test", "npm"),
            ("pnpm run dev", "pnpm"), ("just check", "just"), ("poetry run pytest", "poetry"),
            ("cargo test", "cargo"), ("go test ./...", "go"), ("uv sync", "uv"),
            ("mvn verify", "mvn"), ("bundle exec rspec", "bundle"), ("nox -s lint", "nox"),
        )
    ),
    Case(
        "missing-file-of-command", ".cursor/rules/a.mdc",
        "---\nalwaysApply: true\n---\n# T\n\n```bash\ncargo build && make\n```\n", "make",
        files={"crates/a/Cargo.toml": "[package]\n"},
    ),
    Case(
        "unknown-script", "AGENTS.md", "# T\n\nRun `npm run biuld` first.\n", "biuld",
        "# T\n\nRun `npm run build` first.\n", {"package.json": PACKAGE},
    ),
    Case(
        "unknown-script", "AGENTS.md", "# T\n\n```bash\nCI=1 pnpm run ship --now\n```\n", "ship",
        files={"package.json": PACKAGE},
    ),
    Case(
        "unknown-script", "packages/a/AGENTS.md", "# T\n\n运行 `yarn run test:unti`。\n",
        "test:unti", "# T\n\n运行 `yarn run test:unit`。\n",
        {"package.json": "{}", "packages/a/package.json": PACKAGE},
    ),
    Case(
        "unknown-script", "AGENTS.md", "# T\n\n```sh\ncd packages/a\nnpm run lint\n```\n", "lint",
        files={"package.json": '{"scripts": {"lint": ""}}', "packages/a/package.json": PACKAGE},
    ),
    Case(
        "unknown-script", "AGENTS.md", "# T\n\n```console\n$ npm test\nok\n```\n", "test",
        files={"package.json": PACKAGE},
    ),
    Case(
        "unknown-target", "AGENTS.md", "# T\n\nRun `make tset`.\n", "tset",
        "# T\n\nRun `make test`.\n", {"Makefile": MAKEFILE},
    ),
    Case(
        "unknown-target", "AGENTS.md", "# T\n\nRun `just relase`.\n", "relase",
        "# T\n\nRun `just release`.\n", {"justfile": "release version='1':\n  echo\n"},
    ),
    Case(
        "unknown-task", "AGENTS.md", "# T\n\nRun `uv run poe chek`.\n", "chek",
        "# T\n\nRun `uv run poe check`.\n",
        {"pyproject.toml": "[tool.poe.tasks]\ncheck = 'ruff'\n"},
    ),
    Case(
        "unknown-task", "AGENTS.md", "# T\n\nRun `tox -e docs`.\n", "docs",
        files={"tox.ini": "[tox]\nenvlist = py{310,311}-unit\n[testenv:lint]\n"},
    ),
    Case(
        "unknown-task", "AGENTS.md", "# T\n\nRun `nox -s tests`.\n", "tests",
        "# T\n\nRun `nox -s test`.\n",
        {"noxfile.py": "import nox\n\n@nox.session(python='3.11')\ndef test(session):\n    ...\n"},
    ),
    Case(
        "missing-file-of-command", "AGENTS.md", "# T\n\n`python tools/relase.py --x`\n",
        "tools/relase.py", "# T\n\n`python tools/release.py --x`\n", {"tools/release.py": ""},
    ),
    Case(
        "missing-file-of-command", "AGENTS.md", "# T\n\n```sh\n./scripts/setup.sh\n```\n",
        "./scripts/setup.sh", files={"scripts/other.py": ""},
    ),
    Case(
        "missing-file-of-command", "AGENTS.md",
        "# T\n\n```sh\nuv run pytest -k x tests/unit/test_cart.py::test_a\n```\n",
        "tests/unit/test_cart.py",
        "# T\n\n```sh\nuv run pytest -k x tests/test_cart.py::test_a\n```\n",
        {"tests/test_cart.py": ""},
    ),
]  # fmt: skip
