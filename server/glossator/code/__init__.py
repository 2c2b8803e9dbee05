"""The structure of code, by tree-sitter: functions, signatures, calls. Pure."""
