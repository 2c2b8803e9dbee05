"""What is said of files that are read: knowledge, skills and instructions."""

from collections.abc import Sequence

READING: Sequence[tuple[str, str]] = (
    # Headers.
    (
        "TOML is not read as front matter: write it as YAML between two lines `---`.",
        "不读取 TOML 格式的文件头：请改用 YAML，写在两行 `---` 之间。",
    ),
    (
        "JSON is not read as front matter: write each entry on a line, as `key: value`.",
        "不读取 JSON 格式的文件头：请每行写一项，形如 `key: value`。",
    ),
    (
        "`{}` opens no front matter, so it is read as text: write `---`, with nothing before it.",
        "`{0}` 不能开始文件头，因此按正文读取：请写 `---`，前面不要有任何内容。",
    ),
    (
        "The front matter stands below a comment, so it is read as text: it must begin in the "
        "very first line.",
        "文件头位于注释之后，因此按正文读取：文件头必须从第一行开始。",
    ),
    (
        "The front matter is read, though other tools want `---` in the very first line.",
        "已读取 front matter，但其他工具要求 `---` 位于第一行。",
    ),
    (
        "The front matter that opens here is never closed; it is assumed to end at line "
        "{}. Add a line `---` below it.",
        "此处开始的 front matter 没有结束；按第 {0} 行结束处理。请在其后加一行 `---`。",
    ),
    (
        "`{}` stands twice in the front matter; this one counts.",
        "`{0}` 在 front matter 中出现了两次；以这一处为准。",
    ),
    ("Read as `{}`; write `: ` after the key.", "按 `{0}` 读取；请在键后写半角冒号加空格。"),
    ("`{}` is not `key: value`; it is ignored.", "`{0}` 不是 `键: 值` 的形式；已忽略。"),
    ("`{}` is longer than {} characters; it is ignored.", "`{0}` 超过 {1} 个字符；已忽略。"),
    (
        "`{}` is read as text up to its end; YAML takes what follows `#` for a comment. "
        "Put it in quotes.",
        "`{0}` 整体按文本读取；YAML 会把 `#` 之后的内容当作注释。请加上引号。",
    ),
    (
        "The value of `{}` is not valid YAML (`{}`); it is read as {}. Put it in quotes.",
        "`{0}` 的值不是合法的 YAML（`{1}`）；按{2}读取。请加上引号。",
    ),
    ("the text {}", "文本 {0} "),
    ("the list {}", "列表 {0} "),
    ("`{}` has {} items; only {} are used.", "`{0}` 有 {1} 项；只使用前 {2} 项。"),
    (
        "`{}: {}` is text in quotes, not true or false, so it does not switch anything on. "
        "Take the quotes away.",
        "`{0}: {1}` 带引号就是文本，不是布尔值，因此不会启用任何功能。请去掉引号。",
    ),
    ("The glob `{}` cannot be used: {}", "无法使用 glob `{0}`：{1}"),
    ("`{}` is not a key; did you mean `{}`?", "`{0}` 不是有效的键；是否想写 `{1}`？"),
    ("`{}` must be {}; it is ignored.", "`{0}` 必须是{1}；已忽略。"),
    ("text", "文本"),
    ("a list of texts", "文本列表"),
    ("`true` or `false`", " `true` 或 `false`"),
    # Documents.
    (
        "There is no text in this file; nothing can be found in it.",
        "文件没有正文；检索不到任何内容。",
    ),
    (
        "The file is too long: only its first {} lines are searched (limits: {} "
        "characters, {} lines). Split it.",
        "文件过长：只检索前 {0} 行（上限：{1} 个字符、{2} 行）。请拆分。",
    ),
    (
        "The line has {} characters; citations cannot point inside.",
        "这一行有 {0} 个字符；引用无法指向其中的位置。",
    ),
    (
        "{} invisible characters stand in the file, the first in this line.",
        "文件中有 {0} 个不可见字符，第一个在这一行。",
    ),
    ("The file cannot be read ({}); it is left out.", "无法读取文件（{0}）；已跳过。"),
    ("Only the first {} files are read.", "只读取前 {0} 个文件。"),
    ("The folder cannot be listed: {}.", "无法列出文件夹：{0}。"),
    ("The link leads out of the workspace; it is not followed.", "链接指向工作区之外；不会跟随。"),
    ("aliases are not allowed", "不允许使用别名"),
    ("it cannot be opened", "无法打开"),
)

