"""What is found in each language. An expectation is `kind qualified.name: signature`."""
# ruff: noqa: E501 (one case a line reads better than a tidy margin)

import pytest

from glossator.code.languages import find_language
from glossator.code.outline import Function, Outline, parse_outline


def outline_of(file_name: str, text: str) -> Outline:
    language = find_language(file_name)
    assert language is not None
    outline = parse_outline(text, language)
    assert not outline.has_errors
    return outline


def find_function(outline: Outline, name: str) -> Function:
    (function,) = (f for f in outline.functions if f.qualified_name == name)
    return function


PYTHON = """
@d(1)
async def f(a, *, b: int = g()) -> int:  # why
    def inner(): pass
class A(B):
    h = lambda self, x: x
    k: Callable = lambda: 0
    def __init__(self): self.cb = lambda: 1
    @overload
    def o(self, a: int) -> int: ...
    @overload
    def o(self, a: str) -> str: ...
    def 名(
        self,
        *args,
    ): return 1
"""
JAVASCRIPT = """
export default function () {}
export const solo = async (a) => { k(a) };
function* gen() {}
exports.x = function y(a) {};
A.prototype.b = () => {};
app.use = function use(fn) {};
module.exports = function createApplication() { };
const obj = { one: 1, fn() { }, nested: { deep: () => 1 }, 'a-b': function () {} };
const cb = useCallback(() => go(), []), C = React.memo(function (props) {});
class K extends L { constructor(x) { super(x) } static async m() {} h = (e) => {}; get q() { return 1 } #p() {} }
const M = class { z() {} };
setTimeout(function tick() {});
[1].map(x => x.foo());
"""
TYPESCRIPT = """
declare function dd(a): void;
export function ov(a: string): void;
export function ov<T>(a: T | number): void {}
abstract class Q<T> { @Dec() private async m?(a: T): Promise<void> {} abstract z(a): void; [Symbol.iterator]() {} }
interface I { m(a: string): void; }
namespace N.M { export const f = <T,>(a: T): T => a; }
const h = (function () {}) as any;
"""
GO = """
package p
func (s *Server[T]) M(a int) (int, error) { return 1, nil }
func F[T any](a T) T { q := func() {}; r.f = func() {}; return a }
var v = func(a int) int { return a }
type S struct { a int }
type I interface { M(a int) error }
func (H) Serve() { t := T{Run: func() {}} }
"""
JAVA = """
@Ann public class A<T> {
  @Override @X(1) public static <U> int m(@P int a) throws E { return 1; }
  A() {}
  Function<A, B> f = x -> x;
  abstract int abs();
  class In { record R(int x) { R { } } enum E { P { void q() {} }; void w() {} } }
  void g() { Runnable r = () -> h(); new Thread() { public void run() {} }; }
}
interface I { default void d() {} }
@interface An { int v() default 1; }
"""
RUST = """
#[inline]
pub async fn f<T>(x: T) -> u8 where T: Foo, { let c = |x| x + 1; }
impl<'a> Tr for &'a m::Foo<T> { fn m(&self) {} }
trait T { fn s(&self) -> u8; }
mod q { const F: fn() = || {}; fn inq() {} pub struct St; }
macro_rules! mm { () => {} }
"""
C = """
static int *foo(int a, char **b) { return 0; }
struct S { int a; int (*cb)(int); };
int proto(void);
int (*get(void))(int) { return 0; }
int (*variable)(int);
"""
CPP = """
template <class T> T &ns::Foo<T>::bar(int a) const { return a; }
Foo::Foo(int a) : x(a), y(2) { }
class A { A(); ~A(); virtual int m(int) = 0; bool operator==(const A&) const; operator bool() const { return true; } };
auto lam = [](int x) { return x; };
namespace a::b { struct S { S() = default; }; [[nodiscard]] int g(); }
int x(3); int main() { Foo y(a, b); }
"""
CSHARP = """
namespace N.M;
public class C<T> : B {
  [X] public async Task<int> F<U>(int a) => await G<int>(a);
  C(int a) : base(a) {}
  int P { get { return H(); } set; }
  int Auto { get; set; }
  public static C operator +(C a, C b) { return a; }
  Func<int, int> f = x => x + 1;
  int this[int i] { get => i; }
  void L() { int local(int x) { return x; } Action a = () => b(); }
}
interface I { void M(); }
"""
RUBY = """
module A
  class B::C < D
    def self.x(a, b: 1) = y(a)
    def foo?; end
    define_method(:dm) do |a| zed(a) end
    class << self
      def k; end
    end
    F = ->(x) { x }
    S = Struct.new(:a) do
      def z; end
    end
    def initialize(a)
    end
    def name=(v)
    end
  end
end
"""
PHP = """<html><?php
namespace A\\B;
abstract class K extends L {
  #[Route("/")] public static function f(int $a): ?int { return 1; }
  abstract function n();
  function __construct(private $x) {}
}
function top(&$x) { $f = function ($y) use ($x) { return 1; }; $g = fn($z) => $z; }
namespace Z;
function 你好() {}
"""


