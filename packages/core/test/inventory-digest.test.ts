import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestReader } from "../src/inventory/file-digest.ts";
import { folderOf } from "./inventory-folder.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("one read of a file", () => {
  test.each([0, 1, 999, 1000, 1001, 5000])("gives hash, length and head of %i bytes", (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => index % 251);
    const folder = folderOf({ file: bytes });
    const digest = digestReader(1000)(join(folder, "file"), "file");
    expect(digest.hash).toBe(sha256(bytes));
    expect(digest.length).toBe(length);
    expect([...digest.head]).toEqual([...bytes.subarray(0, 1000)]);
  });

  test("uses one buffer for all files", () => {
    const folder = folderOf({ a: "a long text", b: "short" });
    const read = digestReader();
    const first = read(join(folder, "a"), "a");
    const second = read(join(folder, "b"), "b");
    expect(second.hash).toBe(sha256(Buffer.from("short")));
    expect(first.head.buffer).toBe(second.head.buffer);
  });

  test("of a huge file takes no more memory than of a small one", () => {
    const folder = folderOf({ huge: Buffer.alloc(64 * 1024 * 1024, "x") });
    const before = process.memoryUsage().arrayBuffers;
    const { length, head } = digestReader()(join(folder, "huge"), "huge");
    expect(length).toBe(64 * 1024 * 1024);
    expect(head.length).toBe(8 * 1024 * 1024);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });

  test.each([
    ["is not there", "missing.html", "ENOENT"],
    ["is a folder", "folder.html", "EISDIR"],
  ])("of a file that %s names the file and the cure", (_, name, reason) => {
    const folder = folderOf({ "folder.html/a": "" });
    const read = () => digestReader()(join(folder, name), name);
    expect(read).toThrow(expect.objectContaining({ code: "UNREADABLE_FILE" }));
    expect(read).toThrow(`${name} cannot be read (${reason}). Make it readable, or leave it out`);
  });
});
