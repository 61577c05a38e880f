import { canonicalDigest, UNLISTED } from "../model/engines.ts";
import type { Attributes } from "./elements.ts";
import { forbidsListing } from "./robots-meta.ts";

export class EngineWords {
  readonly #url: string | undefined;
  #isUnlisted = false;
  #canonical: string | undefined;

  /** @param url the page's URL, the base of relative links; absent where nobody reads the result */
  constructor(url: string | undefined) {
    this.#url = url;
  }

  addMeta({ name = "", content = "" }: Attributes): void {
    if (/^\s*(?:robots|googlebot)\s*$/i.test(name) && forbidsListing(content)) {
      this.#isUnlisted = true;
    }
  }

  /** The first canonical link counts. */
  addLink({ rel = "", href = "" }: Attributes): void {
    if (this.#url === undefined) return;
    if (!rel.toLowerCase().split(/\s+/).includes("canonical")) return;
    const target = href.trim();
    if (target === "" || !URL.canParse(target, this.#url)) return;
    this.#canonical ??= canonicalDigest(new URL(target, this.#url).href);
  }

  get attribute(): string | undefined {
    return this.#isUnlisted ? UNLISTED : this.#canonical;
  }
}
