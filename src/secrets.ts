import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * What `EARSHOT_SECRET` protects: platform keys and raw payloads under AES-256-GCM, and the keyed hashes by which
 * repeat callers are recognised. Each use has a key of its own, derived from the secret. Earlier secrets only open.
 */
export interface Vault {
  /** @returns `v1.<key id>.<base64url>`; the same text sealed twice differs. */
  seal(text: string): string;
  /** @throws when the text was altered, or sealed under a secret that is not known. */
  open(sealed: string): string;
  /** For bulk: the same protection without the text's third of extra length. */
  sealBytes(bytes: Uint8Array): Buffer;
  /** @throws when the bytes were altered, or sealed under a secret that is not known. */
  openBytes(sealed: Uint8Array): Buffer;
  /** The id of the key that seals. */
  keyId: string;
  /** Stable within a workspace, different between workspaces, not reversible without the secret. */
  keyedHash(workspaceId: string, value: string): string;
  /** Key material for another use, 32 bytes. */
  derive(use: string): Buffer;
  /** The key of keyed hashes, which outlives the secret that it was made from: kept sealed, and taken up again. */
  hashingKey: Buffer;
}

interface SealingKey {
  id: string;
  key: Buffer;
}

const SEALED_ELSEWHERE =
  'This was sealed under another EARSHOT_SECRET: name the one before in EARSHOT_SECRET_EARLIER, where it was changed.';

/** @param earlier secrets from before, newest first. */
export function createVault(secret: string, earlier: readonly string[] = []): Vault {
  const current = sealingKeyOf(secret);
  const keys = new Map([...earlier.map(sealingKeyOf), current].map((each) => [each.id, each]));
  const keyOf = (id: string): SealingKey => {
    const found = keys.get(id);
    if (!found) throw new Error(SEALED_ELSEWHERE);
    return found;
  };
  return {
    keyId: current.id,
    hashingKey: deriveKey(earlier.at(-1) ?? secret, 'caller-hash/1'),
    seal: (text) => `v1.${current.id}.${encrypt(current, Buffer.from(text, 'utf8')).toString('base64url')}`,
    open(sealed) {
      const [format, sealedUnder, body] = sealed.split('.');
      if (format !== 'v1' || sealedUnder === undefined || body === undefined) {
        throw new Error('This is not a sealed text.');
      }
      return decrypt(keyOf(sealedUnder), Buffer.from(body, 'base64url')).toString('utf8');
    },
    sealBytes: (bytes) => Buffer.concat([Buffer.from(current.id, 'hex'), encrypt(current, bytes)]),
    openBytes: (sealed) => decrypt(keyOf(Buffer.from(sealed.subarray(0, 4)).toString('hex')), sealed.subarray(4)),
    keyedHash(workspaceId, value) {
      return createHmac('sha256', this.hashingKey).update(`${workspaceId}\n${value}`).digest('base64url').slice(0, 24);
    },
    derive: (use) => deriveKey(secret, use),
  };
}

const deriveKey = (secret: string, use: string) => Buffer.from(hkdfSync('sha256', secret, 'earshot', use, 32));

function sealingKeyOf(secret: string): SealingKey {
  const key = deriveKey(secret, 'seal/1');
  return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
}

function encrypt({ key }: SealingKey, bytes: Uint8Array): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = cipher.update(bytes);
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]);
}

function decrypt({ key }: SealingKey, bytes: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(bytes.length - 16));
  return Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - 16)), decipher.final()]);
}
