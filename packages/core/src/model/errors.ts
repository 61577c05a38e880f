import {
  asInCode,
  firstMentioned,
  mention,
  type Sentence,
  type Spell,
  sentence,
  similarName,
  spelled,
  type Text,
} from "./sentence.ts";

interface Fault {
  readonly code: string;
  readonly problem: Text;
  readonly cure: Text;
  /** What the run has done: by default nothing, and no word of it where the call is wrong. */
  readonly outcome?: string;
  /** By default the first that the problem or the cure mentions. */
  readonly option?: string | undefined;
  readonly about?: string | undefined;
  /** Whether the call is wrong, independent of the site. */
  readonly isUsage?: boolean;
  readonly cause?: unknown;
}

/** Before a run fails, the command may have written a config, and a builder its pages. */
export const NOTHING_WRITTEN = "rs-emit changed no page and no log.";

/** A problem that stops a run. Problem and cure name options as they are written in code. */
export class EmitError extends Error {
  override readonly name = "EmitError";
  readonly code: string;
  readonly option: string | undefined;
  /** The published file (relative to the site) or the address with the problem. */
  readonly about: string | undefined;
  readonly #fault: Fault & { readonly outcome: string };

  constructor(fault: Fault) {
    const { code, problem, cure, option, about, isUsage, cause } = fault;
    const told = { outcome: isUsage ? "" : NOTHING_WRITTEN, ...fault };
    super(messageOf(told, asInCode), cause === undefined ? {} : { cause });
    this.code = code;
    this.option = option ?? firstMentioned(problem, cure);
    this.about = about;
    this.#fault = told;
  }

