import type { DocumentKind } from "@rs-emit/documents";
import { FORM_CASES } from "./rules.cases.forms.ts";
import { KIND_CASES } from "./rules.cases.kinds.ts";
import { LINK_CASES } from "./rules.cases.links.ts";
import { TIME_CASES } from "./rules.cases.times.ts";
import type { Edit } from "./rules.site.ts";

/**
 * A rule; the kind of document that keeps it, well-formed; the edit that breaks it; where the
 * breach is found; and the URL it is published at, where that is the breach.
 */
export type Breaking = readonly [
  rule: string,
  kind: DocumentKind,
  edit: Edit,
  where: string,
  url?: string,
];

/** For every rule on single documents, the ways to break it. */
export const CASES: readonly Breaking[] = [
  ...FORM_CASES,
  ...TIME_CASES,
  ...LINK_CASES,
  ...KIND_CASES,
];
