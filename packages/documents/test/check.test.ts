import { describe, expect, test } from "vitest";
import { checked, published, rulesBroken } from "./check.site.ts";
import { at, own } from "./rules.site.ts";

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
