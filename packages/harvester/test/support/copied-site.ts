import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { RobotsMemory, respectRobots } from "@rs-emit/reader";
import type { NetworkTransport } from "@rs-emit/reader/http/transport";
import {
  type Attributes,
  capabilityList,
  changeList,
  documentText,
  type Links,
  sourceDescription,
  type TestEntry,
} from "../../../reader/test/support/documents.ts";
import { type Site, SiteServer } from "../../../reader/test/support/site-server.ts";
import { openTestTransport } from "../../../reader/test/support/transport.ts";
import type { SyncRequest } from "../../src/sync/run.ts";
import { sync } from "../../src/sync/sync.ts";

/** What an entry of a list states of its resource. */
export type Stated = (bytes: Uint8Array) => Attributes;

/** The digest that rs-emit states. */
export const STATED: Stated = (bytes) => ({
  hash: `sha-256:${createHash("sha256").update(bytes).digest("hex")}`,
  length: String(bytes.length),
});

/** A site on a server of this machine, with a copy in a folder. */
export class CopiedSite implements AsyncDisposable {
  readonly site: Site;
  readonly folder = join(mkdtempSync(join(tmpdir(), "rs-harvest-sync-")), "copy");
  /** The server's clock, and the harvester's. UTC seconds. */
  now = Date.UTC(2026, 9, 1) / 1000;
  /** What entries state of their resources. */
  listed: Stated = STATED;
  obeysRobots = false;
  /** What entries link. */
  linked: (path: string) => Links = () => [];
  readonly pages = new Map<string, string | Uint8Array>();
  readonly #server: SiteServer;
  readonly #documents: NetworkTransport;
  readonly #files: NetworkTransport;
  readonly #changes: TestEntry[] = [];

  private constructor(server: SiteServer) {
    this.#server = server;
    this.site = server.site("garden.test");
    this.#documents = openTestTransport();
    this.#files = openTestTransport({ parallel: 4, wanted: "files" });
    this.site.answer(
      "/.well-known/resourcesync",
      sourceDescription([{ loc: "/capabilitylist.xml", links: [["describes", "/"]] }]),
    );
    this.capabilities({ resourcelist: "resourcelist.xml", changelist: "changelist.xml" });
  }

  static async start(): Promise<CopiedSite> {
    return new CopiedSite(await SiteServer.start());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#documents.close();
    await this.#files.close();
    await this.#server[Symbol.asyncDispose]();
    rmSync(dirname(this.folder), { recursive: true, force: true });
  }

  /** What the Capability List names. */
  capabilities(lists: Readonly<Record<string, string>>): void {
    this.site.answer("/capabilitylist.xml", capabilityList(lists, [["describes", "/"]]));
  }

  /** Another host on the same server. */
  otherSite(host: string): Site {
    return this.#server.site(host);
  }

  /** Serves all that is published so far at another name too: commands resolve names by the system. */
  serveAt(host: string): void {
    const other = this.#server.site(host);
    for (const path of [...DOCUMENTS, ...this.pages.keys()]) {
      other.answer(path, (request) => this.site.reply(request));
    }
  }

  /** The site's URL by another name. */
  addressAt(host: string): string {
    return this.site.url.replace(this.site.host, host);
  }

  /** Changes pages, an hour later: `undefined` deletes one. Lists say so when they are published. */
  edit(pages: Readonly<Record<string, string | Uint8Array | undefined>>): this {
    this.now += 3600;
    for (const [path, body] of Object.entries(pages)) {
      const change = body === undefined ? "deleted" : this.pages.has(path) ? "updated" : "created";
      this.#changes.push(this.entry(path, body, { change, datetime: this.time }));
      if (body === undefined) {
        this.pages.delete(path);
        this.site.answer(path, { status: 404 });
      } else {
        this.pages.set(path, body);
        this.site.answer(path, body);
      }
    }
    return this;
  }

  /** A day later a run reads everything again. */
  passDay(): this {
    this.now += 86_400;
    return this;
  }

  /** Publishes both lists as they should be, or one of them. */
  publish(lists: "both" | "resource-list" | "change-list" = "both"): this {
    if (lists !== "change-list") this.publishResourceList([...this.pages.keys()]);
    if (lists !== "resource-list") {
      this.site.answer("/changelist.xml", changeList(this.#changes, { from: FROM }));
    }
    return this;
  }

  /** Publishes a Resource List of some paths or URLs. */
  publishResourceList(paths: readonly string[]): void {
    const entries = paths.map((path) => this.entry(path, this.pages.get(path)));
    const md = { capability: "resourcelist", at: this.time };
    this.site.answer("/resourcelist.xml", documentText("urlset", md, [], entries));
  }

  /** Publishes a Change List that says nothing before now. */
  forgetChanges(): void {
    this.#changes.length = 0;
    this.site.answer("/changelist.xml", changeList([], { from: this.time }));
  }

  entry(path: string, body: string | Uint8Array | undefined, md: Attributes = {}): TestEntry {
    const listed = body === undefined ? {} : this.listed(Buffer.from(body));
    return { loc: path, md: { ...md, ...listed }, links: this.linked(path) };
  }

  get time(): string {
    return new Date(this.now * 1000).toISOString();
  }

  /** Syncs, and gives what came of it. */
  async sync(options: Partial<SyncRequest> = {}) {
    const request = {
      ...{ address: this.site.url, folder: this.folder, delete: true, dump: true },
      ...{ collection: [], include: [], exclude: [], ...options },
    };
    const reported: string[] = [];
    const robots = new RobotsMemory(() => this.now);
    const polite = (transport: NetworkTransport) =>
      this.obeysRobots ? respectRobots(transport, { memory: robots }) : transport;
    const report = await sync(request, {
      documents: polite(this.#documents),
      files: polite(this.#files),
      robots,
      now: () => this.now,
      progress: { start() {}, advance() {} },
      onChange: (action, url) => reported.push(`${action} ${url.slice(this.site.url.length)}`),
    });
    return { ...report, reported: reported.sort() };
  }

  /** The copy: what each file holds, by its path. */
  copy(): Record<string, string> {
    if (!existsSync(this.folder)) return {};
    const entries = readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.folder.length + 1))
      .filter((path) => !path.startsWith(".rs-harvest/"))
      .sort();
    return Object.fromEntries(entries.map((path) => [path, this.read(path)]));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** What a person does in the copy. */
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }
}

const DOCUMENTS = [
  "/.well-known/resourcesync",
  "/capabilitylist.xml",
  "/resourcelist.xml",
  "/changelist.xml",
];

/** Since when the log of a site tells of changes. */
const FROM = "2026-09-01T00:00:00Z";
