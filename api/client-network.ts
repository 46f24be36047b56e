import ipaddr from 'ipaddr.js';

/** How much of an IPv6 address names a client: whoever has one has all of its /64. */
const IPV6_BITS = 64;

/**
 * The name of a client in limits by address: an IPv4 address, also one that comes mapped into IPv6, or the /64 of an IPv6
 * address. What is no address stays as it is.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_BITS}`).toString()}/${IPV6_BITS}`;
}
