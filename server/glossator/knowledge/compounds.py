"""English words that are written in one or in two: `frontend`, `front-end`, `front end`."""

from functools import cache

from glossator.knowledge.stemming import stem

_WRITTEN_APART = """
add on, auto complete, auto save, back end, back trace, back up, base name, bench mark, black box,
black list, book mark, break point, build time, byte code, call back, camel case, change log,
check box, check list, check out, check point, check sum, clean up, code base, code gen, compile
time, count down, cron job, data base, data frame, data set, data source, data store, data type,
date time, dead line, dead lock, dir name, doc string, double click, down grade, down load, down
stream, down time, drop down, end point, end user, event loop, fall back, file name, file path,
file system, follow up, foot note, front end, front matter, full screen, full stack, full text,
hand off, hand over, hard code, hash map, hash table, home page, host name, hot fix, hot key, in
line, key board, key frame, key stroke, key word, life cycle, life time, line break, lock file,
lock out, log in, log off, log on, log out, look ahead, look up, lower case, make file, mark down,
mix in, name space, nav bar, new line, off line, off set, on board, on line, open source, opt in,
opt out, pass phrase, pass through, path name, pay load, pipe line, place holder, play back, plug
in, pop up, pull request, push back, read me, read only, real time, road map, roll back, roll out,
run book, run time, sand box, screen shot, scroll bar, set up, short cut, show case, shut down,
side bar, side car, side effect, sign in, sign out, sign up, snake case, snap shot, source code,
source map, spread sheet, stack trace, stand alone, stand by, start up, status code, style guide,
style sheet, switch over, take over, task bar, tear down, test case, test suite, thread pool,
thread safe, time out, time stamp, time zone, tool bar, tool chain, tool kit, tool tip, trace
back, tree shaking, trouble shoot, trouble shooting, turn around, type check, type def, type safe,
up grade, up load, up stream, up time, upper case, use case, user name, walk through, web app, web
hook, web page, web server, web site, web socket, white list, white space, wild card, work around,
work book, work flow, work load, work place, work space, write up
"""


@cache
def load_compounds() -> dict[str, tuple[str, str]]:
    """Return the stems of the two words of each compound, by the stem of the compound."""
    pairs = (pair.split() for pair in _WRITTEN_APART.replace("\n", " ").split(","))
    return {stem(first + second): (stem(first), stem(second)) for first, second in pairs}
