import { TestAddressError } from "./errors.ts";

const TEST_HOST = /(?:^|\.)(?:example\.(?:com|net|org)|localhost|test)$|^127\.|^\[::1\]$/;

/** Whether an address is reserved for examples and tests, so that no site can be there (RFC 2606). */
export function isTestAddress(url: string): boolean {
  return URL.canParse(url) && TEST_HOST.test(new URL(url).hostname);
}

interface AddressOptions {
  readonly url?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly testAddress?: boolean | undefined;
}

/**
 * Refuses to publish under an address for examples and tests: what followers have read cannot be
 * taken back. Commands and plugins call it; programs that call `emit` know what they do.
 *
 * @throws {TestAddressError}
 */
export function refuseTestAddress({ url, dryRun, testAddress }: AddressOptions): void {
  if (url === undefined || dryRun || testAddress || !isTestAddress(url)) return;
  throw new TestAddressError(url);
}
