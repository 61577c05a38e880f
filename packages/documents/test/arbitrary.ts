import fc, { type Arbitrary } from "fast-check";
import type {
  AnyDocument,
  Capability,
  ChangeKind,
  DocumentKind,
  Documents,
  Entry,
  ForeignAttribute,
  Link,
  Metadata,
  Root,
} from "../src/index.ts";

const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** Any text that XML 1.0 can hold, white space and markup characters often among it. */
export const text: Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "&",
        "<",
        ">",
        '"',
        "'",
        "\n",
        "\r",
        "\t",
        " ",
        "]]>",
        "&amp;",
        "&#10;",
        "--",
      ),
      fc.string({ unit: "binary", maxLength: 3 }).filter((part) => !UNWRITABLE.test(part)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const comment = text.filter((value) => !/--|-$|\r/.test(value));
const nonEmpty = text.filter((value) => value !== "");
const digits = fc.nat().map(String);
const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 8 })
  .map((part) => encodeURIComponent(part));

const uri = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.constantFrom("example.org", "user@example.org:8080", "[2001:db8::1]", "xn--4ca.example"),
    fc.array(segment, { maxLength: 4 }),
    fc.constantFrom("", "/", "?a=1&b=%20", "#part", "?q=/?'()*+,;=:@"),
  )
  .map(([scheme, host, path, rest]) => `${scheme}://${host}/${path.join("/")}${rest}`);

