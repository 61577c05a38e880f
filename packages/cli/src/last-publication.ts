import { DocumentError, EMIT, foreignValue, readDocumentSync, secondsOf } from "@rs-emit/documents";

interface PublicationTime {
  readonly text: string;
  /** UTC seconds, as the following. */
  readonly time: number;
  readonly previous: number | undefined;
}

/** When the log of a Change List Index was published; `undefined` where it is not ours, or damaged: check says so. */
export function publicationIn(index: Uint8Array): PublicationTime | undefined {
  try {
    const { metadata } = readDocumentSync(index);
    const text = foreignValue(metadata, EMIT, "publication");
    const time = secondsOf(text);
    if (text === undefined || time === undefined) return undefined;
    return { text, time, previous: secondsOf(foreignValue(metadata, EMIT, "previous")) };
  } catch (error) {
    if (error instanceof DocumentError) return undefined;
    throw error;
  }
}
