"""Ruby."""

from glossator.code.grammars import Grammar
from glossator.code.imports import read_ruby_imports

RUBY = Grammar(
    wheel="tree_sitter_ruby",
    query="""
        (method) @function
        (singleton_method) @function
        (class) @class
        (module) @module

        (assignment right: (lambda)) @binding
        ((assignment right: (call method: (identifier) @_lambda block: (_))) @binding
          (#any-of? @_lambda "lambda" "proc"))
        ((assignment right: (call
            receiver: (constant) @_receiver method: (identifier) @_new block: (_))) @object
          (#any-of? @_receiver "Struct" "Class" "Module" "Data") (#any-of? @_new "new" "define"))
        ((call method: (identifier) @_define block: (_)) @binding
          (#any-of? @_define "define_method" "define_singleton_method"))

        (comment) @comment
        (call) @send
        ((call method: (identifier) @_require) @import
          (#any-of? @_require "require" "require_relative" "load"))
    """,
    identifiers=frozenset({"identifier", "constant", "super", "setter", "operator"}),
    members={"call": "method", "scope_resolution": "name"},
    owners={"singleton_method": "object"},
    bindings={"assignment": ("left", "right"), "call": ("arguments", "block")},
    values={"lambda": "lambda", "block": "lambda", "do_block": "lambda"},
    value_shells={"call": "block"},
    shells={"argument_list": ""},
    head_ends_with_parameters=True,
    constructors=frozenset({"initialize"}),
    transparent=frozenset({"self"}),
    constructing_message="new",
    doc_comments=("#", "=begin"),
    read_imports=read_ruby_imports,
)
