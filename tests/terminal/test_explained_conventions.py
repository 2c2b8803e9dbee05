"""*Explain* lists the conventions that are for the file and concern the function, ours first."""

import re
from pathlib import Path

import pytest

from terminal.running import glossator, write_files

ENGLISH = {
    "pyproject.toml": "",
    "knowledge/AGENTS.md": """\
# How we work

## Money

- Charge a customer only after the stock was reserved.
- Every price is a `Decimal`; a float loses cents.
- The text of a button is decided by the product owner.

## The bank {.judged}

- Wait for the answer of the bank for three seconds, then queue the charge.
""",
    "src/charges.py": '''\
from decimal import Decimal

import requests


def charge_customer(customer: str, price: Decimal) -> None:
    """Charge a customer for the reserved stock, and queue it if the bank gives no answer."""
    answer = requests.post("https://bank.example", json={"price": str(price)}, timeout=3)
    answer.raise_for_status()
''',
    "web/charges.ts": """\
/** Charge a customer for the reserved stock, and queue it if the bank gives no answer. */
export async function chargeCustomer(customer: string, price: Decimal): Promise<void> {
  const answer = await fetch("https://bank.example", { method: "POST" });
  if (!answer.ok) throw new Error("no charge");
}
""",
}
CHINESE = {
    "pyproject.toml": "",
    "knowledge/AGENTS.md": """\
# 我们的约定

## 收费

- 只有在库存预留之后才能向客户收费。
- 价格一律使用 `Decimal`，浮点数会丢失小数。
- 按钮的文字由产品经理决定。

## 银行 {.judged}

- 等待银行响应最多三秒，之后放入重试队列。
""",
    "源码/收费.py": '''\
from decimal import Decimal

import requests


def charge_customer(customer: str, price: Decimal) -> None:
    """库存预留后向客户收费；银行响应超时则放入重试队列。"""
    answer = requests.post("https://bank.example", json={"price": str(price)}, timeout=3)
    answer.raise_for_status()
''',
    "网页/收费.ts": """\
/** 库存预留后向客户收费；银行响应超时则放入重试队列。 */
export async function chargeCustomer(customer: string, price: Decimal): Promise<void> {
  const answer = await fetch("https://bank.example", { method: "POST" });
  if (!answer.ok) throw new Error("no charge");
}
""",
}


def list_conventions(workspace: Path, place: str, **environ: str) -> list[str]:
    """Return where the conventions stand that are listed for a place, in their order."""
    done = glossator(workspace, "explain", "--no-model", place, **environ)

    assert done.returncode == 0, done.stderr
    _, _, below = done.stdout.partition("### Conventions that apply\n")
    below = below or done.stdout.partition("### 适用的约定\n")[2]
    section, _, _ = below.partition("\n#")
    places = (re.search(r"[(（]([^()（）]+)[)）]$", line) for line in section.splitlines())
    return [place[1] for place in places if place is not None]


@pytest.mark.parametrize(
    ("files", "place", "locale"),
    [
        (ENGLISH, "src/charges.py:6", "C.UTF-8"),
        (ENGLISH, "web/charges.ts:2", "C.UTF-8"),
        (CHINESE, "源码/收费.py:6", "zh_CN.UTF-8"),
        (CHINESE, "网页/收费.ts:2", "zh_CN.UTF-8"),
    ],
    ids=["python", "typescript", "python-zh", "typescript-zh"],
)
def test_our_own_conventions_come_before_those_that_ship(
    tmp_path: Path, files: dict[str, str], place: str, locale: str
) -> None:
    workspace = write_files(tmp_path / "工作区", files)

    listed = list_conventions(workspace, place, LANG=locale)

    own = {f"knowledge/AGENTS.md:{line}" for line in (5, 6, 11)}
    assert set(listed[:3]) == own
    assert listed[3:]
    assert all(each.startswith("bundled/") for each in listed[3:])


SAID = "Charge a customer for the reserved stock, and queue it if the bank gives no answer"
ELSEWHERE = {
    "web/AGENTS.md": f"# Web\n\n- {SAID}, in the web.\n",
    ".github/instructions/ts.instructions.md": (
        f'---\napplyTo: "**/*.ts"\n---\n# TypeScript\n\n- {SAID}, in TypeScript.\n'
    ),
    "skills/web.md": (
        f'---\nname: web\ndescription: x\nglobs: ["**/*.ts"]\n---\n# Web\n\n- {SAID}, by skill.\n'
    ),
    "knowledge/pages.md": (
        f'---\nname: pages\nglobs: ["**/*.ts"]\n---\n# Pages\n\n- {SAID}, on pages.\n'
    ),
    "knowledge/typed.md": f"# Types\n\n- {SAID}, typed. {{#typed language=typescript}}\n",
    ".cursor/rules/asked.mdc": (
        f"---\nalwaysApply: false\n---\n# When asked for\n\n- {SAID}, when asked.\n"
    ),
}


def test_what_is_for_other_files_is_not_listed_whatever_it_says(tmp_path: Path) -> None:
    workspace = write_files(tmp_path / "workspace", {**ENGLISH, **ELSEWHERE})

    done = glossator(workspace, "explain", "--no-model", "src/charges.py:6")

    assert done.returncode == 0, done.stderr
    assert [name for name in ELSEWHERE if name in done.stdout] == []


def test_the_nearest_file_comes_first(tmp_path: Path) -> None:
    workspace = write_files(tmp_path / "workspace", {**ENGLISH, **ELSEWHERE})

    listed = list_conventions(workspace, "web/charges.ts:2")

    assert listed[0] == "web/AGENTS.md:3"


def test_a_rule_that_is_switched_off_is_not_listed(tmp_path: Path) -> None:
    files = {
        "glossator.toml": '[check]\ndisabledRules = ["reserve-first"]\n',
        "knowledge/stock.md": f"# Stock\n\n- {SAID}, always. {{#reserve-first}}\n",
    }
    workspace = write_files(tmp_path / "workspace", {**ENGLISH, **files})

    done = glossator(workspace, "explain", "--no-model", "src/charges.py:6")

    assert done.returncode == 0, done.stderr
    assert "knowledge/AGENTS.md:5" in done.stdout
    assert "knowledge/stock.md" not in done.stdout


def test_nothing_is_listed_where_nothing_applies(tmp_path: Path) -> None:
    own_only = {"glossator.toml": "[knowledge]\nbundled = false\n"}
    code = {"src/sums.py": "def add_up(numbers: list[int]) -> int:\n    return sum(numbers)\n"}
    workspace = write_files(tmp_path / "workspace", {**ENGLISH, **own_only, **code})

    done = glossator(workspace, "explain", "--no-model", "src/sums.py:1")

    assert done.returncode == 0, done.stderr
    assert "`add_up`" in done.stdout
    assert "Conventions that apply" not in done.stdout


@pytest.mark.parametrize("language", ["C.UTF-8", "zh_CN.UTF-8"])
def test_what_only_a_model_could_judge_is_listed_without_one(tmp_path: Path, language: str) -> None:
    rules = "- An `amount` is in cents. {#cents}\n- 不写太长的函数。\n"
    code = "package a\n\nfunc Pay(amount int) int { return amount }\n"
    workspace = write_files(tmp_path / "w", {"AGENTS.md": rules, "go.mod": "", "a.go": code})

    explained = glossator(workspace, "explain", "a.go:3", LANG=language).stdout

    assert "\n- An `amount` is in cents." in explained
