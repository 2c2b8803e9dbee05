"""Rust."""

from glossator.code.grammars import Grammar
from glossator.code.imports import read_rust_imports

RUST = Grammar(
    wheel="tree_sitter_rust",
    query="""
        (function_item) @function
        (function_signature_item) @function
        (macro_definition) @function
        (struct_item) @struct
        (union_item) @struct
        (enum_item) @enum
        (trait_item) @trait
        (mod_item body: (_)) @package
        (impl_item) @impl

        (let_declaration value: (closure_expression)) @binding
        (const_item value: (closure_expression)) @binding
        (static_item value: (closure_expression)) @binding

        (attribute_item) @decorator
        (line_comment) @comment
        (block_comment) @comment

        (call_expression) @call
        (macro_invocation) @call
        (token_tree (identifier) @token_call . (token_tree . "("))
        (use_declaration) @import
    """,
    identifiers=frozenset(
        {"identifier", "field_identifier", "type_identifier", "self", "super", "metavariable"}
    ),
    members={
        "field_expression": "field",
        "scoped_identifier": "name",
        "scoped_type_identifier": "name",
    },
    shells={
        "generic_function": "function",
        "generic_type": "type",
        "parenthesized_expression": "",
        "reference_type": "type",
        "mut_pattern": "",
    },
    calls={"call_expression": "function", "macro_invocation": "macro"},
    names={"impl_item": "type"},
    bindings={
        "let_declaration": ("pattern", "value"),
        "const_item": ("name", "value"),
        "static_item": ("name", "value"),
    },
    values={"closure_expression": "lambda"},
    head_stops=frozenset({"macro_rule"}),
    doc_comments=("///", "/**"),
    is_async_known=True,
    read_imports=read_rust_imports,
)
