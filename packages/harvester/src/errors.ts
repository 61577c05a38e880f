/** What every expected failure of the harvester has: a stable `code`, and a message in plain words. */
export abstract class HarvestError extends Error {
  abstract readonly code: string;
  override get name(): string {
    return this.constructor.name;
  }
}

/** A failure of one document or address. */
export abstract class UrlError extends HarvestError {
  readonly url: string;
  constructor(url: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.url = url;
  }
}
