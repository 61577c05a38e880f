import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const TEMPLATES = resolve(import.meta.dirname, "../.github/ISSUE_TEMPLATE");
const FORMS = globSync("*.yml", { cwd: TEMPLATES }).filter((file) => file !== "config.yml");

/** A form for issues, as far as GitHub requires: https://docs.github.com/communities (syntax for issue forms). */
interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly {
    readonly type: string;
    readonly id?: string;
    readonly attributes: {
      readonly label?: string;
      readonly value?: string;
      readonly options?: readonly string[];
    };
  }[];
}

test.each(FORMS.map((file) => [basename(file, ".yml"), file]))("%s is a form", (_, file) => {
  const { name, description, body }: Form = parse(readFileSync(join(TEMPLATES, file), "utf8"));
  expect(name.length).toBeGreaterThan(3);
  expect(description.length).toBeGreaterThan(10);
  const fields = body.filter(({ type }) => type !== "markdown");
  expect(fields.length).toBeGreaterThan(1);
  for (const { type, attributes } of body) {
    expect(["markdown", "input", "textarea", "dropdown"]).toContain(type);
    expect(attributes[type === "markdown" ? "value" : "label"]).toEqual(expect.any(String));
    if (type === "dropdown") expect(attributes.options?.length).toBeGreaterThan(1);
  }
  for (const { id } of fields) expect(id).toMatch(/^[a-z-]+$/);
  expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
});

test("whoever reports a fault is told of the private way", () => {
  expect(FORMS).toEqual(expect.arrayContaining(["fault.yml", "idea.yml"]));
  const form = readFileSync(join(TEMPLATES, "fault.yml"), "utf8");
  const policy = readFileSync(join(TEMPLATES, "../../SECURITY.md"), "utf8");
  for (const text of [form, policy]) expect(text).toContain("**Report a vulnerability**");
});
