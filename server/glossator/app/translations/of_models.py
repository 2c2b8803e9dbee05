"""What is said of a model's server that refuses or does not answer."""

from collections.abc import Sequence

MODELS: Sequence[tuple[str, str]] = (
    # What happened.
    ("The answer is incomplete: {}", "回答不完整：{0}"),
    ("The account at `{}` has no credit left", "`{0}` 上的账户余额已用尽"),
    ("`{}` does not accept the key", "`{0}` 不接受该密钥"),
    ("The content filter of `{}` blocked the request", "`{0}` 的内容过滤器拦截了请求"),
    ("The conversation is too long for `{}`", "对话超出 `{0}` 的长度"),
    ("`{}` takes no request of this size in a minute", "`{0}` 每分钟不接受这么大的请求"),
    ("`{}` limits how much may be asked", "`{0}` 限制了请求量"),
    ("`{}` could not read a tool call of its own model", "`{0}` 无法解析其模型的工具调用"),
    ("The model `{}` takes no tools", "模型 `{0}` 不支持工具"),
    ("`{}` does not offer the model `{}`", "`{0}` 不提供模型 `{1}`"),
    ("A proxy on the way to `{}` asks who you are", "通往 `{0}` 的代理要求身份验证"),
    ("`{}` does not allow this", "`{0}` 不允许此操作"),
    ("Nothing takes questions at `{}`", "`{0}` 处没有接受提问的服务"),
    ("`{}` does not accept the request", "`{0}` 不接受该请求"),
    ("`{}` reports an error", "`{0}` 报告错误"),
    (
        "`{}` redirects to `{}`; neither code nor key is sent there",
        "`{0}` 重定向到 `{1}`；代码和密钥都不会发往那里",
    ),
    (
        "`{}` redirects to another place; neither code nor key is sent there",
        "`{0}` 重定向到别处；代码和密钥都不会发往那里",
    ),
    ("`{}` took no connection within {} s", "`{0}` 在 {1} 秒内没有接受连接"),
    ("`{}` sent no answer within {} s", "`{0}` 在 {1} 秒内没有回答"),
    ("`{}` took longer than {} s", "`{0}` 用时超过 {1} 秒"),
    ("`{}` fell silent for {} s within its answer", "`{0}` 在回答中途沉默了 {1} 秒"),
    ("`{}` shows a certificate that is not trusted", "`{0}` 出示的证书不受信任"),
    ("`{}` does not answer in TLS", "`{0}` 没有以 TLS 应答"),
    ("`{}` is no host that can be asked", "`{0}` 不是可以请求的主机"),
    ("`{}` cannot be reached through the proxy", "无法通过代理连接 `{0}`"),
    ("`{}` does not answer in HTTP", "`{0}` 没有以 HTTP 应答"),
    ("`{}` cannot be reached", "无法连接 `{0}`"),
    ("The connection to `{}` broke within the answer", "与 `{0}` 的连接在回答中途中断"),
    ("The HTTP client cannot be set up", "无法建立 HTTP 客户端"),
    ("`{}` sent {}", "`{0}` 返回了{1}"),
    ("a stream without an answer in it", "不含回答的数据流"),
    ("an empty body (`{}`) instead of an answer", "空内容（`{0}`）而不是回答"),
    ("`{}` instead of a stream", "`{0}` 而不是数据流"),
    # What to do.
    (
        "Add credit there, or choose another server; asking again does not help.",
        "请在那里充值，或选择其他服务器；重试无济于事。",
    ),
    ("Check the key in {}.", "请检查密钥（{0}）。"),
    ("the environment", "环境变量"),
    ("the editor's settings", "编辑器设置"),
    ("the form", "表单"),
    ("the form: none is set", "表单：未设置"),
    ("the environment: none is set", "环境变量：未设置"),
    ("the editor's settings: none is set", "编辑器设置：未设置"),
    (
        "Ask differently, or leave out the text that it objects to.",
        "请换一种问法，或去掉它反对的内容。",
    ),
    (
        "Begin a new session, ask about less at once, or choose a model with a larger context.",
        "请新建会话、一次少问一些，或选择上下文更大的模型。",
    ),
    ("Ask about less at once, or choose another model.", "请一次少问一些，或选择其他模型。"),
    (
        "Wait a little and ask again, or choose another model.",
        "请稍候再试，或选择其他模型。",
    ),
    (
        "Ask again; if it stays, choose a model that is better at tools than `{}`.",
        "请重试；如果仍然如此，请选择比 `{0}` 更擅长工具的模型。",
    ),
    (
        "It cannot look at files; choose a model with tool calling in `model.name`.",
        "它无法查看文件；请在 `model.name` 中选择支持工具调用的模型。",
    ),
    (
        "Set `model.name` (or `MODEL`) to one that it offers.",
        "请把 `model.name`（或 `MODEL`）设为它提供的模型。",
    ),
    (
        "Check the proxy variables in the environment, or sign in to the network.",
        "请检查环境中的代理变量，或登录网络。",
    ),
    (
        "Check that the key may use `{}`, and that your network may reach the server.",
        "请确认该密钥可以使用 `{0}`，并且您的网络可以访问该服务器。",
    ),
    ("Check the base URL; it usually ends in `/v1`.", "请检查基础 URL；它通常以 `/v1` 结尾。"),
    (
        "If it stays, try another model or begin a new session.",
        "如果仍然如此，请换一个模型或新建会话。",
    ),
    (
        "Ask again in a moment; if it stays, look at the server's own log or status page.",
        "请稍后重试；如果仍然如此，请查看服务器自己的日志或状态页。",
    ),
    (
        "If that is the server you want, set it as the base URL.",
        "如果那就是您要的服务器，请把它设为基础 URL。",
    ),
    (
        "Check that it runs, the base URL and the network, or raise `model.connectTimeoutS`.",
        "请检查它是否在运行、基础 URL 和网络，或调大 `model.connectTimeoutS`。",
    ),
    (
        "Ask again, or raise `{}` if the model is slow.",
        "请重试；如果模型较慢，请调大 `{0}`。",
    ),
    (
        "If your network or server has its own certificate authority, add it to the system's "
        "store or name it in `SSL_CERT_FILE`.",
        "如果您的网络或服务器使用自有的证书颁发机构，请把它加入系统证书库，或在 "
        "`SSL_CERT_FILE` 中指定。",
    ),
    (
        "Check the base URL: its port, and `http://` if the server has no TLS.",
        "请检查基础 URL 的端口；服务器没有 TLS 时使用 `http://`。",
    ),
    ("Check the base URL.", "请检查基础 URL。"),
    (
        "Check the proxy variables in the environment; `NO_PROXY` names hosts that are reached "
        "without.",
        "请检查环境中的代理变量；`NO_PROXY` 列出不经代理访问的主机。",
    ),
    (
        "Check the base URL: its port, and `https://` if the server has TLS.",
        "请检查基础 URL 的端口；服务器使用 TLS 时使用 `https://`。",
    ),
    (
        "Check the host's name in the base URL, and the network.",
        "请检查基础 URL 中的主机名和网络。",
    ),
    (
        "Check that the server runs, the base URL, and the network or proxy.",
        "请检查服务器是否在运行、基础 URL，以及网络或代理。",
    ),
    ("Ask again.", "请重试。"),
    (
        "Check the proxy variables and `SSL_CERT_FILE` in the environment.",
        "请检查环境中的代理变量和 `SSL_CERT_FILE`。",
    ),
    (
        "Turn that off at the server or at the proxy before it.",
        "请在服务器或其前面的代理上关闭它。",
    ),
    (
        "`{}` compresses its answer, which was not asked for",
        "`{0}` 压缩了回答，但并未要求压缩",
    ),
)
