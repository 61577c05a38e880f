import type { PublishedChange } from "@rs-emit/core";
import type { Look } from "@rs-emit/core/words";
import { COLOURS, cutTo, newsLine, printable, printableJson, whatOf } from "@rs-emit/core/words";
import { plainChange } from "../json.ts";

/** @param name the page's name in feeds */
export function changeToLine(change: PublishedChange, name: string, look: Look): string {
  const { datetime, minor, message } = change;
  const kind = whatOf(change);
  const date = new Date(datetime * 1000).toISOString().slice(0, 10);
  const words = message === undefined ? "" : `: ${message}`;
  const news = newsLine(change);
  const told = news === "" ? "" : ` – ${news}`;
  const room = look.width - `${date} ${kind} `.length;
  const text = cutTo(room, printable(`${name}${minor ? " (minor)" : ""}${words}${told}`));
  if (minor) return look.paint("dim", `${date} ${kind} ${text}`);
  return `${look.paint("dim", date)} ${look.paint(COLOURS[kind], kind)} ${text}`;
}

export function changeToJson(change: PublishedChange): string {
  return printableJson(plainChange(change), 0);
}
