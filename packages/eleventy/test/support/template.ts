/** A template with front matter. */
export function page(front: Readonly<Record<string, unknown>>, text: string): string {
  const lines = Object.entries(front).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n${text}\n`;
}
