import { decodeText, list, robotsAllow, robotsRules, robotsSitemaps } from "@rs-emit/documents";
import type { CheckFindings } from "./findings.ts";
import { bytesOf, type ServedPublication } from "./served-documents.ts";
import { NoAnswerError, type Site } from "./site.ts";

export interface CheckedRobots {
  readonly url: string;
  readonly file: string | undefined;
  /** The status with which it cannot be read. */
  readonly failure?: number;
  /** Whether a program may request a URL; `*` stands for all programs that have no rules of their own. */
  allows(product: string, url: string): boolean;
  readonly sitemaps: readonly string[];
}

/** The product token of the harvester; without rules of its own, the rules for all programs count. */
const HARVESTER = "rs-harvest";

/** Programs read at least this much of it (RFC 9309, section 2.5). */
const LONGEST = 512_000;

/** @param base the site's URL. A folder below its host's root does not have the host's robots.txt. */
export async function readRobots(site: Site, base: string): Promise<CheckedRobots | undefined> {
  const url = new URL("/robots.txt", base).href;
  if (!site.isLive && new URL(".", url).href !== base) return undefined;
  try {
    const { status, file, body } = await site.get(url);
    const text = decodeText((await bytesOf({ body })).subarray(0, LONGEST));
    if (isFailure(status)) return { url, file, failure: status, allows: () => true, sitemaps: [] };
    const named = robotsSitemaps(text).filter((one) => URL.canParse(one));
    return { url, file, allows: judgeOf(text), sitemaps: [...new Set(named)] };
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return undefined;
  }
}

function judgeOf(text: string): CheckedRobots["allows"] {
  const known = new Map<string, string>();
  return (product, url) => {
    const rules = known.get(product) ?? robotsRules(text, product);
    known.set(product, rules);
    return robotsAllow(rules, url);
  };
}

/** RFC 9309, section 2.3.1.4: programs then treat everything as forbidden. */
function isFailure(status: number): boolean {
  return status >= 500 || status === 429;
}

/** Reports documents that robots.txt forbids harvesters to read. */
export function checkRobots(
  publication: ServedPublication,
  { url, file, failure, allows }: CheckedRobots,
  findings: CheckFindings,
): void {
  if (failure !== undefined) {
    const what = `It answers ${failure}, so programs that obey it ask for nothing.`;
    const cure = "Let the host serve it, or answer 404 where there is none.";
    findings.add("robots", { document: url, file }, what, cure);
    return;
  }
  const own = [...publication.keys()].filter((one) => new URL(one).origin === new URL(url).origin);
  const refused = own.filter((one) => !allows(HARVESTER, one));
  const [first] = refused;
  if (first === undefined) return;
  const what = `It refuses ${list(refused)}.`;
  const cure = `Refuse less, or add lines that allow them: Allow: ${new URL(first).pathname}`;
  findings.add("robots", { document: url, file }, what, cure);
}
