import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { checked, DESCRIPTION, published, rulesBroken, xmlOf } from "./check.site.ts";
import { all, at, link, own, unlink, WELL_FORMED } from "./rules.site.ts";

const CHANNEL = at("channel");

test("a publication that keeps every rule has nothing wrong", async () => {
  const { findings, documents } = await checked(published());
  expect(findings).toEqual([]);
  expect(documents).toBe(8);
});

describe("a notification at its topic's URL", () => {
  test("is part of the publication, and is judged", async () => {
    const { findings } = await checked(published({ [CHANNEL]: own({ until: undefined }) }));
    expect(findings).toMatchObject([{ rule: "notification-interval", document: CHANNEL }]);
    const other = published({ [CHANNEL]: own({ capability: "changelist" }) });
    expect(await rulesBroken(other)).toEqual(["target-kind"]);
  });

  test("need not be there before anything was sent", async () => {
    const files = published();
    files.delete(CHANNEL);
    expect(await rulesBroken(files)).toEqual([]);
    files.set(CHANNEL, "");
    expect(await rulesBroken(files)).toEqual([]);
  });
});

describe("a Source Description that is none", () => {
  test.each([
    ["of another capability", own({ capability: "resourcelist" })],
    ["of a capability that is misspelt", own({ capability: "descripton" })],
    ["of no capability", own({ capability: undefined })],
  ])("%s is an error; the rest is judged, and nothing is called a left-over", async (_, edit) => {
    const otherwise = [at("capabilitylist.xml")];
    const files = published({ [DESCRIPTION]: edit, [CHANNEL]: own({ until: undefined }) });
    const { findings, documents } = await checked(files, { otherwise });
    const rules = findings.map(({ rule }) => rule);
    expect(findings).toContainEqual(
      expect.objectContaining({ rule: "description", level: "error", document: DESCRIPTION }),
    );
    expect(rules).toContain("notification-interval");
    expect(rules).not.toContain("orphan");
    expect(documents).toBe(8);
  });

  test("since it cannot be read: the rest is judged too", async () => {
    const files = published().set(DESCRIPTION, "<urlset>");
    const { findings, documents } = await checked(files, { otherwise: [at("capabilitylist.xml")] });
    expect(findings.map(({ rule }) => rule)).toEqual(["unreadable"]);
    expect(documents).toBe(7);
  });

  test("nothing is a left-over either where a list in between is none", async () => {
    const wrong = own({ capability: "wishlist" });
    const rules = await rulesBroken(published({ [at("changelist.xml")]: wrong }));
    expect(rules).toContain("target-kind");
    expect(rules).not.toContain("orphan");
  });
});

describe("what is legal", () => {
  test("an index of Source Descriptions at the well-known address, whose parts do not name it", async () => {
    const part = at("sources-1.xml");
    const up = all(unlink("up"), link({ rel: "up", href: part }));
    const files = published({ [at("capabilitylist.xml")]: up });
    files.set(part, files.get(DESCRIPTION) ?? "");
    const { document } = WELL_FORMED["source-description-index"];
    files.set(DESCRIPTION, xmlOf(document));
    expect(await rulesBroken(files)).toEqual(["index-link"]);
  });

  test("documents that are packed with gzip", async () => {
    const files = published();
    for (const [url, content] of files) {
      if (!url.endsWith("about.xml")) files.set(url, gzipSync(content));
    }
    const { findings, documents } = await checked(files);
    expect([findings, documents]).toEqual([[], 8]);
  });

  test("but not gzip that is cut off, or that unpacks without end", async () => {
    for (const bytes of [
      gzipSync("<urlset/>").subarray(0, 20),
      gzipSync(Buffer.alloc(110_000_000)),
    ]) {
      const files = published().set(at("changelist-1.xml"), bytes);
      expect(await rulesBroken(files)).toEqual(["unreadable"]);
    }
  });
});