@pytest.mark.parametrize(
    ("file_name", "text", "expected"),
    [
        ("a.py", PYTHON, [
            "function f: async def f(a, *, b: int = g()) -> int",
            "function f.inner: def inner()",
            "method A.h: h = lambda self, x",
            "method A.k: k: Callable = lambda",
            "constructor A.__init__: def __init__(self)",
            "lambda A.__init__.cb: self.cb = lambda",
            "method A.o: def o(self, a: int) -> int",
            "method A.o: def o(self, a: str) -> str",
            "method A.名: def 名(self, *args)",
        ]),
        ("a.js", JAVASCRIPT, [
            "function default: export default function ()",
            "lambda solo: export const solo = async (a) =>",
            "function gen: function* gen()",
            "function x: exports.x = function y(a)",
            "method A.b: A.prototype.b = () =>",
            "method app.use: app.use = function use(fn)",
            "function createApplication: module.exports = function createApplication()",
            "method obj.fn: fn()",
            "method obj.nested.deep: deep: () =>",
            "method obj.a-b: 'a-b': function ()",
            "lambda cb: cb = useCallback(() =>",
            "function C: C = React.memo(function (props)",
            "constructor K.constructor: constructor(x)",
            "method K.m: static async m()",
            "method K.h: h = (e) =>",
            "method K.q: get q()",
            "method K.#p: #p()",
            "method M.z: z()",
            "function tick: function tick()",
        ]),
        ("a.ts", TYPESCRIPT, [
            "function dd: declare function dd(a): void",
            "function ov: export function ov(a: string): void",
            "function ov: export function ov<T>(a: T | number): void",
            "method Q.m: private async m?(a: T): Promise<void>",
            "method Q.z: abstract z(a): void",
            "method Q.[Symbol.iterator]: [Symbol.iterator]()",
            "method I.m: m(a: string): void",
            "lambda N.M.f: export const f = <T,>(a: T): T =>",
            "function h: const h = (function ()",
        ]),
        ("a.tsx", "export const V: FC = forwardRef<A>((p) => <a/>);", [
            "lambda V: export const V: FC = forwardRef<A>((p) =>",
        ]),
        ("a.go", GO, [
            "method Server.M: func (s *Server[T]) M(a int) (int, error)",
            "function F: func F[T any](a T) T",
            "lambda F.q: q := func()",
            "method F.r.f: r.f = func()",
            "lambda v: var v = func(a int) int",
            "method I.M: M(a int) error",
            "method H.Serve: func (H) Serve()",
            "lambda H.Serve.Run: Run: func()",
        ]),
        ("A.java", JAVA, [
            "method A.m: public static <U> int m(@P int a) throws E",
            "constructor A.A: A()",
            "method A.f: Function<A, B> f = x ->",
            "method A.abs: abstract int abs()",
            "constructor A.In.R.R: R",
            "method A.In.E.P.q: void q()",
            "method A.In.E.w: void w()",
            "method A.g: void g()",
            "lambda A.g.r: Runnable r = () ->",
            "method A.g.run: public void run()",
            "method I.d: default void d()",
            "method An.v: int v() default 1",
        ]),
        ("a.rs", RUST, [
            "function f: pub async fn f<T>(x: T) -> u8 where T: Foo",
            "lambda f.c: let c = |x|",
            "method m.Foo.m: fn m(&self)",
            "method T.s: fn s(&self) -> u8",
            "lambda q.F: const F: fn() = ||",
            "function q.inq: fn inq()",
            "function mm: macro_rules! mm",
        ]),
        ("a.c", C, [
            "function foo: static int *foo(int a, char **b)",
            "function proto: int proto(void)",
            "function get: int (*get(void))(int)",
        ]),
        ("a.cpp", CPP, [
            "method ns.Foo.bar: template <class T> T &ns::Foo<T>::bar(int a) const",
            "constructor Foo.Foo: Foo::Foo(int a)",
            "constructor A.A: A()",
            "method A.~A: ~A()",
            "method A.m: virtual int m(int) = 0",
            "method A.operator==: bool operator==(const A&) const",
            "method A.operator bool: operator bool() const",
            "lambda lam: auto lam = [](int x)",
            "constructor a.b.S.S: S() = default",
            "function a.b.g: int g()",
            "function main: int main()",
        ]),
        ("a.cs", CSHARP, [
            "method N.M.C.F: public async Task<int> F<U>(int a)",
            "constructor N.M.C.C: C(int a)",
            "method N.M.C.P: int P",
            "method N.M.C.+: public static C operator +(C a, C b)",
            "method N.M.C.f: Func<int, int> f = x =>",
            "method N.M.C.this: int this[int i]",
            "method N.M.C.L: void L()",
            "function N.M.C.L.local: int local(int x)",
            "lambda N.M.C.L.a: Action a = () =>",
            "method N.M.I.M: void M()",
        ]),
        ("a.rb", RUBY, [
            "method A.B.C.x: def self.x(a, b: 1)",
            "method A.B.C.foo?: def foo?",
            "method A.B.C.dm: define_method(:dm) do |a|",
            "method A.B.C.k: def k",
            "method A.B.C.F: F = ->(x)",
            "method A.B.C.S.z: def z",
            "constructor A.B.C.initialize: def initialize(a)",
            "method A.B.C.name=: def name=(v)",
        ]),
        ("a.php", PHP, [
            "method A.B.K.f: public static function f(int $a): ?int",
            "method A.B.K.n: abstract function n()",
            "constructor A.B.K.__construct: function __construct(private $x)",
            "function A.B.top: function top(&$x)",
            "lambda A.B.top.f: $f = function ($y) use ($x)",
            "lambda A.B.top.g: $g = fn($z) =>",
            "function Z.你好: function 你好()",
        ]),
    ],
)  # fmt: skip
def test_functions_are_found_with_their_names_and_signatures(
    file_name: str, text: str, expected: list[str]
) -> None:
    functions = outline_of(file_name, text).functions

    found = [f"{f.kind} {f.qualified_name}: {f.signature}" for f in functions]
    assert found == expected
    for function in functions:
        parts = (function.container, function.name)
        assert function.qualified_name == ".".join(part for part in parts if part)


