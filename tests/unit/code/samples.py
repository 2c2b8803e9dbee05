"""One sound text for each language, with what decides where a function begins and ends."""

from collections.abc import Mapping
from types import MappingProxyType

SAMPLES: Mapping[str, str] = MappingProxyType(
    {
        "python": """\
import x  # 😀

# above
@x.route(
    "/")
# between
@second

def outer():  # why
    class Inner:
        '''文档'''
        @property
        def 名(self): return 1
        h = lambda self: 1
    return Inner


async def last(): pass
outer()
""",
        "javascript": """\
/** doc */
export default function () { return 1 }
export const solo = async (a) => { k(a) };
const one = () => 1, two = () => 2;
const obj = { one: 1, fn() { }, nested: { deep: () => 1 } };
class K extends L {
  // 名
  @dec
  // 😀
  static async m() {}

  h = (e) => {}
}
var f = function g() {};function h(){}function i(){}
""",
        "typescript": """\
declare function dd(a): void;
export function ov(a: string): void;
export function ov<T>(a: T | number): void {}
@Component({ a: () => 1 })
export class Q<T> {
  @Dec() // 名
  /* 😀 */
  @Other()

  private async m?(a: T): Promise<void> {}
  abstract z(a): void;
}
namespace N { export const inner = (a) => a; }
""",
        "tsx": """\
export const View = memo(function (props: P) {
  const onClick = useCallback(() => go(), []);
  return <div onClick={onClick}>名 <Child f={() => 1} /></div>;
});
""",
        "go": """\
package p

// doc
func (s *Server[T]) Run(a int) error {
	f := func() { g() } // 名
	return nil
}

var h = func() {}
type I interface { M() }
func last() {}
""",
        "java": """\
package a;
/** doc */
@Ann(1)
public class A {
  // 😀
  @Override
  // 名
  @Deprecated

  public <T> void m(T a) { Runnable r = () -> g(); }
  A() {}
  Runnable field = () -> {};
}
""",
        "rust": """\
#[derive(Debug)]
struct S;
impl S {
    /// doc
    #[inline]
    // 名 😀
    #[must_use]

    pub fn m(&self) -> u8 { let f = || 1; inner(); fn inner() {} 1 }
}
#[test]
fn last() {}
""",
        "c": """\
#include <a.h>
int declared(int a);
/* doc */
static int *f(int a)
{
    return g(a); /* 名 */
}
int last(void) { return 0; }
""",
        "cpp": """\
namespace n {
template <class T>
// 名
class A {
public:
  A() : a(1) {}
  void m() const;
  template <typename U> void t(U u) { auto f = [] { return 1; }; }
};
template <class T> void A<T>::m() const { /* 😀 */ }
}
[[nodiscard]] int last() { return 0; }
""",
        "csharp": """\
namespace N;
/// doc
[Attr]
class A {
  // 名
  [Test]
  // 😀
  [Other]

  void M<T>(T a) { void Local() {} Local(); }
  Action f = () => {};
  A() {}
}
""",
        "ruby": """\
module M
  # 名
  class A < B
    def self.s(a) = a
    def m
      f = ->(x) { x } # 😀
    end
    define_method(:z) do
      1
    end
  end
end
""",
        "php": """\
<?php
namespace A\\B;
#[Attr]
// 名
#[Other]

function f($a) { return fn($x) => $x; }
class K { /** 😀 */ #[Test] public function m(): void {} }
$h = function () {};
""",
    }
)
