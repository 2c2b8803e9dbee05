"""Go."""

from glossator.code.grammars import Grammar
from glossator.code.imports import read_go_imports

GO = Grammar(
    wheel="tree_sitter_go",
    query="""
        (function_declaration) @function
        (method_declaration) @method
        (method_elem) @method
        (type_spec type: (struct_type)) @struct
        (type_spec type: (interface_type)) @interface
        (type_declaration) @wrapper
        (var_declaration) @wrapper

        (var_spec value: (expression_list . (func_literal) .)) @binding
        (short_var_declaration right: (expression_list . (func_literal) .)) @binding
        (assignment_statement right: (expression_list . (func_literal) .)) @binding
        (keyed_element value: (literal_element (func_literal))) @binding

        (comment) @comment
        (call_expression) @call
        (type_conversion_expression type: (generic_type)) @call
        (import_spec) @import
    """,
    identifiers=frozenset({"identifier", "field_identifier", "type_identifier"}),
    members={"selector_expression": "field", "qualified_type": "name"},
    shells={
        "parenthesized_expression": "",
        "expression_list": "",
        "literal_element": "",
        "index_expression": "operand",
        "type_instantiation_expression": "type",
        "generic_type": "type",
    },
    calls={"call_expression": "function", "type_conversion_expression": "type"},
    owners={"method_declaration": "receiver"},
    bindings={
        "var_spec": ("name", "value"),
        "short_var_declaration": ("left", "right"),
        "assignment_statement": ("left", "right"),
        "keyed_element": ("key", "value"),
    },
    values={"func_literal": "lambda"},
    value_shells={"expression_list": "", "literal_element": ""},
    doc_comments=("//", "/*"),
    read_imports=read_go_imports,
)
