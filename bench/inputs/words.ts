import { randomNumbers } from "./random.ts";

const WORDS = `a the of and old new small window garden letter river summer paper moon station letters
  shrine gallery drawing picture notes guestbook museum collection friend story song record tape radio
  winter light letterpress harbour ferry island weather kitchen recipe bread tea library archive map
  street lamp rain, snow. wrote read found kept drew built scanned listened walked remembered again`;

const all = WORDS.split(/\s+/);

/** A source of texts that look written, the same at each run. */
export function writer(seed: number): (words: number) => string {
  const random = randomNumbers(seed);
  return (words) => Array.from({ length: words }, () => all[random(all.length)]).join(" ");
}
