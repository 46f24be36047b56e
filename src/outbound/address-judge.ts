import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AllowedNetworks, classifyAddress, literalAddress, parseNetworks } from './addresses.ts';
import { OutboundError } from './outbound-error.ts';

/** Says when an address is saved what a request would say when it connects; it connects to nothing itself. */
export interface AddressJudge {
  /**
   * @param asker whose address it is: each has one looked up at a time
   * @returns why the address can't be used, in words; null where it can.
   */
  refusal(url: string, asker: string): Promise<string | null>;
}

const LOOK_UP_WITHIN_MS = 5_000;
/** Each holds one of the four threads that also check passwords, until the system gives up by itself. */
const LOOK_UPS_AT_ONCE = 2;
const BUSY = 'Other names are being looked up, and do not answer: try again in a moment.';

/**
 * @param given `allow`: networks that may be reached although they are private, and over plain http; `withinMs`: the time
 * that a name has to be found.
 */
export function createAddressJudge(given: {
  allow: string[];
  lookup?: LookupFunction;
  withinMs?: number;
}): AddressJudge {
  const { withinMs: givenMs = LOOK_UP_WITHIN_MS } = given;
  const networks = parseNetworks(given.allow);
  const looking = new Set<string>();
  async function judge(text: string, asker: string): Promise<void> {
    const url = parseUrl(text);
    refuseLiteral(url, networks);
    if (literalAddress(url) !== null) return;
    const find = guardedLookup(given.lookup ?? systemLookup, networks, url.protocol === 'http:');
    if (looking.size === LOOK_UPS_AT_ONCE || looking.has(asker)) throw new OutboundError('unreachable', BUSY);
    looking.add(asker);
    await new Promise<void>((resolve, reject) => {
      const late = new OutboundError('unreachable', `${url.hostname} was not found within ${givenMs / 1000} s.`);
      const timer = setTimeout(reject, givenMs, late);
      find(url.hostname, { all: true }, (error) => {
        looking.delete(asker);
        clearTimeout(timer);
        if (error) reject(error instanceof OutboundError ? error : unknownName(url.hostname, error));
        else resolve();
      });
    });
  }
  return {
    async refusal(url, asker) {
      try {
        await judge(url, asker);
        return null;
      } catch (error) {
        if (error instanceof OutboundError) return error.message;
        throw error;
      }
    },
  };
}

const unknownName = (hostname: string, cause: Error) =>
  new OutboundError('unreachable', `${hostname} could not be found.`, { cause });

/** @throws OutboundError */
export function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError('address_refused', 'The address is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new OutboundError('address_refused', 'The address must begin with https://.');
  }
  if (url.username || url.password) {
    throw new OutboundError('address_refused', 'The address must not carry a user name or password.');
  }
  return url;
}

/** Judges each address at the moment of connecting, so that a name whose answer changes between look-ups gains nothing. */
export function guardedLookup(lookup: LookupFunction, networks: AllowedNetworks, onlyAllowed: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 4);
      const addresses = Array.isArray(found) ? found : [];
      try {
        if (addresses.length === 0) throw new OutboundError('unreachable', `${hostname} has no address.`);
        for (const { address } of addresses) refuseUnless(address, hostname, networks, onlyAllowed);
      } catch (refusal) {
        return callback(refusal instanceof Error ? refusal : new Error(String(refusal)), '', 4);
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family);
    });
  };
}

/** A look-up is not asked about addresses written as such. @throws OutboundError */
export function refuseLiteral(url: URL, networks: AllowedNetworks): void {
  const literal = literalAddress(url);
  if (literal !== null) refuseUnless(literal, url.hostname, networks, url.protocol === 'http:');
}

function refuseUnless(address: string, host: string, networks: AllowedNetworks, onlyAllowed: boolean): void {
  const verdict = classifyAddress(address, networks);
  if (verdict === 'allowed') return;
  if (verdict === 'refused') {
    throw new OutboundError(
      'address_refused',
      `${host} is not a public address. Open its network with EARSHOT_OUTBOUND_ALLOW if it is meant.`,
    );
  }
  if (onlyAllowed) throw new OutboundError('address_refused', `${host} can only be reached over https.`);
}
