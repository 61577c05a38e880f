import type { OwnEntries } from "@rs-emit/feeds";
import type { Collection } from "./collections.ts";
import type { Period } from "./layout.ts";

/** Every other value of `previous` is a folder. */
export const PREVIOUS = ["auto", "output", "site", "none"] as const;

export type Previous =
  | { readonly kind: (typeof PREVIOUS)[number] }
  | { readonly kind: "folder"; readonly folder: string };

export interface FeedSettings {
  readonly file: string;
  readonly minor: boolean;
  /** What one entry tells. */
  readonly entries: OwnEntries;
}

export interface DumpSettings {
  /** Of how many publications the Change Dump has packages; 0 without a Change Dump. */
  readonly changes: number;
}

/** The parsed options: absolute paths, URLs with a slash at the end, defaults filled in. */
export interface Settings {
  readonly folder: string;
  readonly site: string;
  readonly whole: Collection;
  readonly collections: readonly Collection[];
  readonly history: "auto" | "git" | "files";
  readonly sourceFolder: string | undefined;
  /** A CSV or JSON file that names the source files of pages. */
  readonly sourceMap: string | undefined;
  readonly previous: Previous;
  readonly first: boolean;
  readonly force: boolean;
  readonly allowMassDelete: boolean;
  readonly anyFolder: boolean;
  readonly content: readonly string[];
  readonly period: Period;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly cleanUrls: boolean;
  /** Without it, published URLs decide, and in a first publication the host. */
  readonly cleanUrlsGiven: boolean;
  readonly minor: "log" | "omit";
  readonly feed: FeedSettings | undefined;
  /** Absent without dumps. */
  readonly dump: DumpSettings | undefined;
  readonly link: boolean;
  readonly messages: boolean;
  readonly note?: string | undefined;
  readonly now: number | undefined;
  readonly dryRun: boolean;
  readonly movedFrom: string | undefined;
  readonly hub: HubSettings | undefined;
  /** Harvesters that get a `POST` with the site's address. */
  readonly pings: readonly string[];
  /** Whether `_headers` gets the headers for discovery of the log and the hub. */
  readonly headers: boolean;
  readonly links: readonly LinkTemplate[];
  /** URLs of Capability Lists of other sites on the host. */
  readonly alsoLists: readonly string[];
}

/** A WebSub hub. With `payload` it gets the notification itself, not the topic's address. */
export interface HubSettings {
  readonly url: string;
  readonly payload: boolean;
}

/** A link to a resource's mirrors, versions and the like; `{path}` in `href` is the resource's path. */
export interface LinkTemplate {
  readonly match: string;
  readonly rel: string;
  readonly href: string;
  readonly type?: string | undefined;
  readonly pri?: number | undefined;
}
