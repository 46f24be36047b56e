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

  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(sealed) {
      const [format, sealedUnder, body] = sealed.split('.');
      if (format !== 'v1' || body === undefined) throw new Error('This is not a sealed text.');
      if (sealedUnder !== keyId) throw new Error('This was sealed under another EARSHOT_SECRET.');
      const bytes = Buffer.from(body, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    keyedHash(workspaceId, value) {
      return createHmac('sha256', hashingKey).update(`${workspaceId}\n${value}`).digest('base64url').slice(0, 24);
    },
    derive,
  };
}
