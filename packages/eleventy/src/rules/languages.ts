import type { Facts } from "@rs-emit/core/adapter";
import type { EleventySettings } from "../eleventy.ts";
import type { Notation } from "./permalink.ts";

/**
 * How a template reads its permalink.
 *
 * @param key the language that its name stands for, in Eleventy's words
 */
export function notationOf(
  key: string | undefined,
  { dynamicPermalink, templateEngineOverride }: Facts,
  settings: EleventySettings,
): Notation {
  if (!settings.dynamicPermalinks || dynamicPermalink === false) return "literal";
  const language =
    templateEngineOverride === undefined
      ? languageOf(key, settings)
      : overriding(String(templateEngineOverride || ""));
  if (language === false || language === "html" || language === "11ty.js") return "literal";
  return language === "liquid" || language === "njk" ? "plain" : "foreign";
}

/** Markdown and HTML are read as another language first; some names are another's alias. */
function languageOf(
  name: string | undefined,
  { extensionMap, htmlTemplateEngine, markdownTemplateEngine }: EleventySettings,
): string | false | undefined {
  const key = [...extensionMap].find(({ extension }) => extension === name)?.key ?? name;
  if (key === "md") return markdownTemplateEngine;
  return key === "html" ? htmlTemplateEngine : key;
}

function overriding(names: string): string {
  const others = names.split(",").map((name) => name.trim().toLowerCase());
  return others.find((name) => !["", "html", "md"].includes(name)) ?? "html";
}

/** The extension of the files that templates are written to. */
export function outputExtension(path: string, { extensionMap }: EleventySettings): string {
  for (const { extension, outputFileExtension = "html" } of extensionMap) {
    if (path.endsWith(`.${extension}`)) return outputFileExtension;
  }
  return "html";
}
