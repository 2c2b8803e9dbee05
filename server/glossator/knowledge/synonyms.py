"""Words of one meaning: abbreviations, and the terms of the trade in Chinese and English.

So a Chinese question finds an English document and the other way round, as far as words can.
"""

from collections.abc import Iterator
from functools import cache

from glossator.knowledge.words import find_parts, find_tokens, is_narrow

# One group a line; an entry of several words is one term. Chinese as it is written on the mainland
# and in Taiwan, in simplified characters both.
_GROUPS = """
accessibility | a11y | 无障碍 | 可访问性
alert | alarm | 告警 | 报警
api | interface | endpoint | 接口
argument | parameter | 参数 | 形参 | 实参
array | list | 数组 | 列表 | 阵列 | 串列
assert | assertion | 断言
async | asynchronous | asyncio | 异步 | 非同步
attribute | property | 属性
authentication | authenticate | login | 认证 | 登录 | 鉴权
authorization | authorize | permission | 授权 | 权限
backup | 备份
batch | bulk | 批量 | 批处理
blame | 追溯
branch | 分支
bug | defect | 缺陷
cache | 缓存 | 快取
callback | 回调
class | 类 | 类别
cleanup | clean up | 清理
commit | 提交
compatible | compatibility | 兼容 | 兼容性
component | 组件 | 元件
concurrency | concurrent | parallel | 并发 | 并行
configuration | config | settings | 配置 | 设置 | 设定
conflict | 冲突
connection | 连接 | 连线
connection pool | pool | 连接池
constant | 常量
constraint | 约束
context | 上下文
coverage | 覆盖率
cursor | 游标
database | db | 数据库 | 资料库
date | 日期
deadlock | 死锁
decorator | 装饰器
delete | remove | 删除 | 移除
dependency | dependencies | 依赖
deploy | deployment | release | 部署 | 发布 | 上线
deprecate | deprecated | deprecation | 弃用 | 废弃
docstring | documentation | 文档
effect | 副作用
encoding | encode | 编码
encrypt | encryption | 加密
environment | env | 环境
environment variable | 环境变量
error | 错误 | 出错 | 报错
exception | 异常 | 例外
fixture | 夹具
foreign key | 外键
form | 表单
format | formatting | formatter | 格式 | 格式化
function | 函数 | 函式
generator | 生成器
header | 请求头 | 响应头
hook | 钩子
idempotent | idempotency | 幂等 | 幂等性
import | 导入 | 汇入
index | 索引
inheritance | inherit | 继承
injection | inject | 注入
integration test | 集成测试
iterator | iterate | loop | 迭代 | 循环 | 遍历 | 回圈
join | 连表 | 关联查询
key | 键
lint | linter | 静态检查
lock | 锁
log | logging | logger | 日志 | 记录档
memo | memoize | memoization | 记忆化
memory leak | 内存泄漏
merge | 合并
message | 消息 | 讯息
migration | migrate | 迁移
mock | stub | fake | 模拟 | 打桩
module | 模块 | 模组
money | amount | 金额
mutable | mutation | mutate | 可变
naming | name | 命名 | 名称
null | none | nullable | 空值
package | 包
pagination | paginate | page | 分页 | 翻页
partition | 分区
password | 密码 | 口令
path | 路径
performance | 性能
primary key | 主键
prop | props
pull request | pr | merge request | mr | code review | 合并请求 | 拉取请求
push | 推送
query | 查询
queue | 队列 | 伫列
rate limit | throttle | 限流
rebase | 变基
reducer | 归约
refactor | refactoring | 重构
regex | regular expression | 正则 | 正则表达式
render | rendering | 渲染
replica | replication | 副本 | 复制
request | 请求
resource | 资源
response | 响应
retry | 重试
return | 返回 | 回传
revert | roll back | rollback | 回滚 | 回退 | 撤销
review | reviewer | 评审 | 审查
schema | 模式 | 表结构
search | 搜索 | 检索 | 搜寻
secret | credential | 密钥 | 凭据 | 机密
security | secure | 安全
serialize | serialization | 序列化
session | 会话
slow query | 慢查询
snapshot | 快照
sort | sorting | order by | 排序
squash | 压缩提交
stash | 暂存
state | 状态
status code | 状态码
stream | streaming | 流式
string | 字符串 | 字串
style | css | 样式
subprocess | process | 进程 | 子进程 | 行程
table | 表
tag | 标签
test | testing | 测试
thread | 线程 | 执行绪
timeout | time out | 超时
timezone | time zone | utc | 时区
token | 令牌
transaction | 事务
type | typing | annotation | 类型 | 注解 | 类型注解 | 型别
unit test | 单元测试 | 单测
update | 更新
upload | 上传
url | uri | 网址
user | 用户 | 使用者
validate | validation | 校验 | 验证
variable | 变量 | 变数
version | versioning | 版本
approve | approval | 批准
architecture | 架构
background | 后台
backwards compatible | 向后兼容
block | blocking | 阻塞
boolean | bool | 布尔
bottleneck | 瓶颈
button | 按钮
calculate | compute | 计算
case | 用例
character | 字符
charset | 字符集
check | 检查
child | 子组件
clear | 清空
client | 客户端
close | 关闭
collection | 集合
color | colour | 颜色
column | field | 列 | 字段
comment | 注释
compile | 编译
compress | 压缩
condition | 条件
container | 容器
convert | 转换
count | 计数
create | 创建 | 新建
data | 数据 | 资料
debounce | 防抖
debug | debugging | 调试 | 除错
default | 默认 | 缺省 | 预设
dialog | modal | 弹窗 | 对话框
directory | folder | 目录 | 文件夹
duplicate | 重复
element | 元素
event | 事件
expire | expiry | 过期
fail | failure | 失败
file | 文件 | 档案
filter | 过滤
fix | 修复
flaky | 不稳定 | 偶发
float | 浮点 | 浮点数
force push | 强制推送
frontend | 前端
backend | 后端
garbage | 垃圾
global | 全局 | 全域
history | 历史
host | 主机
i18n | internationalization | 国际化
image | 图片
implement | implementation | 实现
incident | outage | 故障
initialize | 初始化
input | 输入
insert | 插入
install | 安装
instance | 实例
integer | int | 整数
isolation | 隔离
label | 标签
latency | 延迟
layer | 层
layout | 布局 | 版面配置
library | 库
license | licence | 许可证
limit | 限制 | 上限
line | 行
link | 链接
load | 加载 | 载入
local | 本地 | 本机
maximum | max | 最大
memory | 内存 | 记忆体
method | 方法
metric | metrics | 指标
middleware | 中间件
monitor | monitoring | 监控
network | 网络 | 网路
notify | notification | 通知
number | 数字
object | 对象 | 物件
order | 顺序
output | 输出
override | 覆盖
overflow | 溢出
parent | 父组件
parse | 解析
placeholder | 占位符
plugin | 插件 | 外挂程式
print | 打印 | 列印
private | 私有
public | 公开
quality | 质量
random | 随机
read | 读取
reconnect | 重连
recursion | recursive | 递归 | 递回
reference | 引用
rename | 重命名 | 改名
repository | repo | 仓库
reset | 重置
root cause | 根因
route | router | routing | 路由
save | 保存 | 储存
scope | 作用域
script | 脚本 | 指令稿
select | 选择
server | 服务器 | 服务端 | 伺服器
service | 服务
shard | sharding | 分片
signature | 签名
sql injection | sql 注入
subscribe | subscription | 订阅
sync | synchronous | 同步
template | 模板 | 范本
timestamp | 时间戳
trace | tracing | 追踪
traceback | stack trace | 堆栈
trigger | 触发 | 触发器
unique | 唯一
value | 值
view | 视图
virtual environment | venv | virtualenv | 虚拟环境
wait | 等待
warning | 警告
write | 写入
budget | 预算
cancel | cancellation | 取消
citation | cite | 引用
execute | execution | 执行
match | 匹配
prompt | 提示词
report | 报告 | 报表
section | 章节
symlink | symbolic link | 符号链接
synonym | 同义词
vector | embedding | 向量
position | 位置
progress | 进度
send | 发送
tool | 工具
watch | watcher | 监听 | 监视
wildcard | glob | 通配符
"""


