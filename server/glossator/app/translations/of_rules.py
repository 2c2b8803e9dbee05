"""What is said of rules, their checks and examples."""

from collections.abc import Sequence

RULES: Sequence[tuple[str, str]] = (
    ("The id `{}` is used at {} already; choose another.", "id `{0}` 已在 {1} 使用；请换一个。"),
    (
        "`{}` cannot be the id of a rule; use letters, digits, `-`, `_` and `.`.",
        "`{0}` 不能用作规则 id；请用字母、数字、`-`、`_` 和 `.`。",
    ),
    ("`{}` is not an attribute of a rule; {}", "`{0}` 不是规则的属性；{1}"),
    ("`{}` is not a severity; {}", "`{0}` 不是严重程度；{1}"),
    ("did you mean `{}`?", "是否想写 `{0}`？"),
    ("use one of {}.", "可用：{0}。"),
    ("it cannot be read", "无法读取"),
    ("`{}` is not a language; did you mean `{}`?", "`{0}` 不是语言；是否想写 `{1}`？"),
    ('`{}` is not a glob; write `files="src/**"`.', '`{0}` 不是 glob；请写成 `files="src/**"`。'),
    ("`{}` is not a link; it begins with `https://`.", "`{0}` 不是链接；链接以 `https://` 开头。"),
    ("A rule has one id; `#{}` is not used.", "一条规则只有一个 id；未使用 `#{0}`。"),
    (
        "`{}` behind the fence means nothing; write `{}`.",
        "围栏后的 `{0}` 没有意义；请写 `{1}`。",
    ),
    (
        "The rule `{}` ships with Glossator or is personal. Write it down in a file of the "
        "workspace first.",
        "规则 `{0}` 随 Glossator 提供或属于个人。请先把它写进工作区的文件。",
    ),
    ("Several rules have the id `{}`: {}.", "多条规则的 id 都是 `{0}`：{1}。"),
    ("The rule `{}` is not in `{}` any more.", "规则 `{0}` 已不在 `{1}` 中。"),
    ("The rule `{}` has a check already.", "规则 `{0}` 已有检查。"),
    (
        "Something is wrong with the rule `{}`; repair it first: {}",
        "规则 `{0}` 有问题，请先修正：{1}",
    ),
    ("`{}` is not a language of examples; use one of {}.", "`{0}` 不是示例的语言；可用：{1}。"),
    (
        "No check of `{}` is for {}; this proves nothing.",
        "`{0}` 没有针对 {1} 的检查；此示例不能证明什么。",
    ),
    (
        "This example of `{}` nests brackets more than {} deep.",
        "`{0}` 的这个示例括号嵌套超过 {1} 层。",
    ),
    ("The check of `{}` does not flag this bad example.", "`{0}` 的检查没有发现这个反例。"),
    ("The check of `{}` flags this good example.", "`{0}` 的检查误报了这个正例。"),
    ("There is no block ```check.", "没有 ```check 代码块。"),
    ("The check is not read as one of this rule.", "读取时检查不属于这条规则。"),
    (
        "There is no block ```LANGUAGE {} in a language of the check.",
        "没有使用检查所针对语言的 ```语言 {0} 代码块。",
    ),
    (
        "The check is that of the example. Write one for the convention that is asked about.",
        "检查与示例相同。请为所问的约定编写检查。",
    ),
    (
        "The check is far too broad: it flags {} of {} examples of other conventions, such as:",
        "检查过于宽泛：在其他约定的 {1} 个示例中命中 {0} 个，例如：",
    ),
    (
        "The check is far too broad: it flags {} places in {} of {} files of the workspace, "
        "such as:",
        "检查过于宽泛：在工作区 {2} 个文件中的 {1} 个里命中 {0} 处，例如：",
    ),
    (
        "The model had not ended its reply when the time was over: `agent.turnTimeoutS`.",
        "时间用完时模型仍未答完：`agent.turnTimeoutS`。",
    ),
    (
        "The model had not ended its reply when `agent.turnTokens` were used up.",
        "`agent.turnTokens` 用完时模型仍未答完。",
    ),
    (
        "The model's reply had no end: it was broken off after {} tokens.",
        "模型的回复没有结尾：在 {0} 个词元后中断。",
    ),
    (
        "A check is YAML of the form `key: value`, one key a line.",
        "检查是 `键: 值` 形式的 YAML，每行一个键。",
    ),
    (
        "Anchors and aliases (`&`, `*`) are not supported; write it out or use `utils`.",
        "不支持锚点和别名（`&`、`*`）；请完整写出或使用 `utils`。",
    ),
    ("The YAML is broken: {}.", "YAML 有误：{0}。"),
    ("The check has more than {} characters or {} brackets.", "检查超过 {0} 个字符或 {1} 个括号。"),
    ("The check has no `language:`; use one of {}.", "检查没有 `language:`；可用：{0}。"),
    (
        "The check has no `rule:`; add the ast-grep rule it looks for.",
        "检查没有 `rule:`；请写上要查找的 ast-grep 规则。",
    ),
    ("The rule does not work for {}: {}", "规则不适用于 {0}：{1}"),
    ("`{}` is not a glob.", "`{0}` 不是 glob。"),
    ("`{}` is not a key of a check; use one of {}.", "`{0}` 不是检查的键；可用：{1}。"),
    ("`{}` is not a language of checks; use one of {}.", "`{0}` 不是检查的语言；可用：{1}。"),
    ("`{}` is not a severity; use one of {}.", "`{0}` 不是严重程度；可用：{1}。"),
    ("`{}` is not a tag of a check; use one of {}.", "`{0}` 不是检查的标签；可用：{1}。"),
    ("`{}` must be a list of globs.", "`{0}` 必须是 glob 列表。"),
    ("`{}` must be text; put it in quotes.", "`{0}` 必须是文本；请加上引号。"),
    (
        "`{}` nests brackets more than {} deep and was not checked; leave generated files "
        "out with the setting `check.exclude`.",
        "`{0}` 的括号嵌套超过 {1} 层，未检查；请用设置 `check.exclude` 排除生成的文件。",
    ),
)
