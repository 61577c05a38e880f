import { type Handler, Parser } from "htmlparser2";

/** Elements within each other. The parser compares an end tag with each that is open, so the time is their product. */
const DEEPEST = 1000;

/** What is heard of a page. */
export interface HtmlHandler extends Pick<Partial<Handler>, "onopentag" | "onclosetag" | "ontext"> {
  /** Whether the rest is not read after a tag. */
  isEnough?(name: string, isEnd: boolean): boolean;
}

/** Reads a page; of one that nests more elements than any that people write, what comes before. */
export function readHtml(html: string, page: HtmlHandler): void {
  const { onopentag, onclosetag, ontext } = page;
  let depth = 0;
  const parser = new Parser({
    onopentag(...element) {
      depth += 1;
      onopentag?.(...element);
      if (depth > DEEPEST || page.isEnough?.(element[0], false)) parser.pause();
    },
    onclosetag(...element) {
      depth -= 1;
      onclosetag?.(...element);
      if (page.isEnough?.(element[0], true)) parser.pause();
    },
    ontext(text) {
      ontext?.(text);
    },
  });
  parser.end(html);
}
