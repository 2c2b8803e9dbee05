"""What is said of a command line that cannot be read; the English is that of argparse."""

from collections.abc import Sequence

USAGE: Sequence[tuple[str, str]] = (
    ("the following arguments are required: {}", "缺少参数：{0}"),
    ("unrecognized arguments: {}", "无法识别的参数：{0}"),
    ("argument {}: invalid choice: {} (choose from {})", "参数 {0}：不能是 {1}（可选：{2}）"),
    ("argument {}: invalid int value: {}", "参数 {0}：{1} 不是整数"),
    ("argument {}: invalid {} value: {}", "参数 {0}：{2} 不能用作 {1}"),
    ("argument {}: expected one argument", "参数 {0}：需要一个值"),
    ("argument {}: expected at least one argument", "参数 {0}：至少需要一个值"),
    ("argument {}: expected at most one argument", "参数 {0}：最多一个值"),
    ("argument {}: expected {} arguments", "参数 {0}：需要 {1} 个值"),
    ("argument {}: not allowed with argument {}", "参数 {0} 不能与参数 {1} 同用"),
    ("argument {}: ignored explicit argument {}", "参数 {0} 不接受值，给出的是 {1}"),
    ("ambiguous option: {} could match {}", "选项 {0} 可能是多个选项：{1}"),
)
