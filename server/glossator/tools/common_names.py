"""Names that say little: what a language brings along, and methods that everything has.

A call of one of them is not taken for a call of a workspace function of that name without a
further sign.
"""

import builtins

PYTHON_BUILTINS = frozenset(dir(builtins))

_PYTHON = {
    name
    for kind in (str, bytes, list, dict, set, tuple, int, float)
    for name in dir(kind)
    if not name.startswith("_")
} | {"close", "read", "write", "readline", "readlines", "flush", "seek", "group", "groups", "match",
     "search", "sub", "findall", "finditer", "compile", "send", "throw", "acquire", "release",
     "set", "wait", "start", "run", "result", "cancel", "put", "exists", "open", "mkdir", "unlink",
     "info", "debug", "warning", "error", "exception", "critical", "log"}  # fmt: skip
_OTHERS = frozenset(
    """add addAll all any append apply as_ref as_str assert bind borrow call catch charAt clear
    clone close collect concat contains containsKey copy count create debug delete each emit empty
    entries equals err error every exec exists expect fill filter finally find findIndex first flat
    flatMap flush fold forEach format from get getClass getName getOrDefault has hasNext hash
    hashCode includes indexOf info insert into into_iter is_empty is_none is_some isEmpty items iter
    iter_mut join keys last len length length list lock log lower map match max message min name new
    next ok on open parse pop print printf println push push_back put read reduce remove replace
    resolve reverse run save search select send set shift size skip slice some sort splice split
    start stop stream stringify sub substring sum test then to_owned to_s to_string toArray toList
    toLowerCase toString toUpperCase trim type unwrap unwrap_or update upper value valueOf values
    wait warn write zip""".split()  # noqa: SIM905 - a list of words reads better as words
)
COMMON_METHODS = frozenset(_PYTHON) | _OTHERS