export const datetime = fc
  .tuple(
    fc.date({
      min: new Date("0001-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    }),
    fc.constantFrom("", ".0", ".123", ".123456789"),
  )
  .map(([date, fraction]) => `${date.toISOString().slice(0, 19)}${fraction}Z`);

const digest = fc
  .tuple(fc.constantFrom("md5", "sha-1", "sha-256"), fc.stringMatching(/^[0-9a-f]{8,64}$/))
  .map(([algorithm, hex]) => `${algorithm}:${hex}`);
const hash = fc
  .tuple(fc.array(digest, { minLength: 1, maxLength: 3 }), fc.constantFrom(" ", "\n  ", "\t"))
  .map(([digests, space]) => digests.join(space));
const frequency = fc.constantFrom("always", "daily", "never");
const priority = fc.constantFrom("0", "0.0", "0.75", "1.0");
const type = fc.constantFrom("text/html", "application/pdf", "image/svg+xml", "x-a/b-c");
const path = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((parts) => `/${parts.join("/")}`);

const foreign: Arbitrary<ForeignAttribute[]> = fc.uniqueArray(
  fc.record({
    namespace: fc.constantFrom(
      "http://purl.org/dc/terms/",
      "http://purl.org/rss/1.0/modules/wiki/",
      "urn:a&b",
      "http://www.w3.org/XML/1998/namespace",
    ),
    name: fc.constantFrom("title", "importance", "Überschrift", "_x.y-1"),
    value: text,
  }),
  { minLength: 1, maxLength: 4, selector: ({ namespace, name }) => `${namespace} ${name}` },
);

const link: Arbitrary<Link> = and(
  fc.record({ rel: fc.oneof(fc.constantFrom("describedby", "alternate"), uri), href: uri }),
  fc.record(
    {
      encoding: nonEmpty,
      hash,
      length: digits,
      modified: datetime,
      path,
      pri: fc.integer({ min: 1, max: 999_999 }).map(String),
      profile: uri,
      type,
      foreign,
    },
    { requiredKeys: [] },
  ),
);
const links = fc.array(link, { minLength: 1, maxLength: 3 });

const common = fc.record(
  { encoding: nonEmpty, hash, length: digits, modified: datetime, type, foreign },
  { requiredKeys: [] },
);
const described = and(fc.record({ capability: fc.constantFrom("resourcelist", "x") }), common);
const interval = fc.record({ from: datetime, until: datetime }, { requiredKeys: [] });
const snapshot = fc.record({ at: datetime, completed: datetime }, { requiredKeys: [] });
const CHANGES: readonly ChangeKind[] = ["created", "updated", "deleted"];
const change = fc.constantFrom(...CHANGES);
const changed = and(
  fc.record({ change }),
  fc.record({ datetime, path }, { requiredKeys: ["datetime"] }),
);

const KINDS = {
  "source-description": list(about("description"), required(about("capabilitylist"))),
  "source-description-index": index(about("description"), common),
  "capability-list": list(about("capabilitylist"), required(described)),
  "resource-list": list(taken("resourcelist"), optional(common)),
  "resource-list-index": index(taken("resourcelist"), and(snapshot, common)),
  "resource-dump": list(taken("resourcedump"), optional(and(snapshot, common))),
  "resource-dump-index": index(taken("resourcedump"), and(snapshot, common)),
  "resource-dump-manifest": list(
    taken("resourcedump-manifest"),
    required(and(fc.record({ path }), common)),
  ),
  "change-list": list(covering("changelist"), required(and(changed, common))),
  "change-list-index": index(covering("changelist"), and(interval, common)),
  "change-dump": list(covering("changedump"), optional(and(interval, common))),
  "change-dump-index": index(covering("changedump"), and(interval, common)),
  "change-dump-manifest": list(
    covering("changedump-manifest"),
    required(and(and(changed, fc.record({ path })), common)),
  ),
  "change-notification": list(
    and(covering("change-notification"), fc.record({ until: datetime })),
    required(and(changed, common)),
  ),
} satisfies { [K in DocumentKind]: Arbitrary<Documents[K]> };

/** Any document of each kind that the types and the specification allow. */
export const documents: { [K in DocumentKind]: Arbitrary<Documents[K]> } = KINDS;

/** Any document of any kind. */
export const anyDocument: Arbitrary<AnyDocument> = fc.oneof(...Object.values(documents));

function and<A, B>(first: Arbitrary<A>, second: Arbitrary<B>): Arbitrary<A & B> {
  return fc.tuple(first, second).map(([a, b]) => ({ ...a, ...b }));
}

function about<C extends Capability>(capability: C) {
  return and(fc.record({ capability: fc.constant(capability) }), common);
}

function taken<C extends Capability>(capability: C) {
  const completed = fc.record({ completed: datetime }, { requiredKeys: [] });
  return and(and(about(capability), fc.record({ at: datetime })), completed);
}

function covering<C extends Capability>(capability: C) {
  const until = fc.record({ until: datetime }, { requiredKeys: [] });
  return and(and(about(capability), fc.record({ from: datetime })), until);
}

function required<M extends Metadata>(metadata: Arbitrary<M>) {
  const page = fc.record(
    { lastmod: datetime, changefreq: frequency, priority, links },
    { requiredKeys: [] },
  );
  return and(fc.record({ loc: uri, metadata }), page);
}

function optional(metadata: Arbitrary<Metadata>): Arbitrary<Entry> {
  const page = fc.record(
    { lastmod: datetime, changefreq: frequency, priority, links, metadata },
    { requiredKeys: [] },
  );
  return and(fc.record({ loc: uri }), page);
}

function list<M extends Metadata, E extends Entry>(metadata: Arbitrary<M>, entry: Arbitrary<E>) {
  return documentOf("urlset", metadata, entry);
}

function index<M extends Metadata>(metadata: Arbitrary<M>, entry: Arbitrary<Metadata>) {
  const pointer = fc.record(
    { loc: uri, lastmod: datetime, metadata: entry, links },
    { requiredKeys: ["loc"] },
  );
  return documentOf("sitemapindex", metadata, pointer);
}

function documentOf<R extends Root, M extends Metadata, E extends Entry>(
  root: R,
  metadata: Arbitrary<M>,
  entry: Arbitrary<E>,
) {
  return fc.record({
    root: fc.constant(root),
    metadata,
    links: fc.tuple(fc.record({ rel: fc.constant("up"), href: uri }), fc.array(link)).map(flat),
    comments: fc.array(comment, { maxLength: 2 }),
    entries: fc.array(entry, { maxLength: 5 }),
  });
}

function flat<T>([first, rest]: [T, T[]]): T[] {
  return [first, ...rest];
}
