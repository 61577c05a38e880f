import { last, type Mutation, type Node } from "./mutations.ts";

const REPRESENTATION = ["encoding", "hash", "length", "modified", "pri", "type"];

/** Why the text allows what a mutation makes, by section of ResourceSync 1.1; `undefined` if it does not. */
export function legalReason(mutation: Mutation): string | undefined {
  const { edit, attribute } = mutation;
  if (edit === "drop") return attribute === undefined ? dropped(mutation) : lost(mutation);
  if (edit === "double") return doubled(mutation);
  if (edit === "move") return moved(mutation);
  if (edit !== "misspell value") return undefined;
  if (attribute === "href") return "7: a URI of something else; what is there tells";
  if (attribute === "length" || attribute === "path")
    return "7: another length or path; bytes tell";
  return undefined;
}

function dropped({ path }: Mutation): string | undefined {
  const { name } = last(path);
  if (name === "lastmod" || name === "changefreq") return "7: it is optional in all documents";
  if (name === "url" || name === "sitemap") return "7: there are zero or more entries";
  const isEntrys = path.length === 3;
  if (name === "rs:ln" && isEntrys) return "7: an optional and repeatable element";
  if (name === "rs:ln" && relationOf(path) === "index")
    return "12.1: recommended if there is an index";
  if (name === "rs:ln" && capabilityOf(path) === "change-notification") {
    return "CN 3: up is optional";
  }
  const isSnapshot = /^resourcelist$/.test(capabilityOf(path));
  return name === "rs:md" && isEntrys && isSnapshot ? "10.1, 10.2: it is optional" : undefined;
}

function lost({ path, attribute = "" }: Mutation): string | undefined {
  if (REPRESENTATION.includes(attribute)) return "7: an optional attribute";
  if (attribute === "until" || attribute === "completed") return "A: it is optional everywhere";
  if (attribute === "datetime") return "12.1, CN 3: it is optional";
  const isSnapshot = /^resource/.test(capabilityOf(path));
  return attribute === "at" && path.length === 3 && isSnapshot ? "A, Table 4: optional" : undefined;
}

function doubled({ path }: Mutation): string | undefined {
  const node = last(path);
  if (node.name === "rs:ln") return "7: an optional and repeatable element";
  const isUndated = node.name === "url" && timeOf(node) === undefined;
  return isUndated && /^change/.test(capabilityOf(path))
    ? "12.1: a resource stands there once per change; without datetime they look alike"
    : undefined;
}

function moved({ path, attribute, to }: Mutation): string | undefined {
  const node = last(path);
  const isLink = node.name === "rs:ln";
  if (attribute !== undefined) {
    const isBoth = REPRESENTATION.includes(attribute) && to === "sibling";
    return isBoth ? "7: an optional attribute of the related resource, too" : undefined;
  }
  if (to === "last") {
    if (node.name.startsWith("rs:")) return "7: rs:md and rs:ln stand in any order";
    return timeOf(node) === undefined ? "7: nothing tells an order" : undefined;
  }
  if (!isLink) return undefined;
  return to === "up"
    ? "7: a document may link other documents"
    : "7: an entry may have links of any registered relation";
}

function relationOf(path: readonly Node[]): string | undefined {
  return attributeOf(last(path), "rel");
}

function capabilityOf([root]: readonly Node[]): string {
  const metadata = root?.children.find(({ name }) => name === "rs:md");
  return (metadata && attributeOf(metadata, "capability")) ?? "";
}

/** What puts an entry into an order. */
function timeOf(entry: Node): string | undefined {
  const metadata = entry.children.find(({ name }) => name === "rs:md");
  return metadata && (attributeOf(metadata, "datetime") ?? attributeOf(metadata, "from"));
}

function attributeOf({ attributes }: Node, name: string): string | undefined {
  return attributes.find(([one]) => one === name)?.[1];
}
