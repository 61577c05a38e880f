import { DocumentError } from "@rs-emit/documents";
import { PackedPageFiles, stageDumps } from "./dump/index.ts";
import type { Environment } from "./model/environment.ts";
import { unwritableDocumentError } from "./model/errors.ts";
import { DISK } from "./model/file-system.ts";
import { ABOUT, SOURCE_DESCRIPTION } from "./model/layout.ts";
import type { Plan } from "./model/plan.ts";
import { hasPageIn, type Inventory } from "./model/resources.ts";
import { siteTitle } from "./model/site-title.ts";
import type { Settings } from "./options/settings.ts";
import { validQuotesIn } from "./page/texts/valid-quotes.ts";
import type { LostPackages, PublishedFiles } from "./report/result.ts";
import { engineFiles } from "./sitemap/index.ts";
import { composeSourceDescription } from "./write/capabilities.ts";
import { type ComposeContext, composeCollection, describedOf } from "./write/compose.ts";
import { composeHeadersFile, headerFactsOf } from "./write/headers-file.ts";
import { keepNotified, textToInterval, toldBefore } from "./write/notified.ts";
import { Staging } from "./write/staging.ts";

/**
 * Writes all documents, or none.
 * @param inventory absent where the output folder lacks the pages; then no dumps are made
 */
export async function publishPlan(
  settings: Settings,
  { builder, limits = {}, dumpLimits, fileSystem = DISK, onProgress }: Environment,
  plan: Plan,
  inventory?: Inventory,
): Promise<PublishedFiles> {
  const { folder, site, whole, period, feed, hub, sitemap, dump } = settings;
  const listed = plan.collections.map(({ collection: { url }, since }) => ({ url, since }));
  const snapshot = plan.collections.flatMap(({ derived }) => derived.snapshot);
  const told = toldBefore(plan);
  const context: ComposeContext = {
    site,
    listed,
    period,
    limits,
    feed,
    hub: hub?.url,
    told: (collection) => textToInterval(told.hub[collection]),
    present: plan.present,
    validQuotes: validQuotesIn(snapshot),
    hasPage: hasPageIn(snapshot),
    stated: inventory?.stated ?? new Map(),
    sitemap,
    last: plan.published,
  };
  const staging = new Staging(folder, fileSystem, {
    ...settings,
    isBuilt: builder !== undefined,
  });
  try {
    for (const page of plan.pages) if (!page.isLink) staging.addPage(page);
    const files = inventory && new PackedPageFiles(folder, inventory, plan.pages);
    const tools = files && {
      folder,
      site,
      last: plan.published,
      files,
      staging,
      limits: dumpLimits,
    };
    const lostPackages: LostPackages[] = [];
    for (const [done, work] of plan.collections.entries()) {
      onProgress?.({ step: "publish", done, total: plan.collections.length });
      const dumps = dump && tools ? await stageDumps(work, dump, tools) : undefined;
      if (dumps !== undefined) lostPackages.push({ url: work.collection.url, names: dumps.lost });
      const documents = composeCollection(work, context, dumps?.capabilities);
      for await (const document of documents) staging.add(document);
    }
    const described = plan.collections.map((work) => describedOf(work, context));
    const root = described.find(({ url }) => url === site);
    const describedby = whole.describedby ?? root?.describedby;
    if (describedby === undefined) {
      const { title } = siteTitle(whole, []);
      const { composeAbout } = await import("./write/about.ts");
      staging.add({ path: ABOUT, bytes: Buffer.from(composeAbout({ ...whole, title })) });
    }
    const description = composeSourceDescription(
      describedby ?? site + ABOUT,
      described,
      settings.alsoLists,
      plan.others,
    );
    staging.add({ path: SOURCE_DESCRIPTION, bytes: Buffer.from(description) });
    const facts = settings.headers ? plan.collections.map(headerFactsOf) : [];
    const headers = composeHeadersFile(folder, site, facts, hub?.url);
    if (headers !== undefined) staging.add(headers);
    const engines = inventory && (await engineFiles(settings, plan, inventory, limits));
    for (const document of engines?.documents ?? []) staging.add(document);
    if (!settings.dryRun) {
      const ofEngines = settings.indexNow === undefined ? {} : told.indexNow;
      keepNotified(folder, { hub: hub ? told.hub : {}, indexNow: ofEngines }, fileSystem);
    }
    return { documents: await staging.commit(), lostPackages, sitemap: engines?.sitemap };
  } catch (error) {
    staging.discard();
    throw error instanceof DocumentError ? unwritableDocumentError(error) : error;
  }
}
