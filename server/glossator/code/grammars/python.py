"""Python."""

from glossator.code.grammars import Grammar
from glossator.code.imports import read_python_imports

PYTHON = Grammar(
    wheel="tree_sitter_python",
    query="""
        (function_definition) @function
        (class_definition) @class
        (decorated_definition) @wrapper
        (decorator) @decorator
        (assignment right: (lambda)) @binding
        (comment) @comment
        (call) @call
        (import_statement) @import
        (import_from_statement) @import
        (future_import_statement) @import
    """,
    identifiers=frozenset({"identifier"}),
    members={"attribute": "attribute"},
    shells={"parenthesized_expression": ""},
    calls={"call": "function", "decorator": ""},
    bindings={"assignment": ("left", "right")},
    values={"lambda": "lambda"},
    head_stops=frozenset({"ERROR"}),
    constructors=frozenset({"__init__"}),
    transparent=frozenset({"self", "cls"}),
    has_docstrings=True,
    is_async_known=True,
    read_imports=read_python_imports,
)
