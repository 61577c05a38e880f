/** White space as in HTML: one space for any length, none at the ends. */
export function collapsed(text: string): string {
  return text.replace(/[ \t\n\f\r]+/g, " ").trim();
}
