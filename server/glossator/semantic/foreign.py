"""How near is near: measured with questions that a team's knowledge hardly answers.

Cosines of different models cannot be compared: what is a close match for one is noise for another.
So each encoder is asked what it makes of foreign questions and the sections at hand, and only what
stands clearly above that counts as close.
"""

from collections.abc import Sequence

QUESTIONS = (
    "How long do I boil an egg?",
    "Which countries border Switzerland?",
    "How do I change a flat bicycle tyre?",
    "What are the symptoms of measles?",
    "How is income tax calculated for married couples?",
    "Which opening should I play against the Sicilian?",
    "How do I prune an apple tree in winter?",
    "When do the trains to the airport leave?",
    "How do I remove red wine stains from a carpet?",
    "What did Kant mean by the categorical imperative?",
    "How do I set the feed rate of a CNC mill?",
    "How do I write a COBOL copybook?",
    "How do I close timing on an FPGA?",
    "How do I merge layers in Photoshop?",
    "How do I cite a book in LaTeX?",
    "How do I read an analog sensor with an Arduino?",
    "How do I export a drawing from AutoCAD?",
    "How do I add a mob to a Minecraft mod?",
    "How do I plot a spectrum in MATLAB?",
    "How do I debug an ABAP report in SAP?",
    "鸡蛋要煮多久?",
    "长江流经哪些省份?",
    "自行车爆胎怎么补?",
    "麻疹有哪些症状?",
    "个人所得税怎么算?",
    "象棋开局怎么走比较好?",
    "冬天怎么给苹果树剪枝?",
    "去机场的高铁几点发车?",
    "地毯上的红酒渍怎么去掉?",
    "康德的绝对命令是什么意思?",
    "数控铣床的进给速度怎么设定?",
    "COBOL 的副本怎么写?",
    "FPGA 的时序怎么收敛?",
    "Photoshop 里怎么合并图层?",
    "LaTeX 里怎么引用参考文献?",
    "Arduino 怎么读取模拟传感器?",
    "AutoCAD 的图纸怎么导出?",
    "我的世界模组怎么添加生物?",
    "MATLAB 怎么画频谱图?",
    "SAP 里怎么调试 ABAP 报表?",
)

SPREAD = 3.4
"""So many mean deviations above the foreign questions' usual best match is close.

`tests/benchmarks/meaning.py` says what it lets through with the local encoder.
"""


def find_needed(highest: Sequence[float], least: float) -> float:
    """Return the cosine that counts as close, from the highest one of each foreign question.

    Median and mean deviation from it: a team may know about one or two of the subjects.
    """
    ordered = sorted(highest)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    deviation = sum(abs(value - middle) for value in highest) / len(highest)
    return min(0.99, max(least, middle + SPREAD * deviation))
