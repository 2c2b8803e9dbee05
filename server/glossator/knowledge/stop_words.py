"""What carries nothing in a question: frames such as "how do I", and the words of any sentence.

They stay in the index. They are left out when it is judged how much of a question a section
covers, or "how do I center a div" would be half known to every team.
"""

from glossator.knowledge.stemming import stem

# Function words, greetings and small talk.
_ENGLISH = """
a about above after again ah all already alright also always am among an and another any anybody
anyone anything are around as ask asked asks at away be because been before being below best
better between both but by bye came can cannot certain come comes coming cool correct could dear
did different do does doing done down during each either else enough etc even evening ever every
everybody everyone everything exactly example examples favourite few first for from fun further
general glad go goes going good goodbye got great had haha happen happened happening happens has
have having he hello her here hers hey hi him his how however i if in instead into is it its
itself just know known last lately least less let like ll lot many may maybe me mean means might
mine more morning most much must my myself need needed needs neither never new nice night no
nobody nor not nothing now of off often oh ok okay on once one only or other others ought our ours
out over own per perhaps please possible prefer preferred pretty proper properly quite rather re
really regard regarding right s same say says see seem seems several shall she should simple
simply since so some somebody someone something sometimes soon sorry still such suppose supposed
sure t take taken takes tell tells than thank thanks that the their theirs them then there these
they thing things think this those though through thus thx to today together told tomorrow tonight
too toward towards two under unless until up upon us very via want wants was way ways we welcome
well went were what when where whether which while who whom whose why will wish with within
without won wonder wondering would wouldn wow wrong yeah yes yesterday yet you your yours yourself
"""

# Verbs of any question that are terms as well: "how do I set up …" and a set.
_LIGHT = """
apply avail bring call case choose decide define explain find follow get give handle help hold keep
kind leave look make made put set show sort start stay try turn use used useful using usually work
write wrote written
"""

# How a team speaks about its ways. What nothing else is asked of, these words ask for.
_HOUSE = """
agree allow allowed code codebase company convention developer guide guideline guidance house policy
practice project question recommend recommended repo repository rule standard team
"""

# Longest first wherever one begins another; each is cut out of a Chinese question as a whole.
_CHINESE = """
请问一下 请问 请教 麻烦 帮我 帮忙 告诉我 告诉 解释一下 解释 说明一下 介绍一下 介绍 讲讲 看看
看一下 一下 怎么样 怎么办 怎么 怎样 怎麽 如何 为什么 为何 为啥 什么时候 什么样 什么 啥 哪些
哪个 哪里 哪儿 哪种 哪 多少 多久 几个 几次 是不是 是否 能不能 能否 可不可以 可以 可否 应不应该
应该 应当 该不该 需不需要 需要 要不要 有没有 有哪些 有什么 必须 不能 不要 不可以 能够 想要 我想
我要 想 我们团队 我们 我 你们 你 他们 大家 咱们 团队 本项目 项目 公司 规范 约定 规定 规则 惯例
要求 标准 最佳实践 建议 推荐 做法 方法 方式 办法 注意事项 注意 原则 情况 问题 时候 的话 而且
并且 或者 还是 以及 如果 那么 因为 所以 但是 关于 对于 进行 使用 采用 用来 用于 有关 这个 那个
这些 那些 这里 那里 这样 那样 这种 一个 一种 这 那 里面 里 中 上 下 时 的 了 吗 呢 吧 呀 啊 么
今天 明天 昨天 现在 最近 几点 晚安 早安 早上好 晚上好 你好 您好 您 谢谢 多谢 感谢 对不起 抱歉
不好意思 再见 非常 特别 真 太 好的 哈哈 嗯
着 得 地 之 和 与 及 或 在 是 有 用 要 会 能 该 把 被 让 给 对 从 到 都 也 就 还 才 很 最 更 请
写 做 处理
"""

# Of these, what a team calls its ways.
_HOUSE_CHINESE = """
规范 约定 规定 规则 惯例 要求 标准 最佳实践 建议 推荐 做法 方法 方式 办法 注意事项 原则 情况 问题
团队 公司 项目 使用 采用 处理
"""

# Words that only look as if they held a stop word.
_KEPT = """
目的 在线 存在 所在 有效 所有 私有 专有 拥有 已有 有限 有序 有状态 有向 是非 该死 用户
用例 用途 用量 用法 引用 调用 应用 复用 重用 通用 占用 作用 副作用 启用 禁用 停用 弃用 信用
公用 专用 可用 费用 滥用 主要 重要 要点 要素 摘要 概要 会话 会议 会员 社会 能力 功能 性能 智能
能耗 把手 被动 让步 给定 对象 对比 对齐 对账 对话 对称 针对 绝对 相对 应对 校对 核对 配对 结对
键值对 从属 从库 从节点 主从 到期 到达 都市 就绪 还原 还款 归还 最大 最小 最近 最终 最新 最后
更新 更改 更换 变更 请求 申请 邀请 和平 饱和 参与 与门 或门 地址 地图 地区 地域 本地 异地 落地
之后 之前 得分 获得 取得 着色 中文 中间 中断 中心 中止 中转 集中 命中 其中 上线 上传 上下文
上下 上游 上限 上报 上层 上级 线上 以上 下载 下线 下游 下限 下拉 下标 下单 下发 下层 下级 以下
里程碑 写入 写死 读写 重写 编写 回写 小时 时间戳 时间 时区 时刻 时长 时序 时钟 时效 超时 定时
实时 临时 同时 及时 延时 运行时 工时 耗时 涉及 想法 标准库 标准输出 标准化 方法名 类方法
项目管理 解释器 问题单 处理器
"""


# Words that only ask. They do not even rank, unless nothing else is asked.
_ASKING = """
can could did do does how i may me must my our shall should us we what when where which who whom
whose why will would you your
"""


def _make_phrases(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split(), key=len, reverse=True))


_NEGATED = "are could did does do had has have is should was were"


def _make_stems(text: str) -> frozenset[str]:
    return frozenset(text.split()) | frozenset(map(stem, text.split()))


STOP_WORDS = _make_stems(" ".join((_ENGLISH, *(verb + "n" for verb in _NEGATED.split()))))
"""They carry nothing; with what is left of "couldn't"."""
LIGHT_WORDS = _make_stems(_LIGHT) - STOP_WORDS
HOUSE_WORDS = _make_stems(_HOUSE) - STOP_WORDS
FRAME_WORDS = STOP_WORDS | LIGHT_WORDS | HOUSE_WORDS
ASKING_WORDS = _make_stems(_ASKING)
STOP_PHRASES = _make_phrases(_CHINESE)
HOUSE_PHRASES = _make_phrases(_HOUSE_CHINESE)
KEPT_PHRASES = _make_phrases(_KEPT)
