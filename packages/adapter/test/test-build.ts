import { existsSync } from "node:fs";
import { join } from "node:path";
import { UNFLUSHED } from "../../core/test/support/disk.ts";
import { seconds, type TestSite, temporaryFolder } from "../../core/test/support/site.ts";
import { adapterOptions, type Builder, parseAdapterOptions, publishBuild } from "../src/index.ts";
import type { Build } from "../src/publish.ts";

/** When builds are published, unless a test says otherwise. */
export const AT = "2026-10-05T18:30:00Z";

/** A build of a site that says what a builder would. */
export class TestBuild {
  readonly said: string[] = [];
  readonly backup = join(temporaryFolder(), "aside");
  readonly site: TestSite;
  readonly builder: Builder;

  constructor(site: TestSite) {
    this.site = site;
    this.builder = { project: site.folder, sourceFiles: (file) => [join(site.folder, file)] };
  }

  publish(options: object = {}, build: Partial<Build> = {}) {
    this.said.length = 0;
    return publishBuild({
      options: parseAdapterOptions(adapterOptions, {
        previous: "output",
        testAddress: true,
        ...options,
      }),
      folder: this.site.folder,
      url: this.site.url,
      builder: this.builder,
      logger: {
        info: (line) => void this.said.push(line),
        warn: (line) => void this.said.push(`! ${line}`),
      },
      variables: {},
      backup: this.backup,
      ...build,
      environment: {
        clock: () => seconds(AT),
        cacheFolder: temporaryFolder(),
        fileSystem: UNFLUSHED,
        ...build.environment,
      },
    });
  }

  get hasDocuments(): boolean {
    return existsSync(join(this.site.folder, "resourcelist.xml"));
  }
}
