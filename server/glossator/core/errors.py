"""What can be wrong with the world, in words that a user can act on.

Every error that leaves a layer derives from `GlossatorError`. Its text is shown to people as it
is, so it names the thing in backticks and says what to do; `code` is a stable identifier for
programs.
"""


class GlossatorError(Exception):
    """Anything that Glossator reports to its user on purpose."""

    code = "glossator-error"


class OutsideWorkspace(GlossatorError):
    """A path that leads outside the folders which are open."""

    code = "outside-workspace"


class ProtectedFile(GlossatorError):
    """A file inside the workspace that is never read: keys, passwords, repository internals."""

    code = "protected-file"


class UnreadableFile(GlossatorError):
    """A file that is missing, not text, too large or not a regular file."""

    code = "unreadable-file"


class UnreadableRepository(GlossatorError):
    """A Git repository that is broken, leads elsewhere or is of a format that is not read."""

    code = "unreadable-repository"


class InvalidArguments(GlossatorError):
    """Arguments of a command or tool that do not fit what it takes."""

    code = "invalid-arguments"


class UnknownSession(GlossatorError):
    """A session that does not exist (any more)."""

    code = "unknown-session"


class SessionChanged(GlossatorError):
    """A session does not have the turns (any more) that were to be replaced."""

    code = "session-changed"


class ModelUnavailable(GlossatorError):
    """The model cannot be reached or refuses to answer; the text names the remedy.

    `kind`, `cause` and `remedy` say the same in parts, where the failure is known that well.
    """

    code = "model-unavailable"
    kind = ""
    cause = ""
    remedy = ""


class IncompleteAnswer(ModelUnavailable):
    """The model's stream ended before the answer was complete; `text` is what had arrived."""

    code = "incomplete-answer"
    text = ""
