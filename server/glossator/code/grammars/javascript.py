"""JavaScript, TypeScript and TSX: one language with more and more node types."""

from dataclasses import replace

from glossator.code.grammars import Grammar
from glossator.code.imports import read_javascript_imports

_FUNCTIONS = "(arrow_function) (function_expression) (generator_function)"

# Calls that return the function they are given, so that the name they are bound to is its name.
_WRAPPING_CALL = f"""
    (call_expression
      function: [(identifier) (member_expression)] @_wrapping
      arguments: (arguments . [{_FUNCTIONS}]))
"""
_WRAPPING_NAMES = (
    "^(React[.])?(useCallback|memo|forwardRef|observer|debounce|throttle|once|memoize|cache)$"
)


def _make_query(*, field: str, value_shells: str = "") -> str:
    value = f"[{_FUNCTIONS} (class) {value_shells}]"
    return f"""
        (function_declaration) @function
        (generator_function_declaration) @function
        (function_expression name: (_)) @function
        (generator_function name: (_)) @function
        (method_definition) @method
        (class_declaration) @class
        (class name: (_)) @class

        (variable_declarator value: {value}) @binding
        (assignment_expression right: {value}) @binding
        (pair value: {value}) @binding
        ({field} value: {value}) @binding
        (export_statement value: {value}) @binding
        ((variable_declarator value: {_WRAPPING_CALL}) @binding
          (#match? @_wrapping "{_WRAPPING_NAMES}"))
        ((export_statement value: {_WRAPPING_CALL}) @binding
          (#match? @_wrapping "{_WRAPPING_NAMES}"))

        (variable_declarator value: (object)) @object
        (assignment_expression right: (object)) @object
        (pair value: (object)) @object

        (export_statement declaration: (_)) @wrapper
        (lexical_declaration) @wrapper
        (variable_declaration) @wrapper
        (decorator) @decorator
        (comment) @comment

        (call_expression) @call
        (new_expression) @call
        (import_statement) @import
        (export_statement source: (_)) @import
        ((variable_declarator value: (call_expression function: (identifier) @_require)) @import
          (#eq? @_require "require"))
        ((variable_declarator value: (member_expression
            object: (call_expression function: (identifier) @_require))) @import
          (#eq? @_require "require"))
        (expression_statement (call_expression function: (identifier) @_require
          (#eq? @_require "require"))) @import
    """


_JSX = """
    ((jsx_opening_element name: (_) @_component) @call (#match? @_component "^[A-Z]|[.]"))
    ((jsx_self_closing_element name: (_) @_component) @call (#match? @_component "^[A-Z]|[.]"))
"""
_TYPES = """
    (function_signature) @prototype
    (method_signature) @method
    (abstract_method_signature) @method
    (abstract_class_declaration) @class
    (interface_declaration) @interface
    (enum_declaration) @enum
    (internal_module) @namespace
    (module name: (_) body: (_)) @namespace
    (ambient_declaration) @wrapper
"""

JAVASCRIPT = Grammar(
    wheel="tree_sitter_javascript",
    query=_make_query(field="field_definition") + _JSX,
    identifiers=frozenset(
        {
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "shorthand_property_identifier",
            "type_identifier",
            "computed_property_name",
            "number",
            "super",
            "default",
        }
    ),
    members={
        "member_expression": "property",
        "nested_identifier": "property",
        "nested_type_identifier": "name",
    },
    shells={"parenthesized_expression": "", "non_null_expression": "", "await_expression": ""},
    calls={
        "call_expression": "function",
        "new_expression": "constructor",
        "jsx_opening_element": "name",
        "jsx_self_closing_element": "name",
    },
    bindings={
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
        "pair": ("key", "value"),
        "field_definition": ("property", "value"),
        "public_field_definition": ("name", "value"),
        "export_statement": ("default", "value"),
    },
    values={
        "arrow_function": "lambda",
        "function_expression": "function",
        "generator_function": "function",
        "class": "class",
        "object": "object",
    },
    value_shells={
        "call_expression": "arguments",
        "arguments": "",
        "parenthesized_expression": "",
        "as_expression": "",
        "satisfies_expression": "",
    },
    constructors=frozenset({"constructor"}),
    transparent=frozenset({"exports", "module.exports", "module", "this", "self", "default"}),
    doc_comments=("/**",),
    is_async_known=True,
    read_imports=read_javascript_imports,
)

_TYPED_QUERY = (
    _make_query(
        field="public_field_definition",
        value_shells="(as_expression) (satisfies_expression)",
    )
    + _TYPES
)
TYPESCRIPT = replace(
    JAVASCRIPT,
    wheel="tree_sitter_typescript",
    entry="language_typescript",
    query=_TYPED_QUERY,
)
TSX = replace(TYPESCRIPT, entry="language_tsx", query=_TYPED_QUERY + _JSX)
