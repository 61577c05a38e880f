import { type Handler, Parser } from "htmlparser2";

/** Elements within each other. The parser compares an end tag with each that is open, so the time is their product. */
const DEEPEST = 1000;

/** What is heard of a page. */
export type PageHandler = Pick<Partial<Handler>, "onopentag" | "onclosetag" | "ontext">;

/** Reads a page; of one that nests more elements than any that people write, what comes before. */
export function readHtml(html: string, { onopentag, onclosetag, ontext }: PageHandler): void {
  let depth = 0;
  const parser = new Parser({
    onopentag(...element) {
      depth += 1;
      onopentag?.(...element);
      if (depth > DEEPEST) parser.pause();
    },
    onclosetag(...element) {
      depth -= 1;
      onclosetag?.(...element);
    },
    ontext(text) {
      ontext?.(text);
    },
  });
  parser.end(html);
}
