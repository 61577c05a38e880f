import { EMIT, GENERATOR_MARK } from "@rs-emit/documents";
import { REWRITTEN_CURE } from "./advice.ts";
import type { ServedDocument, ServedPublication } from "./documents.ts";
import type { CheckFindings, FindingPlace } from "./findings.ts";

/** Why the next run of rs-emit would stop. */
export interface Stop extends Pick<FindingPlace, "document" | "file"> {
  readonly what: string;
  readonly cure: string;
}

/** Runs have additional rules: the bytes must be the published ones, and nothing may be lost. */
export async function reportStop(
  nextRun: ((base: string) => Promise<Stop | undefined>) | undefined,
  base: string,
  publication: ServedPublication,
  findings: CheckFindings,
): Promise<void> {
  // That finding says all that a run would say.
  if (findings.has("no-log")) return;
  const isContinued =
    publication.size === 0 ? !findings.has("no-answer") : [...publication.values()].some(isOurs);
  const stop = isContinued ? await nextRun?.(base) : undefined;
  if (stop === undefined) return;
  const { what, cure, ...place } = stop;
  const isRewritten = publication.get(stop.document)?.plainSha256 !== undefined;
  findings.add("next-run", place, what, isRewritten ? `${REWRITTEN_CURE} If not: ${cure}` : cure);
}

/** Whether rs-emit wrote it. The comment may be lost where a host minifies XML. */
function isOurs({ document: { metadata, comments } }: ServedDocument): boolean {
  const isOwn = metadata.foreign?.some(({ namespace }) => namespace === EMIT) ?? false;
  return isOwn || comments.some((comment) => comment.startsWith(GENERATOR_MARK));
}
