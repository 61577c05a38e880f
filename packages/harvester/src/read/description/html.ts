import { Parser } from "htmlparser2";
import type { Description } from "../../model.ts";
import { descriptionOf } from "./draft.ts";

/** From `title`, `meta` and `lang` (HTML, section 4.2). */
export function describeHtml(html: string): Description | undefined {
  const metas = new Map<string, string[]>();
  let title: string | undefined;
  let language: string | undefined;
  let drawings = 0;
  let isInTitle = false;
  const parser = new Parser({
    onopentag(tag, { name = "", property = "", content, lang }) {
      // An SVG has titles of its own.
      if (tag === "svg") drawings += 1;
      if (tag === "html") language ??= lang;
      if (tag === "title" && drawings === 0 && title === undefined) {
        isInTitle = true;
        title = "";
      }
      if (tag !== "meta" || content === undefined) return;
      const key = (name || property).toLowerCase();
      const contents = metas.get(key);
      if (contents === undefined) metas.set(key, [content]);
      else contents.push(content);
    },
    ontext(text) {
      if (isInTitle) title += text;
    },
    onclosetag(tag) {
      if (tag === "svg") drawings -= 1;
      if (tag === "title") isInTitle = false;
    },
  });
  parser.end(html);
  const all = (...names: readonly string[]) => names.flatMap((name) => metas.get(name) ?? []);
  return descriptionOf({
    titles: [title, ...all("og:site_name", "og:title")],
    authors: all("author"),
    summaries: all("description", "og:description"),
    languages: [language],
    rights: all("rights", "copyright"),
  });
}

export function htmlToText(html: string): string {
  let text = "";
  const parser = new Parser({
    ontext(part) {
      text += part;
    },
  });
  parser.end(html);
  return text;
}
