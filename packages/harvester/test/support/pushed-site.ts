import { formatDatetime } from "@rs-emit/documents";
import { openPoster, type Poster } from "@rs-emit/reader/http/transport";
import { surface } from "../../../../conformance/surface.ts";
import {
  capabilityList,
  changed,
  changeList,
  documentText,
  sourceDescription,
  type TestEntry,
} from "../../../reader/test/support/documents.ts";
import type { Site } from "../../../reader/test/support/site-server.ts";
import { lookupTest } from "../../../reader/test/support/transport.ts";
import { type Listening, listen } from "../../src/serve/web/app.ts";
import { type TakeDelivery, websubRoutes } from "../../src/serve/websub/callback.ts";
import { type Delivered, takeDelivery } from "../../src/serve/websub/incoming-delivery.ts";
import { type Asking, Subscriber } from "../../src/serve/websub/subscriber.ts";
import { reconcile } from "../../src/serve/websub/subscription-table.ts";
import { FollowedSites } from "./followed-site.ts";
import { TestHub } from "./hub.ts";
import { TestService } from "./web.ts";

/** What a site publishes besides its log. */
export interface Publication {
  /** Each as `created a`, with the second since the test began at which it happened: `created a 10`. */
  readonly changes?: readonly string[];
  /** `null` where nothing is pushed. */
  readonly topic?: string | null;
}

/** A harvester that hubs can reach, a hub, and a site that pushes its changes. */
export class PushedSite implements AsyncDisposable {
  readonly sites: FollowedSites;
  readonly hub: TestHub;
  readonly poster: Poster;
  readonly deliveries: Delivered[];
  readonly #service: Listening;
  #start = 0;

  private constructor(
    sites: FollowedSites,
    hub: TestHub,
    service: Listening,
    deliveries: Delivered[],
  ) {
    this.sites = sites;
    this.hub = hub;
    this.#service = service;
    this.deliveries = deliveries;
    const { now } = sites.harvester;
    this.poster = openPoster({ allowPrivate: true, lookup: lookupTest, now });
  }

  static async start(): Promise<PushedSite> {
    surface("service");
    const sites = await FollowedSites.start();
    const hub = await TestHub.start(sites.harvester.now);
    const deliveries: Delivered[] = [];
    const deliver: TakeDelivery = async (...given) => {
      const delivered = await takeDelivery(sites.harvester, ...given);
      deliveries.push(delivered);
      return delivered;
    };
    const { database: writing, now } = sites.harvester;
    const websub = websubRoutes({ writing, deliver, now });
    const { app } = new TestService(sites.harvester, {}, websub);
    return new PushedSite(
      sites,
      hub,
      await listen(app, { host: "127.0.0.1", port: 0 }),
      deliveries,
    );
  }

  async reset(): Promise<void> {
    await this.sites.reset();
    await this.sites.harvester.database.deleteFrom("subscription").execute();
    this.hub.reset();
    this.deliveries.length = 0;
    this.#start = this.sites.harvester.time;
  }

  get site(): Site {
    return this.sites.site("a.test");
  }

  get topic(): string {
    return this.site.urlOf("changes/");
  }

  get asking(): Asking {
    const { database, now, random } = this.sites.harvester;
    const report = (problem: unknown) => {
      throw problem;
    };
    const callbackUrl = (token: string) => `${this.#service.url}websub/${token}`;
    return { database, poster: this.poster, callbackUrl, now, random, report };
  }

  publish({ changes = [], topic = this.topic }: Publication = {}): void {
    const channel: TestEntry[] =
      topic === null
        ? []
        : [
            {
              loc: topic,
              md: { capability: "change-notification" },
              links: [["hub", this.hub.url]],
            },
          ];
    const list: TestEntry = { loc: "changelist.xml", md: { capability: "changelist" } };
    const capabilities = documentText(
      "urlset",
      { capability: "capabilitylist" },
      [["describes", "./"]],
      [list, ...channel],
    );
    this.sites.publish(this.site, {
      ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
      "capabilitylist.xml":
        channel.length === 0 ? capabilityList({ changelist: "changelist.xml" }) : capabilities,
      "changelist.xml": changeList(
        changes.map((change) => this.#entry(change)),
        { from: this.at(-1000) },
      ),
    });
  }

  /** Follows the site and checks it: its channel is known then. */
  async follow(publication?: Publication): Promise<number> {
    this.publish(publication);
    const source = await this.sites.follow(this.site.url);
    await this.sites.check(source);
    return source;
  }

  /** Does what is to be done about subscriptions now, to its end. */
  async tend(): Promise<void> {
    await reconcile(this.asking.database, this.asking.now());
    const subscriber = new Subscriber(this.asking);
    await subscriber.ask();
    await subscriber.idle();
    await this.hub.settled();
  }

  /** A Change Notification of the seconds from one to another since the test began. */
  notification(from: number, until: number, changes: readonly string[]): string {
    const md = { capability: "change-notification", from: this.at(from), until: this.at(until) };
    const up = [["up", this.site.urlOf("capabilitylist.xml")]] as const;
    return documentText(
      "urlset",
      md,
      up,
      changes.map((change) => this.#entry(change)),
    );
  }

  /** Has the hub deliver a notification to whoever has subscribed; gives the statuses of the answers. */
  async push(from: number, until: number, changes: readonly string[]): Promise<number[]> {
    return this.hub.deliver(this.topic, this.notification(from, until, changes));
  }

  /** A second since the test began, as documents write it. */
  at(second: number): string {
    return formatDatetime(this.#start + second);
  }

  /** The clock, in seconds since the test began. */
  set time(second: number) {
    this.sites.harvester.time = this.#start + second;
  }

  subscription() {
    const { database } = this.sites.harvester;
    return database.selectFrom("subscription").selectAll().executeTakeFirst();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hub[Symbol.asyncDispose]();
    await this.poster.close();
    await this.#service.close();
    await this.sites[Symbol.asyncDispose]();
  }

  #entry(change: string): TestEntry {
    const [kind, page = "", second] = change.split(" ");
    return changed(`${kind} ${this.site.urlOf(page)} ${this.at(Number(second))}`);
  }
}
