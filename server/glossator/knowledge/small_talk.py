"""Small talk: what people say to whoever answers, and no document is about."""

import re

# Whole sentences or their beginnings; "can you explain …" and "do you know how …" are none.
_SMALL_TALK = re.compile(
    r"\W*(?:(?:hello|hi|hey|so|ok|please|well)\b\W*)*(?:"
    r"how are you\b|how(?:'s| is) it going\b|how do you (?:feel|do)\b|what(?:'s| is) up\W*$"
    r"|who (?:are|made|created) you\b|what(?:'s| is) your (?:name|age|favou?rite|hobby)\b"
    r"|what time is it(?: now)?\W*$|what day is (?:it|today)\b|how old are you\b"
    r"|where are you from\b"
    r"|are you (?:(?:an?|really|still|even) )?(?:human|robot|bot|real|ai|alive|person|there|"
    r"ok|okay|happy|sad|tired|single|married|kidding|serious|stupid)\b"
    r"|do you (?:like|love|enjoy|feel|eat|sleep|dream)\b"
    r"|did you (?:sleep|eat)\b|what did you (?:eat|have|do|dream)\b"
    r"|(?:can|could|will|would) you (?:sing|dance|cook|marry|love)\b"
    r"|(?:can you )?(?:tell|sing|write|read) (?:me |us )?(?:an?|another|some) (?:\w+ ){0,2}"
    r"(?:joke|jokes|story|riddle|secret|poem|song|haiku)\b"
    r"|what(?:'s| is) the meaning of life\b|you(?:'re| are) (?:so |very |really |the )?"
    r"(?:stupid|dumb|great|awesome|funny|smart|cute|useless|best|wrong|right|welcome)\b"
    r"|i(?:'m| am) (?:so |very |really )?(?:bored|tired|hungry|thirsty|sad|happy|lonely|sick)\b"
    r"|i (?:love|hate|like) you\b|(?:thank you|thanks|good (?:morning|evening|night))"
    r"(?: so much| very much| a lot)?\W*(?:$|[,.!](?!.*\?)))"
    r"|\W*(?:你好|您好|嗨|喂|那|请)?\W*(?:"
    r"(?:最近|今天)?(?:你|您)?(?:过得|心情)?怎么样\W*$|你(?:到底|究竟)?是(?:谁|真人|人类?|机器人|男|女)"
    r"|你(?:叫|的名字|多大|几岁|在哪|最?喜欢|爱|讨厌|会(?:唱|跳|做饭|说)|吃|睡|真|好(?:笨|聪明|厉害))"
    r"|你(?:早饭|午饭|晚饭|昨天|今天)|(?:现在)?几点了?\W*$|今天(?:星期|周)?几|今天是几号"
    r"|(?:给我|跟我|请)?(?:讲|说)(?:个|一个)?(?:笑话|故事)|(?:帮我|给我)?(?:写|作)(?:一?首)?(?:情?诗|歌)"
    r"|人生的?意义|我?(?:好|很|真|太)(?:无聊|难过|累|饿|困)|我(?:爱|喜欢|讨厌)你"
    r"|(?:(?:太|非常|多)?谢谢|对不起|抱歉|晚安|早安|早上好|晚上好|再见)(?!.*[?？怎何哪吗]))",
    re.IGNORECASE,
)


def is_small_talk(question: str) -> bool:
    """Say whether a question is small talk. It is looked at in its first hundred characters."""
    return _SMALL_TALK.match(question[:100]) is not None
