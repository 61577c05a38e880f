import { expect, test } from "vitest";
import { compareDigests } from "../src/read/digest.ts";

test.each([
  ["sha-256:1", "sha-256:1", "agree"],
  ["SHA-256:AB", "sha256:ab", "agree"],
  ["sha-256:1", "sha-256:2", "contradict"],
  ["md5:1 sha-256:1", "sha-256:1", "agree"],
  ["md5:1 sha-256:1", "md5:1 sha-256:2", "contradict"],
  ["md5:1 sha-256:1", "sha-256:1 md5:2", "contradict"],
  ["md5:1", "sha-256:1", undefined],
  ["", "sha-256:1", undefined],
  [undefined, undefined, undefined],
])("%s and %s: %s", (one, other, expected) => {
  expect(compareDigests(one, other)).toBe(expected);
  expect(compareDigests(other, one)).toBe(expected);
});
