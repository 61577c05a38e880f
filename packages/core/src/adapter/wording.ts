/**
 * A message of core for someone who has a config file: what the command's flags are, which stands in
 * brackets behind the option they mean, is of no use there.
 */
export function inConfigWords(message: string): string {
  return message.replaceAll(/ \(--[^()]*\)/g, "");
}
