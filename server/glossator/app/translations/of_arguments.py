"""What is said of paths, questions and other arguments that cannot be taken."""

from collections.abc import Sequence

PATHS: Sequence[tuple[str, str]] = (
    ("{} cannot be read: {}.", "无法读取 {0}：{1}。"),
    ("`{}` is {}; {}.", "`{0}` 是{1}；{2}。"),
    ("a folder", "文件夹"),
    ("a named pipe", "命名管道"),
    ("a socket", "套接字"),
    ("a device", "设备"),
    ("list it instead", "请改为列出它"),
    ("only regular files are read", "只读取普通文件"),
    (
        "{} does not exist. List the folder or search for it to find the right path.",
        "{0} 不存在。请列出文件夹或搜索以找到正确的路径。",
    ),
    ("{} is not a folder, or goes through a file.", "{0} 不是文件夹，或经过了一个文件。"),
    (
        "{} is not a local file. Use a path below the workspace folder.",
        "{0} 不是本地文件。请使用工作区文件夹下的路径。",
    ),
    (
        "{} is on another machine. Use a path below the workspace folder.",
        "{0} 在另一台机器上。请使用工作区文件夹下的路径。",
    ),
    (
        "{} is outside the workspace. Use a path below the workspace folder, such as "
        "`src/main.py`.",
        "{0} 在工作区之外。请使用工作区文件夹下的路径，例如 `src/main.py`。",
    ),
    (
        "{} is outside the workspace. Use a path below the workspace folder, such as `src/main.py`",
        "{0} 在工作区之外。请使用工作区文件夹下的路径，例如 `src/main.py`",
    ),
    ("{} is not a path: it holds a NUL character.", "{0} 不是路径：含有 NUL 字符。"),
    ("{} is not a path: it holds half a character.", "{0} 不是路径：含有半个字符。"),
    ("{} is not a path: it is too long.", "{0} 不是路径：过长。"),
    ("{} is not a valid URI.", "{0} 不是合法的 URI。"),
    ("{} is not a valid URI: a broken `%` escape.", "{0} 不是合法的 URI：`%` 转义有误。"),
    ("{} is not a valid URI: it is not UTF-8.", "{0} 不是合法的 URI：不是 UTF-8。"),
    (
        "No folder is open, so there are no files to look at. Open a folder first.",
        "没有打开文件夹，因此没有可查看的文件。请先打开一个文件夹。",
    ),
    (
        "{} may hold keys, passwords or repository internals, so it is never read. Ask the "
        "user about what is in it.",
        "{0} 可能含有密钥、密码或仓库内部数据，因此从不读取。",
    ),
    ("`{}` may hold secrets and is never read.", "`{0}` 可能含有机密，从不读取。"),
    ("{} has {}; files over {} are not read whole.", "{0} 有 {1}；超过 {2} 的文件不会整体读取。"),
    ("{} is not text ({}, {}).", "{0} 不是文本（{1}，{2}）。"),
    (
        "`{}` changes while it is looked at. Try again in a moment.",
        "`{0}` 在查看时发生了变化。请稍后重试。",
    ),
    ("`{}` does not exist, so it cannot be checked.", "`{0}` 不存在，无法检查。"),
    ("`{}` does not exist, so it cannot be judged.", "`{0}` 不存在，无法检查。"),
)

