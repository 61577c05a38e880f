const EXPECTATIONS: readonly (readonly [problem: RegExp, expected: string])[] = [
  [/^text data outside/, "nothing but comments outside of the root element"],
  [/^undefined entity/, "one of &amp; &lt; &gt; &quot; &apos; or a character reference"],
  [/entity/, "a character reference such as &#38;"],
  [/^disallowed character in tag name/, "a name after <, or &lt; for the character itself"],
  [/^disallowed character in attribute name/, "an attribute, or the end of the tag"],
  [/^disallowed character/, "a character that XML allows here"],
  [/^(?:unquoted attribute|attribute without)/, 'a value in quotes, as in name="value"'],
  [/^duplicate attribute/, "each attribute once"],
  [/prefix/, "a prefix with its xmlns declaration"],
  [/^no whitespace/, "white space between attributes"],
  [/one root/, "one root element"],
  [/declaration/, "an XML declaration at the very start of the document, or none"],
  [/surrogate/, "whole characters"],
];

/** What should have stood where saxes, or we, found a problem. */
export function expectation(problem: string, path: readonly string[]): string {
  const open = path.at(-1);
  if (/unexpected close|unmatched/.test(problem) && open !== undefined) return `</${open}>`;
  return EXPECTATIONS.find(([pattern]) => pattern.test(problem))?.[1] ?? "well-formed XML";
}
