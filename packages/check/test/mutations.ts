import { SaxesParser } from "saxes";

/** An element of a document, with its attributes in order. */
export interface Node {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: readonly Node[];
  readonly text: string;
}

/** One change to one element or attribute of a document. */
export interface Mutation {
  readonly edit: "drop" | "double" | "rename" | "misspell" | "misspell value" | "move";
  /** The elements from the root to the one that is changed, as they were. */
  readonly path: readonly Node[];
  /** The attribute that is changed. */
  readonly attribute?: string;
  /** Where it is moved. */
  readonly to?: "last" | "next" | "up" | "sibling";
  readonly xml: string;
}

export function treeOf(xml: string): Node {
  const parser = new SaxesParser();
  const open: { name: string; attributes: [string, string][]; children: Node[]; text: string }[] = [
    { name: "", attributes: [], children: [], text: "" },
  ];
  parser.on("opentag", ({ name, attributes }) => {
    const texts = Object.entries(attributes).map(([key, value]): [string, string] => [key, value]);
    const node = { name, attributes: texts, children: [], text: "" };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on("text", (text) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += text.trim();
  });
  parser.on("closetag", () => open.pop());
  parser.write(xml).close();
  const root = open[0]?.children[0];
  if (root === undefined) throw new Error("no root");
  return root;
}

/** Every mutation of a document: each element but the root and each attribute but namespaces, in each way. */
export function* mutationsOf(root: Node): Iterable<Mutation> {
  for (const path of pathsOf([root])) {
    if (path.length > 1) yield* ofElement(path);
    for (const [name] of path.at(-1)?.attributes ?? []) {
      if (!name.startsWith("xmlns")) yield* ofAttribute(path, name);
    }
  }
}

function* pathsOf(path: readonly Node[]): Iterable<readonly Node[]> {
  yield path;
  for (const child of path.at(-1)?.children ?? []) yield* pathsOf([...path, child]);
}

const OTHER_ELEMENT: Readonly<Record<string, string>> = {
  url: "sitemap",
  sitemap: "url",
  loc: "lastmod",
  lastmod: "loc",
  changefreq: "priority",
  priority: "changefreq",
  "rs:md": "rs:ln",
  "rs:ln": "rs:md",
};

function* ofElement(path: readonly Node[]): Iterable<Mutation> {
  const node = last(path);
  const parent = last(path.slice(0, -1));
  const at = parent.children.indexOf(node);
  const without = parent.children.filter((one) => one !== node);
  const made = (edit: Mutation["edit"], children: readonly Node[], to?: Mutation["to"]) => ({
    edit,
    path,
    ...(to === undefined ? {} : { to }),
    xml: xmlOf(replaced(path[0], parent, { ...parent, children })),
  });
  const put = (...nodes: readonly Node[]) => parent.children.toSpliced(at, 1, ...nodes);
  yield made("drop", without);
  yield made("double", put(node, node));
  yield made("rename", put({ ...node, name: OTHER_ELEMENT[node.name] ?? "loc" }));
  yield made("misspell", put({ ...node, name: misspelt(node.name) }));
  yield made("misspell", put({ ...node, name: capital(node.name) }));
  if (node !== parent.children.at(-1)) yield made("move", [...without, node], "last");
  const next = parent.children[at + 1];
  if (next !== undefined) {
    const inNext = { ...next, children: [...next.children, node] };
    yield made("move", put().with(at, inNext), "next");
  }
  const above = path.at(-3);
  if (above === undefined) return;
  const place = above.children.indexOf(parent);
  const left = { ...parent, children: without };
  const children = above.children.toSpliced(place, 1, left, node);
  const xml = xmlOf(replaced(path[0], above, { ...above, children }));
  yield { edit: "move", path, to: "up", xml };
}

const OTHER_ATTRIBUTE: Readonly<Record<string, string>> = {
  at: "from",
  capability: "change",
  change: "capability",
  completed: "until",
  datetime: "at",
  encoding: "path",
  from: "at",
  hash: "path",
  href: "path",
  length: "hash",
  modified: "datetime",
  path: "href",
  pri: "priority",
  profile: "href",
  rel: "type",
  type: "rel",
  until: "completed",
};

function* ofAttribute(path: readonly Node[], attribute: string): Iterable<Mutation> {
  const node = last(path);
  const { attributes } = node;
  const at = attributes.findIndex(([name]) => name === attribute);
  const [, value = ""] = attributes[at] ?? [];
  const without = attributes.filter(([name]) => name !== attribute);
  const made = (edit: Mutation["edit"], changed: Node["attributes"]): Mutation => ({
    edit,
    path,
    attribute,
    xml: xmlOf(replaced(path[0], node, { ...node, attributes: changed })),
  });
  const put = (...some: Node["attributes"]) => attributes.toSpliced(at, 1, ...some);
  yield made("drop", without);
  yield made("double", put([attribute, value], [attribute, value]));
  yield made("rename", put([`rs:${attribute}`, value]));
  yield made("rename", put([OTHER_ATTRIBUTE[attribute] ?? "at", value]));
  yield made("misspell", put([misspelt(attribute), value]));
  yield made("misspell", put([capital(attribute), value]));
  yield made("misspell value", put([attribute, misspelt(value)]));
  const parent = path.at(-2);
  if (parent === undefined) return;
  const child = { ...node, attributes: without };
  const carrier = {
    ...parent,
    attributes: [...parent.attributes, [attribute, value] as const],
    children: parent.children.map((one) => (one === node ? child : one)),
  };
  yield { edit: "move", path, attribute, to: "up", xml: xmlOf(replaced(path[0], parent, carrier)) };
  const sibling = parent.children.find((one) => one !== node && one.name.startsWith("rs:"));
  if (sibling === undefined) return;
  const given = { ...sibling, attributes: [...sibling.attributes, [attribute, value] as const] };
  const children = parent.children.map((one) =>
    one === node ? child : one === sibling ? given : one,
  );
  const xml = xmlOf(replaced(path[0], parent, { ...parent, children }));
  yield { edit: "move", path, attribute, to: "sibling", xml };
}

export function last(path: readonly Node[]): Node {
  const node = path.at(-1);
  if (node === undefined) throw new RangeError("an empty path");
  return node;
}

/** Without the letter before the last: `capabiliy`. */
function misspelt(text: string): string {
  return text.length < 3 ? `${text}x` : text.slice(0, -2) + text.slice(-1);
}

function capital(name: string): string {
  return name.replace(/[a-z]+$/i, (local) => local.charAt(0).toUpperCase() + local.slice(1));
}

function replaced(node: Node | undefined, old: Node, now: Node): Node {
  if (node === undefined || node === old) return now;
  return { ...node, children: node.children.map((one) => replaced(one, old, now)) };
}

export function xmlOf({ name, attributes, children, text }: Node): string {
  const told = attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
  return `<${name}${told}>${escaped(text)}${children.map(xmlOf).join("\n")}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
