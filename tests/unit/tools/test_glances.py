"""What a text tells without being parsed must never be less than a parse finds."""

from pathlib import Path

import pytest

from glossator.code.languages import find_language
from glossator.code.outline import parse_outline
from glossator.tools.facts import Facts
from glossator.tools.glances import (
    SOMETHING,
    list_declared_types,
    list_module_names,
    list_owners,
    list_receivers,
    may_stand,
)

SAMPLES = {
    "a.py": """
from dataclasses import dataclass
@dataclass
class Store:
    def get(self): return self.load()
    async def load(self): return fetch(1).strip()
double = lambda x: x
""",
    "a.ts": """
export class Store { get<T>(id: string): T { return this.load(id) }
  static make = () => new Store() }
export const api: Api = { get(id) { return find(id) }, find: async (id) => id };
export default function useStore() { return { save() { api.get(1) } } }
Store.prototype.drop = function () {};
""",
    "a.go": """
package shop
type Store struct{}
type Reader interface { Read(p []byte) int }
func (s *Store) Get(id int) error { return Open(id) }
func Open[T any](id T) error { return nil }
func (s Box[T]) Put() { s.inner.Close() }
""",
    "A.java": "class Store extends Base { int get(int a) { return load(a); } Store() { init(); } }",
    "a.rs": "impl<T> Read for shop::Store<T> { fn get(&self) { self.load() } }\nfn open() {}",
    "a.cpp": """
namespace shop { class Store { int get(); }; }
int shop::Store::get() { return load(); }
""",
    "A.cs": "record Store(int A) { public int Get() => Load(1); }",
    "a.rb": """
module Shop
  class Store
    def get; load(1); end
    def self.make; new; end
  end
end
""",
    "a.php": "<?php class Store { function get() { return $this->load(); } }\nfunction open() {}",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_definition_owner_and_call_of_a_parse_is_seen_in_the_text(name: str) -> None:
    language = find_language(name)
    assert language is not None
    text = SAMPLES[name]
    facts = Facts(name, name, parse_outline(text, language))

    for function in facts.outline.functions:
        assert may_stand(text, function.name, "definition", language.id), function.name
        if facts.is_member(function):
            owner = function.container.rpartition(".")[2]
            assert owner in list_owners(text, language.id), function.qualified_name
    for called in facts.calls:
        assert list_receivers(text, called, language.id), called


def test_a_call_alone_is_no_definition() -> None:
    assert not may_stand("x = get(1)\ny.get(2)\n", "get", "definition", "python")
    assert not may_stand("const x = y.get(1);", "get", "definition", "typescript")
    assert not may_stand("\tx := y.Get(1)\n", "Get", "definition", "go")


def test_a_name_that_is_part_of_another_is_not_called() -> None:
    assert not may_stand("forget(1)\ngetter(2)\n", "get", "call", "python")


def test_what_a_name_is_called_on_is_told_by_its_last_name() -> None:
    text = "get(1)\nshop.users.get(2)\nmake().get(3)\nx = (a\n  .get(4))\n"

    assert list_receivers(text, "get", "python") == {"", "users", SOMETHING}


def test_owners_are_types_and_not_the_parameters_that_are_called_like_them() -> None:
    text = "class UserStore:\n    def get(self, user): return order.get(user)\n"

    assert list_owners(text, "python") == {"UserStore"}


@pytest.mark.parametrize(
    ("language_id", "text", "modules"),
    [
        ("python", "from ..a.b import (c,\n  d as e)\n", {"..a.b", "..a.b.c", "..a.b.d"}),
        ("python", "import a\na.b.c.run()\n", {"a", "a.b.c"}),
        ("python", "if x: from . import y\n", {".", ".y"}),
        ("typescript", "import {\n a,\n} from './x';\nconst y = require(\"y\");", {"./x", "y"}),
        ("go", 'import (\n\t"fmt"\n\tx "a.org/b/c"\n)\n', {"fmt", "a.org/b/c"}),
    ],
)
def test_modules_are_read_from_the_text(language_id: str, text: str, modules: set[str]) -> None:
    assert list_module_names(text, language_id) == modules


def test_modules_of_other_languages_are_not_told() -> None:
    assert list_module_names("use crate::a;", "rust") is None


def test_declared_types_are_found_before_and_behind_a_name() -> None:
    text = "void run(Store store) {}\ndef run(store: 'shop.Users'): ...\n"

    assert set(list_declared_types("store", text)) == {"Store", "Users"}


def test_this_repository_is_seen_as_its_parse_sees_it() -> None:
    language = find_language("a.py")
    assert language is not None
    for path in Path(__file__).parent.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for function in parse_outline(text, language).functions:
            assert may_stand(text, function.name, "definition", "python"), function.name
