import { describe, expect, test } from 'vitest';
import { classifyAddress, literalAddress, parseNetworks } from '../../src/outbound/addresses.ts';

const REFUSED: readonly (readonly [string, string])[] = [
  ['loopback', '127.0.0.1'],
  ['loopback beyond the first address', '127.8.9.10'],
  ['the unspecified address', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private 10', '10.20.30.40'],
  ['private 172.16', '172.31.255.254'],
  ['private 192.168', '192.168.1.1'],
  ['carrier network', '100.64.0.1'],
  ['link-local', '169.254.1.1'],
  ['the metadata service', '169.254.169.254'],
  ['the host of a virtual machine at Azure', '168.63.129.16'],
  ['multicast', '224.0.0.251'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['documentation 1', '192.0.2.10'],
  ['documentation 2', '198.51.100.10'],
  ['documentation 3', '203.0.113.10'],
  ['benchmarking', '198.18.0.1'],
  ['protocol assignments', '192.0.0.8'],
  ['6to4 relays', '192.88.99.1'],
  ['IPv6 loopback', '::1'],
  ['IPv6 unspecified', '::'],
  ['IPv6 link-local', 'fe80::1'],
  ['IPv6 link-local with a zone', 'fe80::1%eth0'],
  ['unique local', 'fd12:3456::1'],
  ['site-local', 'fec0::1'],
  ['IPv6 multicast', 'ff02::1'],
  ['IPv6 documentation', '2001:db8::1'],
  ['newer IPv6 documentation', '3fff::1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped metadata in hexadecimal', '::ffff:a9fe:a9fe'],
  ['IPv4-compatible', '::7f00:1'],
  ['translated 64:ff9b', '64:ff9b::a00:1'],
  ['locally translated 64:ff9b:1', '64:ff9b:1::a00:1'],
  ['translated ::ffff:0', '::ffff:0:127.0.0.1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001::1'],
  ['discard', '100::1'],
  ['segment routing', '5f00::1'],
  ['text that is no address', 'metadata.internal'],
];

describe('addresses', () => {
  test.each(REFUSED)('%s is refused (%s)', (_what, address) => {
    expect(classifyAddress(address, [])).toBe('refused');
  });

  test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'a public host may be reached (%s)',
    (address) => {
      expect(classifyAddress(address, [])).toBe('public');
    },
  );

  test('an operator can open a network, and only that one', () => {
    const networks = parseNetworks(['10.1.0.0/16', 'fd00::/8', '192.168.5.5']);
    expect(classifyAddress('10.1.2.3', networks)).toBe('allowed');
    expect(classifyAddress('::ffff:10.1.2.3', networks)).toBe('allowed');
    expect(classifyAddress('fd00::7', networks)).toBe('allowed');
    expect(classifyAddress('192.168.5.5', networks)).toBe('allowed');
    expect(classifyAddress('10.2.0.1', networks)).toBe('refused');
    expect(classifyAddress('192.168.5.6', networks)).toBe('refused');
  });

  test('a mistyped network is named', () => {
    expect(() => parseNetworks(['10.0.0.0/99'])).toThrow('"10.0.0.0/99" is not a network');
    expect(() => parseNetworks(['office'])).toThrow('"office" is not a network');
  });

  test.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://%31%32%37.0.0.1/', '127.0.0.1'],
    ['http://１２７.0.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ])('every spelling of an address is seen as one (%s)', (url, address) => {
    expect(literalAddress(new URL(url))).toBe(address);
  });

  test('a name is no literal', () => {
    expect(literalAddress(new URL('https://api.example.com/'))).toBeNull();
  });
});
