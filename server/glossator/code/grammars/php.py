"""PHP, with the HTML around it."""

from glossator.code.grammars import Grammar
from glossator.code.imports import read_php_imports

PHP = Grammar(
    wheel="tree_sitter_php",
    entry="language_php",
    query="""
        (function_definition) @function
        (method_declaration) @method
        (class_declaration) @class
        (interface_declaration) @interface
        (trait_declaration) @trait
        (enum_declaration) @enum
        (namespace_definition) @namespace

        (assignment_expression right: [(anonymous_function) (arrow_function)]) @binding
        (attribute_list) @decorator
        (comment) @comment

        (function_call_expression) @call
        (object_creation_expression) @call
        (member_call_expression) @send
        (nullsafe_member_call_expression) @send
        (scoped_call_expression) @send
        (namespace_use_declaration) @import
    """,
    identifiers=frozenset({"name", "namespace_name"}),
    members={
        "member_call_expression": "name",
        "nullsafe_member_call_expression": "name",
        "scoped_call_expression": "name",
        "member_access_expression": "name",
        "scoped_property_access_expression": "name",
        "qualified_name": "-1",
    },
    shells={"variable_name": "", "parenthesized_expression": ""},
    calls={"function_call_expression": "function", "object_creation_expression": ""},
    bindings={"assignment_expression": ("left", "right")},
    values={"anonymous_function": "lambda", "arrow_function": "lambda"},
    constructors=frozenset({"__construct"}),
    transparent=frozenset({"$this", "self", "static"}),
    doc_comments=("/**",),
    read_imports=read_php_imports,
)
