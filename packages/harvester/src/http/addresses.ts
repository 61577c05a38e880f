import ipaddr from "ipaddr.js";

/**
 * Whether an IP address is one that anybody on the internet reaches: global unicast, and nothing that
 * leads or is translated to anything else. Networks that have only IPv6 reach IPv4 through
 * `64:ff9b::/96` (RFC 6052), which is as public as what is behind it.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) {
    return parsed.range() === "unicast" && !METADATA.has(parsed.toString());
  }
  if (parsed.match(NAT64)) {
    const embedded = new ipaddr.IPv4(parsed.toByteArray().slice(-4));
    return isPublicAddress(embedded.toString());
  }
  return parsed.range() === "unicast" && parsed.match(GLOBAL_UNICAST);
}

/** Services of a cloud for its own machines that stand on addresses of the internet (Azure). */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** All of IPv6 that is given out for the internet (RFC 4291, section 2.4; IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");
