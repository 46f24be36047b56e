import { generateKeyPairSync, sign } from 'node:crypto';

const CONTEXT = 0xa0;
const DNS_NAME = 0x82;
const [INTEGER, BITS, OCTETS, OID, UTF8, UTC_TIME, SEQUENCE, SET] = [0x02, 0x03, 0x04, 0x06, 0x0c, 0x17, 0x30, 0x31];
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const COMMON_NAME = [0x55, 0x04, 0x03];
const ALTERNATIVE_NAME = [0x55, 0x1d, 0x11];

/** A certificate for localhost that nobody but itself vouches for. */
export function makeCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, der(OID, ECDSA_WITH_SHA256));
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, der(OID, COMMON_NAME), der(UTF8, Buffer.from('of the tests')))));
  const times = der(SEQUENCE, der(UTC_TIME, Buffer.from('250101000000Z')), der(UTC_TIME, Buffer.from('491231235959Z')));
  const names = der(SEQUENCE, der(DNS_NAME, Buffer.from('localhost')));
  const extensions = der(SEQUENCE, der(SEQUENCE, der(OID, ALTERNATIVE_NAME), der(OCTETS, names)));
  const signed = der(
    SEQUENCE,
    der(CONTEXT, der(INTEGER, [2])),
    der(INTEGER, [1]),
    algorithm,
    name,
    times,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(CONTEXT + 3, extensions),
  );
  const certificate = der(SEQUENCE, signed, algorithm, der(BITS, [0], sign('sha256', signed, privateKey)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

/** One value in the encoding that certificates are written in. */
function der(tag: number, ...parts: (Uint8Array | readonly number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
