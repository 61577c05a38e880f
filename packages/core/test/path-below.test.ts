import { posix, win32 } from "node:path";
import { expect, test } from "vitest";
import { isWithin, pathBelow } from "../src/model/file-system.ts";

test.each([
  [win32, "C:\\sites\\moss", "C:\\sites\\moss\\notes\\détail.html", "notes/détail.html"],
  [win32, "C:\\sites\\moss\\", "c:\\Sites\\Moss\\index.html", "index.html"],
  [win32, "C:/sites/moss", "C:\\sites\\moss\\a\\b.html", "a/b.html"],
  [win32, "\\\\server\\share", "\\\\server\\share\\a\\b.html", "a/b.html"],
  [win32, "C:\\sites\\moss", "C:\\sites\\other.html", "../other.html"],
  [posix, "/sites/moss", "/sites/moss/a\\b.html", "a\\b.html"],
  [posix, "/sites/moss", "/sites/moss", ""],
])("a path below a folder has slashes on every system", (system, folder, file, below) => {
  expect(pathBelow(folder, file, system)).toBe(below);
});

test.each([
  [win32, "C:\\", "C:\\moss", true],
  [win32, "C:\\moss", "C:\\moss\\a.html", true],
  [win32, "C:\\moss", "C:\\mosses", false],
  [posix, "/", "/moss", true],
])("%o: what stands in a folder", (system, folder, file, isIn) => {
  expect(isWithin(folder, file, system)).toBe(isIn);
});
