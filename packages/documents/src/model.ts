/**
 * Values are texts as in the document, times are W3C datetimes. `parseDatetime` parses datetimes, the writer
 * refuses invalid values, and the rules report them.
 */

/** What happened to a resource (ResourceSync 1.1, section 7, attribute `change`). */
export type ChangeKind = "created" | "updated" | "deleted";

/** The nature of a document (section 7, attribute `capability`; Change Notification 1.0.1, section 3). */
export type Capability =
  | "description"
  | "capabilitylist"
  | "resourcelist"
  | "changelist"
  | "resourcedump"
  | "changedump"
  | "resourcedump-manifest"
  | "changedump-manifest"
  | "change-notification";

/** A document is a list of entries, or an index of such lists. */
export type Root = "urlset" | "sitemapindex";

/** An attribute of another namespace on `rs:md` or `rs:ln`, kept through a read and a write. */
export interface ForeignAttribute {
  /** The namespace's URI. Never empty: section 7 reserves unprefixed names for ResourceSync itself. */
  readonly namespace: string;
  readonly name: string;
  readonly value: string;
}

/** An `rs:md` element: metadata of a document or of an entry (section 7). */
export interface Metadata {
  /** When the snapshot was started. */
  readonly at?: string | undefined;
  readonly capability?: string | undefined;
  readonly change?: string | undefined;
  readonly completed?: string | undefined;
  readonly datetime?: string | undefined;
  readonly encoding?: string | undefined;
  /** The start of the included changes. */
  readonly from?: string | undefined;
  /** Digests, each `algorithm:hex`, separated by white space. */
  readonly hash?: string | undefined;
  /** Length of the representation in bytes, in decimal digits. */
  readonly length?: string | undefined;
  /** When the resource was last modified (schema; 0.9.1). */
  readonly modified?: string | undefined;
  /** Path inside a package, with a leading slash. */
  readonly path?: string | undefined;
  readonly type?: string | undefined;
  /** The end of the included changes. It closes the document. */
  readonly until?: string | undefined;
  readonly foreign?: readonly ForeignAttribute[] | undefined;
}

/** An `rs:ln` element: a link of a document or of an entry (sections 7 and 14). */
export interface Link {
  /** A registered relation type or a URI. */
  readonly rel: string;
  readonly href: string;
  readonly encoding?: string | undefined;
  readonly hash?: string | undefined;
  readonly length?: string | undefined;
  readonly modified?: string | undefined;
  readonly path?: string | undefined;
  /** Priority among links of one relation: an integer from 1 (highest) to 999999. */
  readonly pri?: string | undefined;
  readonly profile?: string | undefined;
  readonly type?: string | undefined;
  readonly foreign?: readonly ForeignAttribute[] | undefined;
}

/** A `url` or `sitemap` element. */
export interface Entry {
  readonly loc: string;
  readonly lastmod?: string | undefined;
  readonly changefreq?: string | undefined;
  readonly priority?: string | undefined;
  readonly metadata?: Metadata | undefined;
  readonly links?: readonly Link[] | undefined;
}

/** A part of a document that readers ignore: it has no meaning at its place. */
export interface PassedOver {
  /**
   * In this order: unknown; a second one where one is allowed; too late; unknown attribute; an attribute
   * where none is allowed; text between elements.
   */
  readonly form: "element" | "repeated" | "order" | "attribute" | "bare" | "text";
  /** As written, without prefix. */
  readonly name: string;
  /** A place such as `line 12, entry 3, url@id`. */
  readonly where: string;
}

/** A document without its entries. */
export interface Head {
  readonly root: Root;
  readonly metadata: Metadata;
  readonly links: readonly Link[];
  /** Comments before the first entry, in order, without their delimiters. */
  readonly comments: readonly string[];
  /** The ignored parts; only if requested. */
  readonly passedOver?: readonly PassedOver[];
}

export interface ParsedDocument extends Head {
  readonly entries: readonly Entry[];
}

type MetadataOf<C extends Capability, Required extends keyof Metadata = never> = Metadata & {
  readonly capability: C;
} & { readonly [K in Required]: string };

interface DocumentOf<R extends Root, M extends Metadata, E extends Entry> extends Head {
  readonly root: R;
  readonly metadata: M;
  readonly entries: readonly E[];
}

/** An entry that refers to a document of a given capability. */
export type CapabilityEntry<C extends string = string> = Entry & {
  readonly metadata: Metadata & { readonly capability: C };
};

export type ChangeEntry = Entry & {
  readonly metadata: Metadata & { readonly change: ChangeKind };
};

export type BitstreamEntry = Entry & { readonly metadata: Metadata & { readonly path: string } };

/** Every document of the framework, by the name of its kind. */
export interface Documents {
  /** Lists a source's Capability Lists (section 8). */
  "source-description": DocumentOf<
    "urlset",
    MetadataOf<"description">,
    CapabilityEntry<"capabilitylist">
  >;
  /** Groups several Source Descriptions (section 8). */
  "source-description-index": DocumentOf<"sitemapindex", MetadataOf<"description">, Entry>;
  /** Lists the capabilities of one set of resources (section 9). */
  "capability-list": DocumentOf<"urlset", MetadataOf<"capabilitylist">, CapabilityEntry>;
  /** A snapshot of the resources (section 10.1). */
  "resource-list": DocumentOf<"urlset", MetadataOf<"resourcelist", "at">, Entry>;
  /** Groups the parts of one snapshot (section 10.2). */
  "resource-list-index": DocumentOf<"sitemapindex", MetadataOf<"resourcelist", "at">, Entry>;
  /** Changes in forward chronological order (section 12.1). */
  "change-list": DocumentOf<"urlset", MetadataOf<"changelist", "from">, ChangeEntry>;
  /** Groups Change Lists in forward chronological order (section 12.2). */
  "change-list-index": DocumentOf<"sitemapindex", MetadataOf<"changelist", "from">, Entry>;
  /** Points at packages of resources (section 11.1). */
  "resource-dump": DocumentOf<"urlset", MetadataOf<"resourcedump", "at">, Entry>;
  /** Groups Resource Dumps (section 11.1). */
  "resource-dump-index": DocumentOf<"sitemapindex", MetadataOf<"resourcedump", "at">, Entry>;
  /** Says what a resource package holds (section 11.2). */
  "resource-dump-manifest": DocumentOf<
    "urlset",
    MetadataOf<"resourcedump-manifest", "at">,
    BitstreamEntry
  >;
  /** Points at packages of changes (section 13.1). */
  "change-dump": DocumentOf<"urlset", MetadataOf<"changedump", "from">, Entry>;
  /** Groups Change Dumps (section 13.1). */
  "change-dump-index": DocumentOf<"sitemapindex", MetadataOf<"changedump", "from">, Entry>;
  /** Says what a change package holds (section 13.2). */
  "change-dump-manifest": DocumentOf<
    "urlset",
    MetadataOf<"changedump-manifest", "from">,
    ChangeEntry
  >;
  /** Changes that are pushed (Change Notification 1.0.1, section 3). */
  "change-notification": DocumentOf<
    "urlset",
    MetadataOf<"change-notification", "from" | "until">,
    ChangeEntry
  >;
}

export type DocumentKind = keyof Documents;

export type AnyDocument = Documents[DocumentKind];

/** A document that may be written: any of the framework's, without its entries. */
export type AnyHead = { [K in DocumentKind]: Omit<Documents[K], "entries"> }[DocumentKind];
