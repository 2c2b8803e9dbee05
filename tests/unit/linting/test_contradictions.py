"""Rules that cannot both be followed, said in many ways, in English and Chinese."""

import pytest

from unit.linting.desk import lint

PAIRS = [
    ("Use tabs for indentation.", "Indent with 4 spaces."),
    ("Indentation: tabs, not spaces.", "Use 2 spaces for indentation."),
    ("Use tabs.", "Use spaces."),
    ("使用制表符缩进。", "缩进使用 4 个空格。"),
    ("Indent with tabs.", "代码统一使用 2 个空格缩进，不要使用制表符。"),
    ("Indent with 2 spaces.", "We use four spaces for indentation."),
    ("Use single quotes for strings.", "Strings use double quotes."),
    ("字符串使用单引号。", "字符串一律使用双引号。"),
    ("Maximum line length is 80 characters.", "Keep lines under 100 characters."),
    ("Line length: 88", "Limit lines to 120 columns."),
    ("每行不超过 80 个字符。", "行宽限制为 120。"),
    ("Max line length 80.", "单行最多 100 个字符。"),
    ("Never use print.", "Always use print."),
    ("Never print.", "Always print the result."),
    ("Never use `print()`.", "Use print for debugging output."),
    ("禁止使用 print。", "必须使用 print 输出结果。"),
    ("Never use print.", "必须使用 print。"),
    ("Use moment.js.", "Do not use moment.js."),
    ("We use moment.js for dates.", "moment.js is forbidden."),
    ("Use default exports.", "Default exports are not allowed."),
    ("**Exports**: always use default exports.", "Don't use default exports, use named ones."),
    ("Use axios instead of fetch.", "Always use fetch."),
    ("Prefer interfaces over types.", "Prefer types over interfaces."),
    ("优先使用接口而不是类型别名。", "优先使用类型别名而不是接口。"),
    ("必须编写单元测试。", "不要编写单元测试。"),
    ("全局变量禁止使用。", "必须使用全局变量。"),
    ("Use pnpm, not npm.", "Use npm for dependency management."),
    ("Package manager: yarn", "Use pnpm to install packages."),
    ("使用 pnpm 管理依赖。", "使用 yarn 安装依赖。"),
    ("Use uv for dependency management.", "Use poetry to manage dependencies."),
    ("Always respond in English.", "始终使用中文回答。"),
    ("Write comments in English.", "注释使用中文。"),
    ("Use snake_case for function names.", "Use camelCase for functions and variables."),
    ("变量名使用驼峰命名：camelCase。", "变量使用 snake_case 命名。"),
    ("Always commit generated files.", "Generated files. Never commit generated files."),
    ("Always use tabs for indentation.", "Never use tabs for indentation."),
    ("Indent with 4 spaces.", "Don’t indent with spaces."),
    ("缩进必须使用空格。", "缩进禁止使用空格。"),
    ("Always use double quotes.", "Avoid double quotes."),
    ("字符串使用双引号。", "字符串禁止使用双引号。"),
    ("Write comments in English.", "Never write comments in English."),
    ("始终使用中文回答。", "不要使用中文回答。"),
    ("Use camelCase for functions.", "Functions must not use camelCase."),
    ("函数命名使用 camelCase。", "函数命名禁止使用 camelCase。"),
    ("使用 pnpm 管理依赖。", "Never use pnpm."),
    ("Tests must use pytest.", "All tests must not use pytest."),
    ("Passwords should be hashed.", "The passwords must never be hashed."),
    ("接口必须返回 JSON。", "接口不得返回 JSON。"),
    ("日志应当包含用户编号。", "日志不应该包含用户编号。"),
    ("Enable strict mode.", "Always disable strict mode."),
    ("启用严格模式。", "必须关闭严格模式。"),
]


def find_opposed(first: str, second: str) -> list[str]:
    """Return the lines of one file that contradict another one for the same files."""
    files = {"CLAUDE.md": f"# C\n\n{second}\n"}
    found = lint("AGENTS.md", f"# T\n\n{first}\n", files=files)
    return [each.arguments["other"] for each in found if each.code == "contradiction"]


@pytest.mark.parametrize("mark", ["- ", ""], ids=["item", "sentence"])
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_what_cannot_both_be_followed_is_found(first: str, second: str, mark: str) -> None:
    assert find_opposed(f"{mark}{first}", f"{mark}{second}")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Indent code with 4 spaces.", "Indent nested lists with 2 spaces."),
        ("Never use more than 4 spaces for indentation.", "Indent with 4 spaces."),
        ("缩进不得超过 4 个空格。", "缩进使用 4 个空格。"),
        ("Python: indent with 4 spaces.", "TypeScript: indent with 2 spaces."),
        ("Keep lines under 80 characters.", "Keep commit messages under 72 characters."),
        ("Line length: 80 characters.", "Keep functions under 100 lines."),
        ("Lines have 80 to 100 characters.", "Line length: 90."),
        ("Use single quotes.", "Use double quotes in JSON."),
        ("Use npm.", "Use npm run build to build."),
        ("Never use any type.", "Use type for unions."),
        ("Don't be lazy.", "Use lazy loading for images."),
        ("Avoid classes.", "Use classes for state machines."),
        ("Never use print, except in scripts.", "Use print in scripts."),
        ("Don't use this. Except in constructors.", "Use this."),
        ("Prefer functions over classes.", "Prefer functions over macros."),
        ("Avoid using a single, privileged user.", "Use a single, long-lived client."),
        ("Use snake_case for functions.", "Use PascalCase for classes."),
        ("Use UPPER_SNAKE_CASE for constants.", "Use SCREAMING_SNAKE_CASE for constants."),
        ("Never do this:", "Always do this:"),
        ("始终使用中文回答。", "代码注释使用英文。"),
        ("禁止提交密钥。", "必须提交锁文件。"),
        ("Write comments in English.", "Respond in Chinese."),
        ("Write comments in English.", "Never write comments in Chinese."),
        ("注释使用英文。", "注释禁止使用中文。"),
        ("始终使用中文回答。", "不要使用英文回答。"),
        ("Use snake_case for functions.", "Never use camelCase for functions."),
        ("Use pnpm to install packages.", "Never use npm."),
        ("Use 4 spaces for indentation, never tabs.", "代码使用空格缩进，不要使用制表符。"),
        ("Never use tabs.", "Never use double quotes."),
        ("Components must use state machines.", "Components must not use state."),
        ("接口必须返回 JSON。", "页面不得返回 JSON。"),
        ("Enable strict mode.", "Disable telemetry."),
    ],
)
def test_what_can_both_be_followed_is_no_contradiction(first: str, second: str) -> None:
    assert find_opposed(f"- {first}", f"- {second}") == []