SKILLS: Sequence[tuple[str, str]] = (
    (
        "Only the first {} folders are searched for skills. Move what is no skill elsewhere.",
        "只在前 {0} 个文件夹中查找技能。请把不是技能的内容移到别处。",
    ),
    (
        "`{}` is {} folders deep; skills below it are not looked for. Move them up.",
        "`{0}` 有 {1} 层深；不查找其下的技能。请上移。",
    ),
    (
        "`{}` is a link that leads elsewhere; skills below it are not looked for.",
        "`{0}` 是指向别处的链接；不查找其下的技能。",
    ),
    (
        "The skill `{}` is not used: `{}` has the same name and comes first. Rename one of them.",
        "技能 `{0}` 未使用：`{1}` 与它同名且优先。请为其中一个改名。",
    ),
    (
        "`user-invocable` and `disable-model-invocation` leave nobody who can activate "
        "this skill. Allow the user or the model.",
        "`user-invocable` 与 `disable-model-invocation` 使任何人都无法启用该技能。请允许用"
        "户或模型。",
    ),
    ("`name` is missing; the folder's name `{}` is used.", "缺少 `name`；使用文件夹名 `{0}`。"),
    (
        "`name` is to be 1 to {} lowercase letters, digits and single hyphens; of `{}`, {}.",
        "`name` 应为 1 到 {0} 个小写字母、数字和单个连字符；`{1}` 不符合：{2}。",
    ),
    ("it is empty", "内容为空"),
    ("it has {} characters, and {} are allowed", "有 {0} 个字符，最多允许 {1} 个"),
    ("it holds {}", "含有 {0}"),
    ("a space", "空格"),
    ("it has capital letters", "含有大写字母"),
    ("it begins or ends with a hyphen", "以连字符开头或结尾"),
    ("it has two hyphens in a row", "含有连续两个连字符"),
    (
        "`name` is `{}`, but the folder is called `{}`; the skill is loaded as `{}`. Give "
        "both the same name: other tools skip it.",
        "`name` 是 `{0}`，而文件夹叫 `{1}`；技能按 `{2}` 加载。请让两者同名：其他工具会跳过它。",
    ),
    (
        "`description` is missing, so nobody could tell when to use this skill: it is "
        "skipped. Say what it does and when it is meant.",
        "缺少 `description`，无从判断何时使用该技能，因此跳过。请写明它做什么、何时使用。",
    ),
    (
        "`description` has {} characters; the specification allows {}. Its beginning is "
        "shown to models.",
        "`description` 有 {0} 个字符；规范允许 {1} 个。只向模型展示开头部分。",
    ),
    (
        "`metadata` must be a map from text to text; it is ignored.",
        "`metadata` 必须是文本到文本的映射；已忽略。",
    ),
    ("`metadata`: {} must be text; they are ignored.", "`metadata`：{0} 必须是文本；已忽略。"),
    (
        "`allowed-tools` is one text with spaces between the tools.",
        "`allowed-tools` 应为一段文本，工具之间用空格分隔。",
    ),
    (
        "`allowed-tools` must be text, tools with spaces between; ignored.",
        "`allowed-tools` 必须是文本，工具之间用空格分隔；已忽略。",
    ),
    ("`{}` must be text; it is ignored.", "`{0}` 必须是文本；已忽略。"),
    ("`{}` must be `true` or `false`; it is ignored.", "`{0}` 必须是 `true` 或 `false`；已忽略。"),
    (
        "`{}` has {} characters; the specification allows {}.",
        "`{0}` 有 {1} 个字符；规范允许 {2} 个。",
    ),
    (
        "The skill has no text below its header; activating it tells a model nothing.",
        "该技能在 front matter 之后没有正文；启用它不会给模型任何信息。",
    ),
    (
        "The skill has {} lines; the specification advises fewer than {}. Move details to "
        "files in `references/` and name them in the text.",
        "该技能有 {0} 行；规范建议少于 {1} 行。请把细节移到 `references/` 下的文件，并在正"
        "文中提及。",
    ),
)

