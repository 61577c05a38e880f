import {
  asInCode,
  mention,
  type Sentence,
  type Spell,
  sentence,
  similarName,
  spelled,
  type Text,
} from "./sentence.ts";

interface Fault {
  readonly problem: Text;
  readonly cure: Text;
  readonly outcome?: string;
  readonly option?: string | undefined;
  readonly cause?: unknown;
}

export const NOTHING_WRITTEN = "Nothing was written.";

/** A stable `code`, the problem and the cure, which name options as they are written in code. */
export abstract class EmitError extends Error {
  abstract readonly code: string;
  readonly #fault: Fault;

  constructor(fault: Fault) {
    super(messageOf(fault, asInCode), fault.cause === undefined ? {} : { cause: fault.cause });
    this.#fault = fault;
  }

  override get name(): string {
    return this.constructor.name;
  }

  /** What happened, to which page or file. */
  get problem(): string {
    return spelled(this.#fault.problem, asInCode);
  }

  /** What to do now; empty where nothing helps. */
  get cure(): string {
    return spelled(this.#fault.cure, asInCode);
  }

  /** The option that causes or cures the problem. */
  get option(): string | undefined {
    return this.#fault.option;
  }

  /** The same texts, with options as a front end spells them. */
  worded(spell: Spell): { problem: string; cure: string; outcome: string; message: string } {
    return {
      problem: spelled(this.#fault.problem, spell),
      cure: spelled(this.#fault.cure, spell),
      outcome: this.#fault.outcome ?? "",
      message: messageOf(this.#fault, spell),
    };
  }
}

function messageOf({ problem, cure, outcome = "" }: Fault, spell: Spell): string {
  const texts = [spelled(problem, spell), spelled(cure, spell), outcome];
  return texts.filter((text) => text !== "").join(" ");
}

export class OptionError extends EmitError {
  readonly code = "OPTION";
  /** @param given `undefined` when it is missing */
  constructor(option: string, given: unknown, allowed: string | Sentence) {
    const state = given === undefined ? "is not given" : `is ${shown(given)}`;
    super({
      problem: sentence`The option ${mention(option)} ${state}.`,
      cure: sentence`It must be ${allowed}.`,
      option,
    });
  }
}

/** Functions and regular expressions have no JSON form. */
function shown(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) =>
    typeof value === "function" || value instanceof RegExp ? String(value) : value,
  );
}

export class UnknownOptionError extends EmitError {
  readonly code = "OPTION";
  constructor(option: string, known: readonly string[]) {
    const meant = similarName(option.replace(/.*\./, ""), known);
    const suggestion = meant === undefined ? "" : `Did you mean ${meant}? `;
    super({
      problem: `The option "${option}" is not known.`,
      cure: `${suggestion}There are: ${known.join(", ")}.`,
      option,
    });
  }
}

type UrlFault = "missing" | "scheme" | "protocol" | "malformed";

const EXAMPLE = "https://example.neocities.org/";

export class UrlError extends EmitError {
  readonly code: `URL_${Uppercase<UrlFault>}`;
  constructor(option: string, given: string, fault: UrlFault) {
    super({ ...URL_FAULTS[fault](given.trim(), option), option });
    this.code = `URL_${upper(fault)}`;
  }
}

const URL_FAULTS: Record<UrlFault, (given: string, option: string) => Fault> = {
  missing: (_, option) => ({
    problem: "The site's address is missing: change logs hold full URLs.",
    cure: sentence`Give it in full, as in the option ${mention(option, EXAMPLE)}`,
  }),
  scheme: (given) => ({
    problem: `"${given}" has no scheme.`,
    cure: `Write it in full: https://${given}`,
  }),
  protocol: (given) => ({
    problem: `"${given}" is not an address on the web.`,
    cure: "It must begin with https:// or http://",
  }),
  malformed: (given) => ({
    problem: `"${given}" is not a URL.`,
    cure: `Write it like ${EXAMPLE}`,
  }),
};

function upper<Text extends string>(text: Text): Uppercase<Text>;
function upper(text: string): string {
  return text.toUpperCase();
}

export class LockedError extends EmitError {
  readonly code = "LOCKED";
  constructor(folder: string, lock: string, holder: string) {
    super({
      problem: `Another run of rs-emit publishes into ${folder} (${holder}).`,
      cure: `Wait until it has ended and run again; if none is running, remove ${lock}.`,
    });
  }
}

/** A page changed after it was read, and before it was written into or put into a package. */
export class PageChangedError extends EmitError {
  readonly code = "PAGE_CHANGED";
  constructor(file: string) {
    super({
      problem: `${file} was changed while it was published.`,
      cure: "Wait until the build has ended, and run again.",
      outcome: NOTHING_WRITTEN,
    });
  }
}

export class ForeignFileError extends EmitError {
  readonly code = "FOREIGN_FILE";
  readonly files: readonly string[];
  constructor(files: readonly string[], place: string) {
    const [them, theFiles] = files.length === 1 ? ["it", "the file"] : ["them", "the files"];
    super({
      problem: `rs-emit did not write ${files.join(", ")} (in ${place}), and would have to overwrite ${them}.`,
      cure: sentence`Move ${theFiles} away, or let rs-emit take over with the option ${mention("force")}: an existing log is then continued.`,
      outcome: NOTHING_WRITTEN,
      option: "force",
    });
    this.files = files;
  }
}

/** A folder has the name of a document. Not even `force` replaces it. */
export class FolderInTheWayError extends EmitError {
  readonly code = "FOLDER_IN_THE_WAY";
  constructor(folder: string) {
    super({
      problem: `${folder} is a folder, and rs-emit has to write a file of this name.`,
      cure: "Rename the folder, or move it away.",
      outcome: NOTHING_WRITTEN,
    });
  }
}

/** A file has the name of a folder of documents. Not even `force` replaces it. */
export class FileInTheWayError extends EmitError {
  readonly code = "FILE_IN_THE_WAY";
  constructor(file: string) {
    super({
      problem: `${file} is a file, and rs-emit has to make a folder of this name.`,
      cure: "Rename the file, or move it away.",
      outcome: NOTHING_WRITTEN,
    });
  }
}

/** The lines of rs-emit in `_headers` cannot be told from the author's. */
export class OwnLinesError extends EmitError {
  readonly code = "OWN_LINES";
  constructor(file: "_headers" | "robots.txt", begin: string, end: string) {
    super({
      problem: `In ${file}, where rs-emit's lines begin and end is not clear.`,
      cure: `Remove them, with the lines "${begin}" and "${end}": the next run writes them anew.`,
      outcome: NOTHING_WRITTEN,
      option: file === "_headers" ? "headers" : "robots",
    });
  }
}

/** Where other programs that write sitemaps are turned off. */
export const SITEMAP_PROGRAMS =
  "@astrojs/sitemap in astro.config, a sitemap plugin or template of Eleventy, disableKinds in Hugo, " +
  "jekyll-sitemap in Jekyll";

/** Not even `force` writes over it: another program writes it at each build. */
export class ForeignSitemapError extends EmitError {
  readonly code = "FOREIGN_SITEMAP";
  constructor(name: string) {
    super({
      problem: `${name} in the folder was not written by rs-emit.`,
      cure: sentence`If nobody needs it, remove it; if another program writes it, turn that off first (${SITEMAP_PROGRAMS}). Or give ours another name with the option ${mention("sitemap", "pages.xml")}.`,
      outcome: NOTHING_WRITTEN,
      option: "sitemap",
    });
  }
}

/** A value cannot be written in any document, and no earlier check refused it. */
export class UnwritableDocumentError extends EmitError {
  readonly code = "UNWRITABLE_DOCUMENT";
  constructor(cause: Error) {
    super({
      problem: `A document could not be written: ${cause.message}`,
      cure: [
        "If a page or an option brings this value in, change it.",
        sentence`A page can be left out with the option ${mention("exclude")}.`,
      ],
      outcome: NOTHING_WRITTEN,
      option: "exclude",
      cause,
    });
  }
}

type WriteFault = "DISK_FULL" | "READ_ONLY" | "WRITE_FAILED";

export class WriteError extends EmitError {
  readonly code: WriteFault;
  readonly path: string;
  /** @param begun whether some documents were replaced already */
  constructor(path: string, cause: Error, begun: boolean) {
    const code = faultOf(cause);
    super({
      ...WRITE_FAULTS[code](path, cause.message),
      outcome: begun
        ? "Some documents were replaced already: the next run repairs the rest."
        : "Nothing was changed.",
      cause,
    });
    this.code = code;
    this.path = path;
  }
}

const WRITE_FAULTS: Record<
  WriteFault,
  (path: string, reason: string) => { problem: string; cure: string }
> = {
  DISK_FULL: (path) => ({
    problem: `The disk is full: ${path} could not be written.`,
    cure: "Make room and run again.",
  }),
  READ_ONLY: (path) => ({
    problem: `${path} cannot be written: the folder or the file is read-only.`,
    cure: "Change its permissions, or build into another folder.",
  }),
  WRITE_FAILED: (path, reason) => ({
    problem: `${path} could not be written (${reason}).`,
    cure: "Check the disk and run again.",
  }),
};

function faultOf(cause: Error): WriteFault {
  const code = "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "DISK_FULL";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "READ_ONLY";
  return "WRITE_FAILED";
}

export class NoteWithoutChangeError extends EmitError {
  readonly code = "NOTE_WITHOUT_CHANGE";
  constructor() {
    super({
      problem:
        "No page changed in a way that followers hear of: there is nothing that the note could go with.",
      cure: sentence`Edit a page first, or leave out the option ${mention("note")}.`,
      outcome: NOTHING_WRITTEN,
      option: "note",
    });
  }
}

export class TestAddressError extends EmitError {
  readonly code = "TEST_ADDRESS";
  constructor(url: string) {
    super({
      problem:
        `${url} is an address for examples and tests: no reader can follow a site there, and an address ` +
        "that was published cannot be taken back.",
      cure: [
        sentence`Give the address of your site with the option ${mention("url")}.`,
        sentence`To try rs-emit out, use the option ${mention("dryRun")}, or ${mention("testAddress")}.`,
      ],
      outcome: NOTHING_WRITTEN,
      option: "url",
    });
  }
}
