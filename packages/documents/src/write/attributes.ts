import type { ForeignAttribute, Link, Metadata } from "../model.ts";
import { escaped, writable } from "./characters.ts";
import { MissingValueError } from "./errors.ts";
import { schemaType } from "./media-type.ts";
import type { Output } from "./output.ts";
import type { Prefixes } from "./prefixes.ts";
import {
  CHANGE,
  check,
  DATETIME,
  HASH,
  LENGTH,
  PATH,
  PRI,
  RELATION,
  type Rule,
  TEXT,
  URI,
} from "./values.ts";

type MetadataName = Exclude<keyof Metadata, "foreign" | "type">;
type LinkName = Exclude<keyof Link, "foreign" | "type">;

const METADATA: readonly (readonly [MetadataName, Rule])[] = [
  ["capability", TEXT],
  ["at", DATETIME],
  ["completed", DATETIME],
  ["from", DATETIME],
  ["until", DATETIME],
  ["change", CHANGE],
  ["datetime", DATETIME],
  ["modified", DATETIME],
  ["hash", HASH],
  ["length", LENGTH],
  ["encoding", TEXT],
  ["path", PATH],
];

const LINK: readonly (readonly [LinkName, Rule])[] = [
  ["rel", RELATION],
  ["href", URI],
  ["pri", PRI],
  ["modified", DATETIME],
  ["hash", HASH],
  ["length", LENGTH],
  ["encoding", TEXT],
  ["path", PATH],
  ["profile", URI],
];

/** Puts down the attributes of an `rs:md` element. */
export function writeMetadataAttributes(
  metadata: Metadata,
  subject: string,
  prefixes: Prefixes,
  output: Output,
): void {
  for (const [name, rule] of METADATA) writeAttribute(name, metadata[name], rule, subject, output);
  writeType(metadata.type, output);
  writeForeign(metadata.foreign, subject, prefixes, output);
}

/** Puts down the attributes of an `rs:ln` element. */
export function writeLinkAttributes(
  link: Link,
  subject: string,
  prefixes: Prefixes,
  output: Output,
): void {
  if (link.rel === "") throw new MissingValueError("the rel of a link", subject, "section 7");
  if (link.href === "") throw new MissingValueError("the href of a link", subject, "section 7");
  for (const [name, rule] of LINK) writeAttribute(name, link[name], rule, subject, output);
  writeType(link.type, output);
  writeForeign(link.foreign, subject, prefixes, output);
}

function writeAttribute(
  name: string,
  value: string | undefined,
  rule: Rule,
  subject: string,
  output: Output,
): void {
  if (value === undefined) return;
  check(rule, name, value, subject);
  output.attribute(name, escaped(value));
}

function writeType(type: string | undefined, output: Output): void {
  const allowed = type === undefined ? undefined : schemaType(type);
  if (allowed !== undefined) output.attribute("type", allowed);
}

function writeForeign(
  foreign: readonly ForeignAttribute[] | undefined,
  subject: string,
  prefixes: Prefixes,
  output: Output,
): void {
  if (foreign === undefined) return;
  for (const [name, value] of prefixes.qualify(foreign, subject)) {
    output.attribute(name, escaped(writable(value)));
  }
}
