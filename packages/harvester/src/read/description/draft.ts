import type { Description } from "../../model.ts";
import { line } from "../values.ts";
import { DESCRIPTION_LIMITS } from "./description-cache.ts";

/** A document's raw values; the first of several counts. */
export interface Draft {
  readonly titles: readonly (string | undefined)[];
  readonly authors?: readonly (string | undefined)[];
  readonly summaries?: readonly (string | undefined)[];
  readonly languages?: readonly (string | undefined)[];
  readonly rights?: readonly (string | undefined)[];
}

export function descriptionOf(draft: Draft): Description | undefined {
  const title = first(draft.titles, (text) => line(text, DESCRIPTION_LIMITS.title));
  const summary = first(draft.summaries, (text) => line(text, DESCRIPTION_LIMITS.summary));
  const language = first(draft.languages, languageTag);
  const rights = first(draft.rights, (text) => line(text, DESCRIPTION_LIMITS.rights));
  const authors = (draft.authors ?? []).flatMap(
    (text) => line(text, DESCRIPTION_LIMITS.author) ?? [],
  );
  if (title === undefined && summary === undefined && authors.length === 0) return undefined;
  return {
    ...(title === undefined ? {} : { title }),
    authors: [...new Set(authors)].slice(0, DESCRIPTION_LIMITS.authors),
    ...(summary === undefined ? {} : { summary }),
    ...(language === undefined ? {} : { language }),
    ...(rights === undefined ? {} : { rights }),
  };
}

function first(
  texts: readonly (string | undefined)[] = [],
  read: (text: string) => string | undefined,
): string | undefined {
  for (const text of texts) {
    const value = text === undefined ? undefined : read(text);
    if (value !== undefined) return value;
  }
  return undefined;
}

function languageTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.trim())[0];
  } catch {
    return undefined;
  }
}
