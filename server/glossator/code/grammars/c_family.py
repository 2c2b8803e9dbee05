"""C and C++. A name stands inside its declarator: `int *(*get(void))(int)`."""

from dataclasses import replace

from glossator.code.grammars import Grammar
from glossator.code.imports import read_c_includes

_DECLARATORS = "[(function_declarator) (pointer_declarator (function_declarator))]"
_C_QUERY = f"""
    (function_definition) @function
    (declaration declarator: {_DECLARATORS}) @prototype
    (struct_specifier body: (_)) @struct
    (union_specifier body: (_)) @struct
    (enum_specifier body: (_)) @enum
    (comment) @comment
    (call_expression) @call
    (preproc_include) @import
"""
_CPP_DECLARATORS = """
    [(function_declarator)
     (pointer_declarator (function_declarator))
     (reference_declarator (function_declarator))]
"""
_CPP_QUERY = f"""
    (function_definition) @function
    (declaration declarator: {_CPP_DECLARATORS}) @prototype
    (field_declaration declarator: {_CPP_DECLARATORS}) @prototype
    (declaration declarator: (init_declarator value: (lambda_expression))) @binding
    (class_specifier body: (_)) @class
    (struct_specifier body: (_)) @struct
    (union_specifier body: (_)) @struct
    (enum_specifier body: (_)) @enum
    (namespace_definition) @namespace
    (template_declaration) @wrapper
    (attribute_declaration) @decorator
    (comment) @comment
    (call_expression) @call
    (new_expression) @call
    (preproc_include) @import
"""

C = Grammar(
    wheel="tree_sitter_c",
    query=_C_QUERY,
    identifiers=frozenset({"identifier", "field_identifier", "type_identifier"}),
    members={"field_expression": "field"},
    shells={
        "function_declarator": "declarator",
        "pointer_declarator": "declarator",
        "parenthesized_declarator": "",
        "attributed_declarator": "",
        "array_declarator": "declarator",
        "parenthesized_expression": "",
        "pointer_expression": "argument",
        "init_declarator": "declarator",
    },
    function_shells=frozenset({"function_declarator", "parenthesized_declarator", "operator_cast"}),
    calls={"call_expression": "function"},
    names={
        "function_definition": "declarator",
        "declaration": "declarator",
        "field_declaration": "declarator",
    },
    doc_comments=("/*", "//"),
    read_imports=read_c_includes,
)

CPP = replace(
    C,
    wheel="tree_sitter_cpp",
    query=_CPP_QUERY,
    identifiers=C.identifiers | {"namespace_identifier", "operator_name", "destructor_name"},
    members={**C.members, "qualified_identifier": "name", "dependent_name": ""},
    shells={
        **C.shells,
        "reference_declarator": "",
        "template_function": "name",
        "template_method": "name",
        "template_type": "name",
    },
    calls={**C.calls, "new_expression": "type"},
    bindings={"declaration": ("declarator", "declarator")},
    values={"lambda_expression": "lambda"},
    value_shells={"init_declarator": "value"},
    constructor_is_named_as_type=True,
    head_stops=frozenset({"field_initializer_list"}),
)
