import { MissingValueError } from "../errors.ts";
import type { ForeignAttribute, Link, Metadata } from "../model.ts";
import { escaped, writable } from "./characters.ts";
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

/** Puts down the attributes of an `rs:md` element. Not by a table, which takes a third longer. */
export function writeMetadataAttributes(
  metadata: Metadata,
  subject: string,
  prefixes: Prefixes,
  output: Output,
): void {
  writeAttribute("capability", metadata.capability, TEXT, subject, output);
  writeAttribute("at", metadata.at, DATETIME, subject, output);
  writeAttribute("completed", metadata.completed, DATETIME, subject, output);
  writeAttribute("from", metadata.from, DATETIME, subject, output);
  writeAttribute("until", metadata.until, DATETIME, subject, output);
  writeAttribute("change", metadata.change, CHANGE, subject, output);
  writeAttribute("datetime", metadata.datetime, DATETIME, subject, output);
  writeAttribute("modified", metadata.modified, DATETIME, subject, output);
  writeAttribute("hash", metadata.hash, HASH, subject, output);
  writeAttribute("length", metadata.length, LENGTH, subject, output);
  writeAttribute("encoding", metadata.encoding, TEXT, subject, output);
  writeAttribute("path", metadata.path, PATH, subject, output);
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
  writeAttribute("rel", link.rel, RELATION, subject, output);
  writeAttribute("href", link.href, URI, subject, output);
  writeAttribute("pri", link.pri, PRI, subject, output);
  writeAttribute("modified", link.modified, DATETIME, subject, output);
  writeAttribute("hash", link.hash, HASH, subject, output);
  writeAttribute("length", link.length, LENGTH, subject, output);
  writeAttribute("encoding", link.encoding, TEXT, subject, output);
  writeAttribute("path", link.path, PATH, subject, output);
  writeAttribute("profile", link.profile, URI, subject, output);
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
