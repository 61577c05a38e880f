import { canonicalDigest, UNLISTED } from "../model/engines.ts";
import type { Attributes } from "./elements.ts";
import { forbidsListing } from "./for-readers.ts";

/** What a page tells search engines: not to list it, or which page to list in its place. */
export class EngineWords {
  readonly #url: string | undefined;
  #isUnlisted = false;
  #canonical: string | undefined;

  /** @param url the page's own, from which a relative link leads; absent where nobody asks */
  constructor(url: string | undefined) {
    this.#url = url;
  }

  addMeta({ name = "", content = "" }: Attributes): void {
    if (name.trim().toLowerCase() === "googlebot" && forbidsListing(content)) {
      this.#isUnlisted = true;
    }
  }

  /** Of several, the first. */
  addLink({ rel = "", href = "" }: Attributes): void {
    if (this.#url === undefined) return;
    if (!rel.toLowerCase().split(/\s+/).includes("canonical")) return;
    const target = href.trim();
    if (target === "" || !URL.canParse(target, this.#url)) return;
    this.#canonical ??= canonicalDigest(new URL(target, this.#url).href);
  }

  /** As the Resource List has it; see `model/engines.ts`. */
  get attribute(): string | undefined {
    return this.#isUnlisted ? UNLISTED : this.#canonical;
  }
}
