"""C#."""

from glossator.code.grammars import Grammar
from glossator.code.imports import read_csharp_imports

CSHARP = Grammar(
    wheel="tree_sitter_c_sharp",
    query="""
        (method_declaration) @method
        (constructor_declaration) @constructor
        (destructor_declaration) @method
        (operator_declaration) @method
        (conversion_operator_declaration) @method
        (indexer_declaration) @method
        (property_declaration accessors: (accessor_list (accessor_declaration body: (_)))) @method
        (property_declaration value: (arrow_expression_clause)) @method
        (local_function_statement) @function
        (delegate_declaration) @function
        (class_declaration) @class
        (record_declaration) @class
        (interface_declaration) @interface
        (struct_declaration) @struct
        (enum_declaration) @enum
        (namespace_declaration) @namespace
        (file_scoped_namespace_declaration) @namespace

        (variable_declarator [(lambda_expression) (anonymous_method_expression)]) @binding
        (variable_declaration) @wrapper
        (field_declaration) @wrapper
        (local_declaration_statement) @wrapper
        (attribute_list) @decorator
        (comment) @comment

        (invocation_expression) @call
        (object_creation_expression) @call
        (using_directive) @import
    """,
    identifiers=frozenset({"identifier"}),
    members={
        "member_access_expression": "name",
        "conditional_access_expression": "-1",
        "member_binding_expression": "name",
        "qualified_name": "name",
        "alias_qualified_name": "name",
    },
    shells={"generic_name": "", "parenthesized_expression": "", "nullable_type": ""},
    calls={"invocation_expression": "function", "object_creation_expression": "type"},
    bodies=("body", "accessors", "value"),
    names={"operator_declaration": "operator", "indexer_declaration": "this"},
    bindings={"variable_declarator": ("name", "-1")},
    values={"lambda_expression": "lambda", "anonymous_method_expression": "lambda"},
    doc_comments=("///", "/**"),
    head_stops=frozenset({"constructor_initializer"}),
    is_async_known=True,
    read_imports=read_csharp_imports,
)
