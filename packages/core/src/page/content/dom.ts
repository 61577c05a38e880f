import {
  type AnyNode,
  type Element,
  hasChildren,
  isTag,
  isText,
  type ParentNode,
} from "domhandler";

export interface Visitor {
  /** `false` skips the element's contents and its `close`. */
  open(element: Element): boolean;
  close?(element: Element): void;
  text?(data: string): void;
}

/** Visits a tree in document order. Not recursive, since deeply nested pages would exhaust the stack. */
export function visit(root: ParentNode, visitor: Visitor): void {
  for (let node: AnyNode = root; ; ) {
    const child = enter(node, visitor);
    if (child !== undefined) {
      node = child;
      continue;
    }
    while (node !== root && node.next === null && node.parent !== null) {
      node = node.parent;
      leave(node, visitor);
    }
    if (node === root || node.next === null) return;
    node = node.next;
  }
}

export function outermost(
  root: ParentNode,
  test: (element: Element) => boolean,
  without: ReadonlySet<string>,
): Element[] {
  const found: Element[] = [];
  visit(root, {
    open(element) {
      if (without.has(element.name)) return false;
      if (!test(element)) return true;
      found.push(element);
      return false;
    },
  });
  return found;
}

function enter(node: AnyNode, visitor: Visitor): AnyNode | undefined {
  if (isText(node)) visitor.text?.(node.data);
  if (!hasChildren(node)) return undefined;
  if (isTag(node)) {
    if (!visitor.open(node)) return undefined;
    if (node.children.length === 0) visitor.close?.(node);
  }
  return node.children[0];
}

function leave(node: AnyNode, visitor: Visitor): void {
  if (isTag(node)) visitor.close?.(node);
}
