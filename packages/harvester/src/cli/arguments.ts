import type { ReportFormat, Sample } from "@rs-emit/documents/check";
import type { EntryMode } from "@rs-emit/feeds";
import type { HarvesterSettings } from "../check/harvester.ts";
import { normalizeAddress } from "../discover/address.ts";
import type { SyncRequest } from "../sync/sync.ts";
import { parseDuration } from "./duration.ts";
import { UsageError, understood } from "./errors.ts";
import {
  toContact,
  toCount,
  toDatabase,
  toFolderUrl,
  toPath,
  toSeconds,
  toUrl,
} from "./option-values.ts";

export interface MemoryPlace {
  readonly data: string | undefined;
  readonly database: string | undefined;
}

export interface CommonArguments extends MemoryPlace {
  readonly settings: HarvesterSettings;
  readonly allowPrivate: boolean;
  readonly contact: string | undefined;
}

/** `rs-harvest <site>… --out <folder>` */
export interface HarvestArguments extends CommonArguments {
  readonly command: "harvest";
  readonly sites: readonly string[];
  readonly list: string | undefined;
  readonly out: string;
  /** The address of a folder that is read instead of the network. */
  readonly url: string | undefined;
  /** The feeds' future address. */
  readonly feedsUrl: string | undefined;
  /** Lists of pages are compared where a site publishes no Change List. */
  readonly fromLists: boolean;
  /** Whoever runs this has looked: pages that are missing from the lists are gone. */
  readonly gone: boolean;
  /** UTC seconds; by default the present. */
  readonly now: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `rs-harvest serve` */
export interface ServeArguments extends CommonArguments {
  readonly command: "serve";
  readonly role: "web" | "worker" | "all";
  readonly host: string;
  /** By default the usual one; none for a worker. */
  readonly port: number | undefined;
  readonly publicUrl: string | undefined;
  readonly token: string | undefined;
  readonly open: boolean;
  readonly trustProxy: boolean;
  readonly hub: string | undefined;
  readonly concurrency: number;
}

export interface CheckArguments {
  readonly command: "check";
  readonly site: string;
  readonly sample: Sample;
  readonly format: ReportFormat;
  readonly strict: boolean;
  readonly allowPrivate: boolean;
  readonly contact: string | undefined;
}

/** `rs-harvest sync <site> <folder>` */
export interface SyncArguments extends SyncRequest {
  readonly command: "sync";
  readonly allowPrivate: boolean;
  readonly contact: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `rs-harvest import <list>` */
export interface ImportArguments extends MemoryPlace {
  readonly command: "import";
  readonly list: string;
  readonly json: boolean;
}

/** `rs-harvest export` */
export interface ExportArguments extends MemoryPlace {
  readonly command: "export";
  /** The service's address, for a list of its feeds; without it, the sites are listed. */
  readonly opmlUrl: string | undefined;
}

export type Arguments =
  | HarvestArguments
  | ServeArguments
  | CheckArguments
  | SyncArguments
  | ImportArguments
  | ExportArguments;

export interface GivenCommon extends GivenMemory {
  readonly entries: EntryMode;
  readonly minor?: boolean;
  readonly useLastmod?: boolean;
  readonly otherHosts?: boolean;
  readonly allowPrivate?: boolean;
  readonly contact?: string;
  readonly titles?: boolean;
  readonly interval?: string;
}

export interface GivenHarvest extends GivenCommon {
  readonly fromLists?: boolean;
  readonly gone?: boolean;
  readonly list?: string;
  readonly out?: string;
  readonly url?: string;
  readonly feedsUrl?: string;
  readonly now?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export interface GivenServe extends GivenCommon {
  readonly role: ServeArguments["role"];
  readonly host: string;
  readonly port?: string;
  readonly publicUrl?: string;
  readonly token?: string;
  readonly open?: boolean;
  readonly trustProxy?: boolean;
  readonly hub?: string;
  readonly concurrency: string;
}

export interface GivenCheck {
  readonly sample: string;
  readonly format: ReportFormat;
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly allowPrivate?: boolean;
  readonly contact?: string;
}

/** Those of `rs-harvest sync`. */
export interface GivenSync {
  readonly audit?: boolean;
  readonly dryRun?: boolean;
  readonly delete?: boolean;
  readonly allowMassDelete?: boolean;
  readonly collection: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** `--no-dump` makes it false. */
  readonly dump: boolean;
  readonly otherHosts?: boolean;
  readonly allowPrivate?: boolean;
  readonly contact?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** @throws {UsageError} */
export function toSync(address: string, folder: string, given: GivenSync): SyncArguments {
  const { audit = false, dryRun = false, collection, include, exclude, contact } = given;
  if (audit && (dryRun || given.delete === true)) {
    throw new UsageError(
      "--audit writes nothing: it goes neither with --delete nor with --dry-run.",
    );
  }
  return {
    command: "sync",
    address: understood(() => normalizeAddress(address)),
    folder: toPath("<folder>", folder),
    audit,
    dryRun,
    delete: given.delete ?? false,
    allowMassDelete: given.allowMassDelete ?? false,
    collections: collection,
    include,
    exclude,
    otherHosts: given.otherHosts ?? false,
    useDumps: given.dump,
    allowPrivate: given.allowPrivate ?? false,
    contact: contact === undefined ? undefined : toContact("--contact", contact),
    json: given.json ?? false,
    quiet: given.quiet ?? false,
  };
}

/** @throws {UsageError} */
export function toCheck(site: string, given: GivenCheck): CheckArguments {
  const { sample, format, json = false, strict = false, allowPrivate = false, contact } = given;
  if (sample !== "all" && !/^\d{1,9}$/.test(sample)) {
    throw new UsageError(`--sample is "${sample}": it must be a whole number, or all.`);
  }
  return {
    command: "check",
    site,
    sample: sample === "all" ? "all" : Number(sample),
    format: json ? "json" : format,
    strict,
    allowPrivate,
    contact: contact === undefined ? undefined : toContact("--contact", contact),
  };
}

export interface GivenMemory {
  readonly data?: string;
  readonly database?: string;
}

function toMemory({ data, database }: GivenMemory): MemoryPlace {
  if (data !== undefined && database !== undefined) {
    throw new UsageError("--data and --database are two places for one memory: give one of them.");
  }
  return {
    data: data === undefined ? undefined : toPath("--data", data),
    database: database === undefined ? undefined : toDatabase("--database", database),
  };
}

function toCommon(given: GivenCommon): CommonArguments {
  const { contact } = given;
  return {
    settings: {
      entries: given.entries,
      withMinor: given.minor ?? false,
      useLastmod: given.useLastmod ?? false,
      allowOtherHosts: given.otherHosts ?? false,
      interval: parseDuration("--interval", given.interval ?? "daily"),
      hasHub: false,
      withTitles: given.titles ?? false,
    },
    allowPrivate: given.allowPrivate ?? false,
    contact: contact === undefined ? undefined : toContact("--contact", contact),
    ...toMemory(given),
  };
}

/** @throws {UsageError} */
export function toImport(list: string, given: GivenMemory & { json?: boolean }): ImportArguments {
  const { json = false } = given;
  return { command: "import", list: toPath("<list>", list), json, ...toMemory(given) };
}

/** @throws {UsageError} */
export function toExport(given: GivenMemory & { opml?: string }): ExportArguments {
  const { opml } = given;
  const opmlUrl = opml === undefined ? undefined : toFolderUrl("--opml", opml);
  return { command: "export", opmlUrl, ...toMemory(given) };
}

/** @throws {UsageError} */
export function toHarvest(sites: readonly string[], given: GivenHarvest): HarvestArguments {
  const { list, out, url, feedsUrl, now, json = false, quiet = false } = given;
  if (sites.length === 0 && list === undefined) {
    throw new UsageError("No site was named. Give one or more addresses, or --list <file>.");
  }
  if (out === undefined) throw new UsageError("Where should the feeds go? Say --out <folder>.");
  if (url !== undefined && (sites.length !== 1 || list !== undefined)) {
    throw new UsageError(
      "--url gives the address of one folder: name one folder with it, and nothing else.",
    );
  }
  return {
    command: "harvest",
    ...toCommon(given),
    sites,
    list: list === undefined ? undefined : toPath("--list", list),
    out: toPath("--out", out),
    url: url === undefined ? undefined : toUrl("--url", url),
    feedsUrl: feedsUrl === undefined ? undefined : toFolderUrl("--feeds-url", feedsUrl),
    fromLists: given.fromLists ?? false,
    gone: given.gone ?? false,
    now: now === undefined ? undefined : toSeconds("--now", now),
    json,
    quiet,
  };
}

/** @throws {UsageError} */
export function toServe(given: GivenServe): ServeArguments {
  const { role, host, publicUrl, open = false, trustProxy = false, hub } = given;
  return {
    command: "serve",
    ...toCommon(given),
    role,
    host,
    port: given.port === undefined ? undefined : toCount("--port", given.port, 0, 65_535),
    publicUrl: publicUrl === undefined ? undefined : toUrl("--public-url", publicUrl),
    token: given.token ?? process.env.RS_HARVEST_TOKEN,
    open,
    trustProxy,
    hub: hub === undefined ? undefined : toUrl("--hub", hub),
    concurrency: toCount("--concurrency", given.concurrency, 1, 1000),
  };
}
