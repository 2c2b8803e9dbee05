/** A block that grows keeps its elements: only what came is put in, so little is styled again. */

/** Elements that hold nothing but text and each other; what can be clicked is built anew. */
const GROWING =
  /^(?:DIV|P|UL|OL|LI|EM|STRONG|S|BLOCKQUOTE|TABLE|THEAD|TBODY|TR|TH|TD|H[1-6]|SPAN)$/;

/**
 * Make `shown` look like `wanted` when the two differ only at their end; `wanted` is used up then.
 * Returns whether it could be done; if not, nothing has changed.
 */
export function growInto(shown: Node, wanted: Node): boolean {
  if (isText(shown) && isText(wanted)) {
    shown.data = wanted.data;
    return true;
  }
  if (!hasSameShell(shown, wanted)) {
    return false;
  }
  const [before, after] = [[...shown.childNodes], [...wanted.childNodes]];
  const last = before.length - 1;
  const isKept = before.slice(0, -1).every((child, index) => after[index]?.isEqualNode(child));
  const [end, newEnd] = [before[last], after[last]];
  if (after.length < before.length || !isKept) {
    return false;
  }
  if (end && newEnd && !end.isEqualNode(newEnd) && !growInto(end, newEnd)) {
    shown.replaceChild(newEnd, end);
  }
  shown.appendChild(asFragment(after.slice(before.length)));
  return true;
}

const isText = (node: Node): node is Text => node.nodeType === node.TEXT_NODE;

function hasSameShell(shown: Node, wanted: Node): boolean {
  return (
    shown instanceof HTMLElement &&
    wanted instanceof HTMLElement &&
    GROWING.test(shown.tagName) &&
    shown.cloneNode(false).isEqualNode(wanted.cloneNode(false))
  );
}

function asFragment(nodes: readonly Node[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  fragment.append(...nodes);
  return fragment;
}
