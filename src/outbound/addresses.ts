import ipaddr from 'ipaddr.js';

/** Networks that an operator opened although they are not public. */
export type AllowedNetworks = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

/** @throws when an entry is no network such as `10.0.0.0/8`; a bare address stands for itself alone. */
export function parseNetworks(entries: readonly string[]): AllowedNetworks {
  return entries.map((entry) => {
    try {
      if (entry.includes('/')) return ipaddr.parseCIDR(entry);
      const address = ipaddr.process(entry);
      return [address, address.kind() === 'ipv4' ? 32 : 128];
    } catch {
      throw new Error(`"${entry}" is not a network; write it like 10.0.0.0/8 or fd00::/8.`);
    }
  });
}

export type AddressClass = 'public' | 'allowed' | 'refused';

/** Public by its number, and answered by the host of a virtual machine: Azure's metadata and agent. */
const hostServices = new Set(['168.63.129.16']);

/** All of the public unicast space of IPv6. What lies outside is local, translated or not assigned. */
const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Whether a connection to this address may be opened. Everything that is not plainly a public host is refused:
 * loopback, private, link-local, metadata, multicast, documentation, carrier, translated and tunnelled ranges.
 */
export function classifyAddress(address: string, allowed: AllowedNetworks): AddressClass {
  if (!ipaddr.isValid(address)) return 'refused';
  // `process` turns an IPv4 address mapped into IPv6 back into IPv4, so that it is judged as what it reaches.
  const parsed = ipaddr.process(address);
  const isAllowed = allowed.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  if (isAllowed) return 'allowed';
  if (parsed.range() !== 'unicast' || hostServices.has(parsed.toString())) return 'refused';
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(globalUnicast)) return 'refused';
  return 'public';
}

/** The host of a URL when it is written as an address; a parsed URL has brought every spelling into one form. */
export function literalAddress(url: URL): string | null {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  return ipaddr.isValid(host) ? host : null;
}