@pytest.mark.parametrize(
    ("file_name", "text", "expected"),
    [
        ("a.py", "class A:\n  class B(A): pass", ["class A", "class A.B"]),
        ("a.js", "const A = class {}; export default class B {}", ["class A", "class B"]),
        ("a.ts", TYPESCRIPT, ["class Q", "interface I", "namespace N.M"]),
        ("a.ts", "export enum E { A } declare module 'x' { class C {} }", ["enum E", "namespace x", "class x.C"]),
        ("a.go", GO, ["struct S", "interface I"]),
        ("A.java", JAVA, ["class A", "class A.In", "class A.In.R", "enum A.In.E", "interface I", "interface An"]),
        ("a.rs", RUST + "enum E {} union U { a: u8 }", ["trait T", "module q", "struct q.St", "enum E", "struct U"]),
        ("a.c", C + "enum E { A }; struct Forward;", ["struct S", "enum E"]),
        ("a.cpp", CPP, ["class A", "namespace a.b", "struct a.b.S"]),
        ("a.cs", CSHARP + "struct S {} enum E { A } record R(int X);",
         ["namespace N.M", "class N.M.C", "interface N.M.I", "struct N.M.S", "enum N.M.E", "class N.M.R"]),
        ("a.rb", RUBY, ["module A", "class A.B.C"]),
        ("a.php", PHP + "interface I {} trait T {} enum En { case A; }",
         ["namespace A.B", "class A.B.K", "namespace Z", "interface Z.I", "trait Z.T", "enum Z.En"]),
    ],
)  # fmt: skip
def test_types_are_found(file_name: str, text: str, expected: list[str]) -> None:
    types = outline_of(file_name, text).types

    assert [f"{found.kind} {found.qualified_name}" for found in types] == expected


@pytest.mark.parametrize(
    ("file_name", "text"),
    [
        ("a.py", "def f():\n    '''Says.'''"),
        ("a.js", "/** Says. */\nexport async function f() {}"),
        ("a.ts", "/** Says. */\n// eslint-disable-next-line\nexport const f = () => 1;"),
        ("a.ts", "class A {\n  /** Says. */\n  @Dec()\n  @Other()\n  f() {}\n}"),
        ("a.js", "/** Says. */\nexports.f = function () {};"),
        ("a.go", "package p\n\n// Says.\n//go:noinline\nfunc f() {}"),
        ("A.java", "class A {\n  /**\n   * Says.\n   */\n  @Override\n  public void f() {}\n}"),
        ("a.rs", "/// Says.\n#[inline]\nfn f() {}"),
        ("a.rs", "#[inline]\n/** Says. */\nfn f() {}"),
        ("a.c", "/* Says. */\nstatic int\nf(void) { return 1; }"),
        ("a.cpp", "/// Says.\ntemplate <class T>\nint f();"),
        ("a.cs", "class A {\n  /// Says.\n  [X]\n  void f() {}\n}"),
        ("a.rb", "# Says.\ndef f\nend"),
        ("a.php", "<?php\n/** Says. */\n#[A]\nfunction f() {}"),
    ],
)
def test_documentation_is_found_through_decorators_and_exports(file_name: str, text: str) -> None:
    (function,) = outline_of(file_name, text).functions

    assert function.documentation == "Says."