ARGUMENTS: Sequence[tuple[str, str]] = (
    (
        "The session has gone on elsewhere meanwhile, so nothing of it was replaced. Open it "
        "again, and then ask.",
        "此会话已在别处继续，因此没有替换其中任何内容。请重新打开它，然后再提问。",
    ),
    (
        "The session has {} by now, so nothing of it was replaced. Open it again, and then ask.",
        "此会话现在的轮数是 {0}，因此没有替换其中任何内容。请重新打开它，然后再提问。",
    ),
    ("The question is empty.", "问题为空。"),
    (
        "The question has {} characters; {} are answered at most. Ask about a part of it.",
        "问题有 {0} 个字符；最多回答 {1} 个字符的问题。请只问其中一部分。",
    ),
    ("There is nothing to search for: the question is empty.", "没有可搜索的内容：问题为空。"),
    ("The limit must be between 1 and {}.", "数量必须在 1 到 {0} 之间。"),
    (
        "Nothing is found by meaning here. Run `pip install glossator[semantic]`, or set "
        "`semantic.source` to `endpoint` with an address and a model.",
        "此处没有按语义查找。请运行 `pip install glossator[semantic]`，或将 "
        "`semantic.source` 设为 `endpoint` 并填写地址和模型。",
    ),
    ("Nothing is recorded here. Name a file.", "此处没有记录。请指定文件。"),
    (
        "The structure of `{}` is not known to Glossator: its language is another one, or "
        "it is too large. Search for the name instead.",
        "Glossator 不了解 `{0}` 的结构：语言不受支持，或文件过大。请改为搜索名称。",
    ),
    (
        "There is no function at {}:{}. Put the cursor inside a function.",
        "{0}:{1} 处没有函数。请把光标放在函数内。",
    ),
    ("`--jobs` must be from 1 to {}, not {}.", "`--jobs` 必须在 1 到 {0} 之间，而不是 {1}。"),
    ("`depth` must be from 1 to {}, not {}.", "`depth` 必须在 1 到 {0} 之间，而不是 {1}。"),
    ("`days` must be between 1 and {}, not {}.", "`days` 必须在 1 到 {0} 之间，而不是 {1}。"),
    (
        "`{}` is not a date; write for example `2026-03-02`.",
        "`{0}` 不是日期；写法示例：`2026-03-02`。",
    ),
    (
        "No source file in {} has a structure that is understood. Name a folder with code.",
        "{0} 中没有能理解结构的源文件。请指定含有代码的文件夹。",
    ),
    ("`{}` cannot be read: {}.", "无法读取 `{0}`：{1}。"),
    (
        "The record of turn `{}` has no content, so the turn cannot be run again. Set "
        "`audit.content` to true, in the editor's settings or in your own `glossator.toml`, and "
        "ask again; what was asked before stays without.",
        "轮次 `{0}` 的记录没有内容，因此无法重新运行。请在编辑器设置或您自己的 `glossator.toml` "
        "中将 `audit.content` 设为 true 后再问一次；之前的提问仍没有内容。",
    ),
    (
        "Turn `{}` has no end in this file, so it cannot be run again.",
        "轮次 `{0}` 在此文件中没有结尾，因此无法重新运行。",
    ),
    (
        "Turn `{}` has no answer of a model (it ended: {}), so there is nothing to run again.",
        "轮次 `{0}` 没有模型的回答（结束原因：{1}），因此没有可重新运行的内容。",
    ),
    ("`{}` holds no turn `{}`. The latest are: {}.", "`{0}` 中没有轮次 `{1}`。最近的有：{2}。"),
    (
        "`{}` holds no turn. Give a file of `glossator/audit`, or a session exported as JSON.",
        "`{0}` 中没有轮次。请给出 `glossator/audit` 的文件，或导出为 JSON 的会话。",
    ),
    (
        "`{}` is too large to be a record or an exported session.",
        "`{0}` 过大，不会是记录或导出的会话。",
    ),
    ("The title is empty.", "标题为空。"),
    (
        "There is no knowledge to share. Name a folder with Markdown files, or write "
        "documents under `knowledge/`.",
        "没有可共享的知识。请指定含有 Markdown 文件的文件夹，或在 `knowledge/` 下编写文档。",
    ),
    (
        "`{}` cannot be the name of a {}: use one word without slashes.",
        "`{0}` 不能用作 {1} 的名称：请用一个不含斜杠的词。",
    ),
    ("`{}` is no folder and no file.", "`{0}` 既不是文件夹也不是文件。"),
    ("`{}` has {} lines; there is no line {}.", "`{0}` 有 {1} 行；没有第 {2} 行。"),
    (
        "`{}` is not FILE:LINE, counted from 1; write for example `src/app.py:12`.",
        "`{0}` 不是 `文件:行号`（从 1 开始）；写法示例：`src/app.py:12`。",
    ),
    ("`{}` is not a folder.", "`{0}` 不是文件夹。"),
    ("`{}` cannot be written: {}.", "无法写入 `{0}`：{1}。"),
    (
        "`{}` ({}, {}) would be deleted for good. Add `--yes` to do it.",
        "`{0}`（{1}，{2}）将被永久删除。确认请加 `--yes`。",
    ),
    ("`{}` may be any of {}. Write more of it.", "`{0}` 可能是 {1} 中的任何一个。请多写几个字符。"),
    (
        "There is no session `{}` in this workspace. `glossator sessions` lists them.",
        "此工作区没有会话 `{0}`。`glossator sessions` 会列出全部会话。",
    ),
    (
        "There is no session `{}` (any more). Start a new session.",
        "没有（或不再有）会话 `{0}`。请开始新会话。",
    ),
    ("the empty state before the first commit", "首次提交之前的空状态"),
    ("There is no session in this workspace yet.", "此工作区还没有会话。"),
    ("{} Ask without `--continue`.", "{0}请去掉 `--continue` 再提问。"),
    (
        "No folder is open; name a file with `uri` or `path`.",
        "没有打开文件夹；请用 `uri` 或 `path` 指定文件。",
    ),
    ("`{}` is not open and names no file.", "`{0}` 没有打开，也不是文件。"),
    ("`{}` takes exactly one argument, an object.", "`{0}` 只接受一个对象作为参数。"),
    ("`{}` is not one of Glossator's commands.", "`{0}` 不是 Glossator 的命令。"),
    ("`workDoneToken` must be text or a whole number.", "`workDoneToken` 必须是文本或整数。"),
    ("`{}`: its parameters do not fit the protocol.", "`{0}`：参数不符合协议。"),
)
