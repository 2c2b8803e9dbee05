"""What a workspace tells other assistants: AGENTS.md, CLAUDE.md, Cursor's and Copilot's files."""