@pytest.mark.parametrize(
    ("file_name", "text"),
    [
        ("a.py", "# Not a docstring.\ndef f():\n    # nor this\n    return 'nor this'"),
        ("a.js", "// Not JSDoc.\nfunction f() {}"),
        ("a.go", "package p\n\n// Far away.\n\nfunc f() {}"),
        ("a.go", "package p\n\nvar x = 1 // About x.\nfunc f() {}"),
        ("a.rs", "// Plain.\nfn f() {}"),
        ("a.php", "<?php // Plain.\nfunction f() {}"),
    ],
)
def test_other_comments_are_not_documentation(file_name: str, text: str) -> None:
    (function,) = outline_of(file_name, text).functions

    assert function.documentation == ""


@pytest.mark.parametrize(
    ("file_name", "text", "first_line", "decorators"),
    [
        ("a.py", "# c\n@a\n@b.c(\n  1)\ndef f(): pass", 2, ("@a", "@b.c( 1)")),
        ("a.ts", "class A {\n  @Dec({a: 1})\n  f(@Inject() x) {}\n}", 2, ("@Dec({a: 1})",)),
        ("A.java", "class A {\n  @X(1)\n  @Y void f(@P int a) {}\n}", 2, ("@X(1)", "@Y")),
        ("a.rs", "/// d\n#[a]\n// c\n#[b(c)]\nfn f() {}", 2, ("#[a]", "#[b(c)]")),
        ("a.cs", "class A {\n  [X, Y]\n  void f([Z] int a) {}\n}", 2, ("[X, Y]",)),
        ("a.php", "<?php\n#[A('/')]\nfunction f() {}", 2, ("#[A('/')]",)),
        ("a.cpp", "[[nodiscard]]\nint f();", 1, ("[[nodiscard]]",)),
    ],
)
def test_decorators_belong_to_the_range_and_not_to_the_signature(
    file_name: str, text: str, first_line: int, decorators: tuple[str, ...]
) -> None:
    (function,) = outline_of(file_name, text).functions

    assert function.range.start.line == first_line
    assert function.decorators == decorators
    assert not any(decorator in function.signature for decorator in decorators)


@pytest.mark.parametrize(
    ("file_name", "text", "is_async"),
    [
        ("a.py", "async def f(): pass", True),
        ("a.py", "def f(run_async=1): pass", False),
        ("a.js", "const f = async x => x", True),
        ("a.js", "function async() {}", False),
        ("a.ts", "class A { static async f() {} }", True),
        ("a.rs", "pub async fn f() {}", True),
        ("a.cs", "class A { public async Task F() {} }", True),
        ("A.java", "class A { void async() {} }", False),
    ],
)
def test_async_is_a_word_of_the_head(file_name: str, text: str, *, is_async: bool) -> None:
    (function,) = outline_of(file_name, text).functions

    assert function.is_async is is_async


@pytest.mark.parametrize(
    ("file_name", "text", "has_body"),
    [
        ("a.ts", "declare function f(): void;", False),
        ("a.ts", "function f(): void {}", True),
        ("a.c", "int f(void);", False),
        ("a.rb", "def f; end", True),
        ("a.rs", "trait T { fn f(); }", False),
    ],
)
def test_prototypes_have_no_body(file_name: str, text: str, *, has_body: bool) -> None:
    (function,) = outline_of(file_name, text).functions

    assert function.has_body is has_body


def test_a_namespace_without_braces_reaches_to_the_next_one() -> None:
    outline = outline_of("a.php", "<?php namespace A; function f() {} namespace B; function g() {}")

    assert [function.qualified_name for function in outline.functions] == ["A.f", "B.g"]


def test_a_long_signature_is_cut() -> None:
    function = find_function(outline_of("a.py", f"def f({'a, ' * 1000}): pass"), "f")

    assert len(function.signature) < 1100
    assert function.signature.endswith("…")
