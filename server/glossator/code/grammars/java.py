"""Java."""

from glossator.code.grammars import Grammar
from glossator.code.imports import read_java_imports

JAVA = Grammar(
    wheel="tree_sitter_java",
    query="""
        (method_declaration) @method
        (annotation_type_element_declaration) @method
        (constructor_declaration) @constructor
        (compact_constructor_declaration) @constructor
        (class_declaration) @class
        (record_declaration) @class
        (interface_declaration) @interface
        (annotation_type_declaration) @interface
        (enum_declaration) @enum
        (enum_constant body: (_)) @object

        (variable_declarator value: (lambda_expression)) @binding
        (field_declaration) @wrapper
        (local_variable_declaration) @wrapper
        (marker_annotation) @decorator
        (annotation) @decorator
        (line_comment) @comment
        (block_comment) @comment

        (method_invocation) @send
        (object_creation_expression) @call
        (explicit_constructor_invocation) @call
        (import_declaration) @import
    """,
    identifiers=frozenset({"identifier", "type_identifier", "super", "this"}),
    members={
        "method_invocation": "name",
        "scoped_identifier": "name",
        "field_access": "field",
        "scoped_type_identifier": "-1",
    },
    shells={"generic_type": "", "parenthesized_expression": ""},
    calls={
        "object_creation_expression": "type",
        "explicit_constructor_invocation": "constructor",
    },
    bindings={"variable_declarator": ("name", "value"), "enum_constant": ("name", "body")},
    values={"lambda_expression": "lambda", "class_body": "object"},
    doc_comments=("/**",),
    read_imports=read_java_imports,
)