@cache
def _load() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return each term's key with the other terms of its groups."""
    table: dict[tuple[str, ...], tuple[str, ...]] = {}
    for line in _GROUPS.strip().splitlines():
        terms = [term.strip() for term in line.split("|")]
        for term in terms:
            others = (other for other in terms if other != term)
            table[term_key(term)] = tuple(dict.fromkeys((*table.get(term_key(term), ()), *others)))
    return table


def term_key(term: str) -> tuple[str, ...]:
    """Return the form in which terms are compared: Chinese runs as they stand, else stems."""
    words: list[str] = []
    for token in find_tokens(term.lower()):
        words += (token,) if is_narrow(token) else find_parts(token)
    return tuple(words)


def find_synonyms(key: tuple[str, ...]) -> tuple[str, ...]:
    """Return the other terms for a term given by its key."""
    return _load().get(key, ())


def find_terms_within(run: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield where in a Chinese run a term begins and ends, with the other terms for it."""
    lengths = _list_lengths()
    for start, character in enumerate(run):
        for length in lengths.get(character, ()):
            end = start + length
            if end <= len(run) and (others := find_synonyms((run[start:end],))):
                yield start, end, others


@cache
def _list_lengths() -> dict[str, list[int]]:
    """Return how long the Chinese terms are that begin with a character, shortest first."""
    lengths: dict[str, set[int]] = {}
    for key in _load():
        if len(key) == 1 and is_narrow(key[0]):
            lengths.setdefault(key[0][0], set()).add(len(key[0]))
    return {character: sorted(found) for character, found in lengths.items()}
