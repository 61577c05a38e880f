import type { ForeignAttribute, Link, Metadata } from "../model.ts";

/** The type whose properties may be set while it is built. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** An attribute as it was read, its prefix resolved. */
export interface Attribute {
  /** Absent for ResourceSync's own, which have no prefix. */
  readonly namespace?: string;
  readonly name: string;
  readonly value: string;
}

type MetadataName = Exclude<keyof Metadata, "foreign">;
type LinkName = Exclude<keyof Link, "foreign">;

const METADATA: Record<MetadataName, true> = {
  at: true,
  capability: true,
  change: true,
  completed: true,
  datetime: true,
  encoding: true,
  from: true,
  hash: true,
  length: true,
  modified: true,
  path: true,
  type: true,
  until: true,
};

const LINK: Record<LinkName, true> = {
  rel: true,
  href: true,
  encoding: true,
  hash: true,
  length: true,
  modified: true,
  path: true,
  pri: true,
  profile: true,
  type: true,
};

/**
 * Adds an `rs:md` element's attributes to what is known. Where the element is repeated, the first
 * value of an attribute counts, and the first element that has foreign ones.
 */
export function addMetadata(metadata: Draft<Metadata>, attributes: readonly Attribute[]): void {
  let foreign: ForeignAttribute[] | undefined;
  for (const { namespace, name, value } of attributes) {
    if (namespace === undefined) setMetadata(metadata, name, value);
    else if (foreign === undefined) foreign = [{ namespace, name, value }];
    else foreign.push({ namespace, name, value });
  }
  if (foreign !== undefined) metadata.foreign ??= foreign;
}

/** By name, not through a table: it saves a twentieth of all reading. */
function setMetadata(metadata: Draft<Metadata>, name: string, value: string): void {
  switch (name) {
    case "change":
      metadata.change ??= value;
      break;
    case "datetime":
      metadata.datetime ??= value;
      break;
    case "hash":
      metadata.hash ??= value;
      break;
    case "length":
      metadata.length ??= value;
      break;
    case "type":
      metadata.type ??= value;
      break;
    default:
      if (isName(METADATA, name)) metadata[name] ??= value;
  }
}

/** @returns an `rs:ln` element; `rel` and `href` are empty where it has none */
export function linkOf(attributes: readonly Attribute[]): Link {
  const link: Draft<Link> = { rel: "", href: "" };
  const foreign: ForeignAttribute[] = [];
  for (const attribute of attributes) {
    const { namespace, name, value } = attribute;
    if (namespace !== undefined) foreign.push({ namespace, name, value });
    else if (isName(LINK, name)) link[name] = value;
  }
  if (foreign.length > 0) link.foreign = foreign;
  return link;
}

function isName<Name extends string>(names: Record<Name, true>, name: string): name is Name {
  return Object.hasOwn(names, name);
}
