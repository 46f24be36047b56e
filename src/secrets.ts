import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * What `EARSHOT_SECRET` protects: platform keys and raw payloads under AES-256-GCM, and the keyed hashes by which
 * repeat callers are recognised. Each use has a key of its own, derived from the secret.
 */
export interface Vault {
  /** @returns `v1.<key id>.<base64url>`; the same text sealed twice differs. */
  seal(text: string): string;
  /** @throws when the text was altered, or sealed under another secret. */
  open(sealed: string): string;
  /** For bulk: the same protection without the text's third of extra length. */
  sealBytes(bytes: Uint8Array): Buffer;
  /** @throws when the bytes were altered, or sealed under another secret. */
  openBytes(sealed: Uint8Array): Buffer;
  /** Stable within a workspace, different between workspaces, not reversible without the secret. */
  keyedHash(workspaceId: string, value: string): string;
  /** Key material for another use, 32 bytes. */
  derive(use: string): Buffer;
}

export function createVault(secret: string): Vault {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secret, 'earshot', use, 32));
  const sealingKey = derive('seal/1');
  const hashingKey = derive('caller-hash/1');
  const keyId = createHash('sha256').update(sealingKey).digest('hex').slice(0, 8);

  const encrypt = (bytes: Uint8Array): Buffer => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce);
    const body = cipher.update(bytes);
    return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]);
  };
  const decrypt = (bytes: Uint8Array): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(bytes.length - 16));
    return Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - 16)), decipher.final()]);
  };

  return {
    seal: (text) => `v1.${keyId}.${encrypt(Buffer.from(text, 'utf8')).toString('base64url')}`,
    open(sealed) {
      const [format, sealedUnder, body] = sealed.split('.');
      if (format !== 'v1' || body === undefined) throw new Error('This is not a sealed text.');
      if (sealedUnder !== keyId) throw new Error('This was sealed under another EARSHOT_SECRET.');
      return decrypt(Buffer.from(body, 'base64url')).toString('utf8');
    },
    sealBytes: (bytes) => Buffer.concat([Buffer.from(keyId, 'hex'), encrypt(bytes)]),
    openBytes(sealed) {
      if (Buffer.from(sealed.subarray(0, 4)).toString('hex') !== keyId) {
        throw new Error('This was sealed under another EARSHOT_SECRET.');
      }
      return decrypt(sealed.subarray(4));
    },
    keyedHash(workspaceId, value) {
      return createHmac('sha256', hashingKey).update(`${workspaceId}\n${value}`).digest('base64url').slice(0, 24);
    },
    derive,
  };
}