INSTRUCTIONS: Sequence[tuple[str, str]] = (
    (
        "`{}` means nothing in this file: it counts for its whole folder.",
        "`{0}` 在此文件中不起作用：它对整个文件夹生效。",
    ),
    (
        "`globs` narrows nothing here: with `alwaysApply: true` the rule always counts.",
        "`globs` 在此不起限制作用：`alwaysApply: true` 时规则始终生效。",
    ),
    (
        "`{}` is not a key of this file; did you mean `{}`?",
        "`{0}` 不是此类文件的键；是否想写 `{1}`？",
    ),
    ("`{}` is no agent; `excludeAgent` is {}.", "`{0}` 不是代理名；`excludeAgent` 可为 {1}。"),
    ("code-review or coding-agent", "code-review 或 coding-agent"),
    ("Only the first {} of {} instruction files are read.", "只读取 {1} 个指令文件中的前 {0} 个。"),
    (
        "The workspace is large: only its first {} folders were searched for instructions "
        "such as `AGENTS.md`. Those elsewhere are found when a file near them is looked at.",
        "工作区较大：只在前 {0} 个文件夹中查找了 `AGENTS.md` 等指令文件。其余的会在查看其附"
        "近的文件时发现。",
    ),
    ("`{}` is not read: {}", "未读取 `{0}`：{1}"),
    ("`{}` is not read: `{}` stands beside it.", "未读取 `{0}`：旁边已有 `{1}`。"),
    ("`{}` is not read: it is a link that leads nowhere.", "未读取 `{0}`：它是失效的链接。"),
    ("`{}` is not read: it is no regular file.", "未读取 `{0}`：它不是普通文件。"),
    (
        "`{}` is not read: rules in `{}` end with `{}`. Rename it.",
        "未读取 `{0}`：`{1}` 中的规则文件以 `{2}` 结尾。请改名。",
    ),
    ("Only the first {} rules are read.", "只读取前 {0} 条规则。"),
    (
        "`{}` is read as `{}`. Other tools do not find it where upper and lower case "
        "differ: rename it.",
        "`{0}` 按 `{1}` 读取。在区分大小写的系统上其他工具找不到它：请改名。",
    ),
    ("`{}` is a link to this file.", "`{0}` 是指向此文件的链接。"),
    ("`{}` is a link to this file; it counts once.", "`{0}` 是指向此文件的链接；只计一次。"),
    ("Git ignores this file; it is read all the same.", "Git 忽略此文件，但仍会读取。"),
    ("`@{}` is not read: {}.", "未读取 `@{0}`：{1}。"),
    ("it imports itself in a circle; it is read once", "循环导入；只读取一次"),
    (
        "`@{}` is knowledge: it is given where a question is about it, and not always, as what is "
        "imported is.",
        "`@{0}` 属于知识：问题涉及它时才会提供，不像导入的内容那样始终提供。",
    ),
    ("imports are followed {} files deep", "导入最多跟随 {0} 层"),
    ("too many files are imported", "导入的文件过多"),
    ("it is outside the workspace", "位于工作区之外"),
    ("it is a folder", "它是文件夹"),
    ("a link that leads nowhere", "失效的链接"),
    ("it has changed meanwhile", "它在此期间已被改动"),
    ("there is no such file", "文件不存在"),
    ("The answer could not be kept in {}: {}.", "无法把回答保存到 {0}：{1}。"),
)
