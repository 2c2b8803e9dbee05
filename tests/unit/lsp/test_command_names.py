from glossator.lsp.commands import COMMANDS
from glossator.lsp.handshake import COMMAND_NAMES


def test_every_command_is_offered_to_the_editor_and_no_other() -> None:
    assert sorted(COMMAND_NAMES) == sorted(COMMANDS)