  get problem(): string {
    return spelled(this.#fault.problem, asInCode);
  }

  /** What to do now; empty where the author can do nothing. */
  get cure(): string {
    return spelled(this.#fault.cure, asInCode);
  }

  /** The exit status of a command: 2 where the call is wrong, 1 where the run failed. */
  get exitStatus(): 1 | 2 {
    return this.#fault.isUsage ? 2 : 1;
  }

  worded(spell: Spell): { problem: string; cure: string; outcome: string; message: string } {
    return {
      problem: spelled(this.#fault.problem, spell),
      cure: spelled(this.#fault.cure, spell),
      outcome: this.#fault.outcome,
      message: messageOf(this.#fault, spell),
    };
  }
}

/** Whether a thrown value has one of these codes. */
export function isEmitError(thrown: unknown, ...codes: readonly string[]): thrown is EmitError {
  return thrown instanceof EmitError && codes.includes(thrown.code);
}

function messageOf({ problem, cure, outcome = "" }: Fault, spell: Spell): string {
  const texts = [spelled(problem, spell), spelled(cure, spell), outcome];
  return texts.filter((text) => text !== "").join(" ");
}

/** @param given `undefined` when the option is missing */
export function optionError(option: string, given: unknown, allowed: string | Sentence): EmitError {
  const state = given === undefined ? "is not given" : `is ${shown(given)}`;
  return new EmitError({
    code: "OPTION",
    isUsage: true,
    problem: sentence`The option ${mention(option)} ${state}.`,
    cure: sentence`It must be ${allowed}.`,
    option,
  });
}

/** Functions and regular expressions have no JSON form. */
function shown(given: unknown): string {
  return JSON.stringify(given, (_, value: unknown) =>
    typeof value === "function" || value instanceof RegExp ? String(value) : value,
  );
}

export function unknownOptionError(option: string, known: readonly string[]): EmitError {
  const meant = similarName(option.replace(/.*\./, ""), known);
  const suggestion = meant === undefined ? "" : `Did you mean ${meant}? `;
  return new EmitError({
    code: "OPTION",
    isUsage: true,
    problem: `The option "${option}" is not known.`,
    cure: `${suggestion}There are: ${known.join(", ")}.`,
    option,
  });
}

type UrlFault = "missing" | "scheme" | "protocol" | "malformed";

const EXAMPLE = "https://example.neocities.org/";

export function urlError(option: string, given: string, fault: UrlFault): EmitError {
  const code = `URL_${fault.toUpperCase()}`;
  return new EmitError({ code, ...URL_FAULTS[fault](given.trim(), option), option, isUsage: true });
}

const URL_FAULTS: Record<
  UrlFault,
  (given: string, option: string) => Pick<Fault, "problem" | "cure">
> = {
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

export function lockedError(folder: string, lock: string, holder: string): EmitError {
  return new EmitError({
    code: "LOCKED",
    problem: `Another run of rs-emit publishes into ${folder} (${holder}).`,
    cure: `Wait until it has ended and run again; if none is running, remove ${lock}.`,
  });
}

/** @param begun whether some files have been replaced already */
export function pageChangedError(file: string, begun = false): EmitError {
  return new EmitError({
    code: "PAGE_CHANGED",
    problem: `${file} was changed while it was published.`,
    cure: "Wait until the build has ended, and run again.",
    outcome: begun ? SOME_WRITTEN : NOTHING_WRITTEN,
  });
}

export function foreignFileError(files: readonly string[], place: string): EmitError {
  const [them, theFiles] = files.length === 1 ? ["it", "the file"] : ["them", "the files"];
  return new EmitError({
    code: "FOREIGN_FILE",
    problem: `rs-emit did not write ${files.join(", ")} (in ${place}), and would have to overwrite ${them}.`,
    cure: sentence`Move ${theFiles} away, or let rs-emit take over with the option ${mention("force")}: an existing log is then continued.`,
    about: files[0],
  });
}

/** A folder has the name of a document. Even `force` does not replace a folder. */
export function folderInTheWayError(folder: string): EmitError {
  return new EmitError({
    code: "FOLDER_IN_THE_WAY",
    problem: `${folder} is a folder, and rs-emit has to write a file of this name.`,
    cure: "Rename the folder, or move it away.",
  });
}

/** A file has the name of a document's folder. Even `force` does not replace it. */
export function fileInTheWayError(file: string): EmitError {
  return new EmitError({
    code: "FILE_IN_THE_WAY",
    problem: `${file} is a file, and rs-emit has to make a folder of this name.`,
    cure: "Rename the file, or move it away.",
  });
}

/** What is written stays in the output folder. Even `force` follows no such link. */
export function linkOutError(link: string): EmitError {
  return new EmitError({
    code: "LINK_OUT",
    problem: `${link} is a link that leads out of the output folder, and rs-emit would write through it.`,
    cure: "Put a folder in its place, or leave it out of the site.",
    about: link,
  });
}

/** rs-emit cannot separate its own lines in `_headers` from the author's. */
export function ownLinesError(
  file: "_headers" | "robots.txt",
  begin: string,
  end: string,
): EmitError {
  return new EmitError({
    code: "OWN_LINES",
    problem: `In ${file}, where rs-emit's lines begin and end is not clear.`,
    cure: `Remove them, with the lines "${begin}" and "${end}": the next run writes them anew.`,
    option: file === "_headers" ? "headers" : "robots",
  });
}

/** How to turn off other programs that write sitemaps. */
export const SITEMAP_PROGRAMS =
  "@astrojs/sitemap in astro.config, a sitemap plugin or template of Eleventy, disableKinds in Hugo, " +
  "jekyll-sitemap in Jekyll";

/** Even `force` does not overwrite it: another program writes the file at each build. */
export function foreignSitemapError(name: string): EmitError {
  return new EmitError({
    code: "FOREIGN_SITEMAP",
    problem: `${name} in the folder was not written by rs-emit.`,
    cure: sentence`If nobody needs it, remove it; if another program writes it, turn that off first (${SITEMAP_PROGRAMS}). Or give ours another name with the option ${mention("sitemap", "pages.xml")}.`,
  });
}

/** No document can hold a value, and no earlier check refused the value. */
export function unwritableDocumentError(cause: Error): EmitError {
  return new EmitError({
    code: "UNWRITABLE_DOCUMENT",
    problem: `A document could not be written: ${cause.message}`,
    cure: [
      "If a page or an option brings this value in, change it.",
      sentence`A page can be left out with the option ${mention("exclude")}.`,
    ],
    cause,
  });
}

type WriteFault = "DISK_FULL" | "READ_ONLY" | "WRITE_FAILED";

const SOME_WRITTEN = "Some files may have been replaced already: the next run repairs the rest.";

/** @param begun whether some files have been replaced already */
export function writeError(path: string, cause: Error, begun: boolean): EmitError {
  const code = faultOf(cause);
  return new EmitError({
    code,
    ...WRITE_FAULTS[code](path, cause.message),
    outcome: begun ? SOME_WRITTEN : NOTHING_WRITTEN,
    cause,
  });
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

/** @param isLive whether the last publication was read from the live site */
export function noteWithoutChangeError(isLive: boolean): EmitError {
  return new EmitError({
    code: "NOTE_WITHOUT_CHANGE",
    problem:
      "No page changed in a way that followers hear of: there is nothing that the note could go with.",
    cure: [
      sentence`Edit a page first, or leave out the option ${mention("note")}.`,
      isLive
        ? "Followers have the last note: what was told once stays."
        : sentence`To mend the last note before it is uploaded, add the option ${mention("previous", "site")}.`,
    ],
  });
}

export function testAddressError(url: string): EmitError {
  return new EmitError({
    code: "TEST_ADDRESS",
    isUsage: true,
    problem:
      `${url} is an address for examples and tests: no reader can follow a site there, and an address ` +
      "that was published cannot be taken back.",
    cure: [
      sentence`Give the address of your site with the option ${mention("url")}.`,
      sentence`To try rs-emit out, use the option ${mention("dryRun")}, or ${mention("testAddress")}.`,
    ],
  });
}
