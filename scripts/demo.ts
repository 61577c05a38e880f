/**
 * The example sites as their authors live with them: a history in git, the first publication, and edits
 * with a publication after each, and the feeds that followers get. What is shown comes from the commands and
 * the builders themselves.
 *
 * Usage: node scripts/demo.ts [handmade] [eleventy] [astro]
 */
import { join, relative } from "node:path";
import { styleText } from "node:util";
import { EXAMPLES, type Example } from "./demo/examples.ts";
import { harvest } from "./demo/harvest.ts";
import { readHistory, Site } from "./demo/history.ts";

const ROOT = join(import.meta.dirname, "..");

const asked = process.argv.slice(2);
for (const name of asked.length === 0 ? Object.keys(EXAMPLES) : asked) {
  const example = EXAMPLES[name];
  if (example === undefined) throw new Error(`No example ${name}: ${Object.keys(EXAMPLES)}`);
  play(name, example);
}

function play(name: string, example: Example): void {
  const source = join(ROOT, "examples", name);
  const history = readHistory(source);
  const site = new Site(join(ROOT, ".tmp/demo", name), source, history.author);
  for (const beginning of history.beginnings) site.commit(beginning);
  example.prepare(site);
  announce(`examples/${name}: the first publication`, example.about);
  (example.publishFirst ?? example.publish)(site);
  for (const edit of history.edits) {
    site.commit(edit);
    announce(day(edit.when), `“${edit.message}” ${edit.why}`);
    example.publish(site, edit.when);
  }
  announce("Once more, with nothing edited", "Every byte stays as it was.");
  example.publish(site);
  const output = join(site.folder, example.output);
  announce("What followers see", "Any harvester reads the log and keeps a feed of it. Ours:");
  const feeds = harvest(output, join(ROOT, ".tmp/demo/feeds", name), example);
  showWhereToLook(output, example, feeds);
}

function showWhereToLook(output: string, { documents }: Example, feeds: string): void {
  announce("Where to look", `In ${relative(process.cwd(), output)}, which stays there:`);
  for (const [file, about] of documents) {
    say(`  ${file.padEnd(36)}${styleText("dim", about)}`);
  }
  say(
    `\nAnd in ${relative(process.cwd(), feeds)} the feeds: one of each collection, one of the site.`,
  );
  say("To follow sites from a web page:  npx rs-harvest serve\n");
}

function announce(title: string, about: string): void {
  say(`\n\n${styleText("bold", `── ${title} ${"─".repeat(Math.max(0, 75 - title.length))}`)}`);
  say(`${about.replaceAll(/(.{1,78})(?: |$)/g, "$1\n")}`);
}

function day(datetime: string): string {
  return new Date(datetime).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
