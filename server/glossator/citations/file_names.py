"""Which words with a line number behind them name a file.

`example.com:443` is a host and a port, `df.iloc:3` a slice and `python:3` a version.
"""

import re

_EXTENSION = re.compile(r"\.(?P<extension>[A-Za-z_][\w+-]{0,15})$", re.ASCII)
_WITHOUT_EXTENSION = frozenset(
    """makefile gnumakefile dockerfile containerfile rakefile gemfile guardfile podfile brewfile
    vagrantfile jenkinsfile procfile justfile cmakelists build workspace license copying notice
    readme changelog changes contributing authors codeowners version""".split()  # noqa: SIM905 - as it reads
)
# Others are believed once there is such a file.
_EXTENSIONS = frozenset(
    """adoc astro bash bat bazel bzl c cc cfg cjs clj cljs cmake cmd conf coffee cpp cs csproj
    css csv cts cu cxx d dart diff dockerfile ejs el elm env erb erl ex exs f90 feature
    fish fs fsx gemspec go gql gradle graphql groovy h haml hbs hcl hh hpp hrl hs htm html
    hxx ini ipynb java jl js json json5 jsonc jsonl jsp jsx kt kts less lisp lock log lua m
    make markdown md mdx mjs mk ml mli mm mod mts nim nix nu org patch php pl plist pm po
    properties proto ps1 pug py pyi pyx r rake rb re resx rkt robot rs rst s sass sbt scala
    scm scss sh sln sol sql sty sum svelte svg swift tcl tex tf tfvars thrift toml ts tsv
    tsx txt v vb vbproj vim vue wat wgsl xaml xhtml xml xsd xsl yaml yml zig zsh""".split()  # noqa: SIM905 - as it reads
)
_TOP_LEVEL_DOMAINS = frozenset(
    "ai app cn com dev edu example gov internal io lan local localhost net org svc test".split()  # noqa: SIM905
)
_LETTER = re.compile(r"[^\W\d_]")


def is_file_name(path: str) -> bool:
    """Say whether `path` names a file, be there one or not."""
    name = _last_name(path)
    found = _EXTENSION.search(name)
    if found is None:
        return name.lower() in _WITHOUT_EXTENSION
    return name != path or found["extension"].lower() in _EXTENSIONS


def may_be_file_name(path: str) -> bool:
    """Say whether `path` is a file's name if there is such a file."""
    name = _last_name(path)
    found = _EXTENSION.search(name)
    if found is None:
        is_known = name.lower() in _WITHOUT_EXTENSION
        return is_known or (name != path and _LETTER.search(name) is not None)
    is_host = name == path and not name.startswith(".")
    return not is_host or found["extension"].lower() not in _TOP_LEVEL_DOMAINS


def _last_name(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]
