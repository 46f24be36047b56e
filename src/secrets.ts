import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/**
 * What `EARSHOT_SECRET` protects: platform keys and raw payloads under AES-256-GCM, and the keyed hashes by which
 * repeat callers are recognised. Each use has a key of its own, derived from the secret. Earlier secrets only open.
 */
export interface Vault {
  /**
   * @returns `v2.<key id>.<base64url>`, which opens at this place alone; without a place `v1.…`, which is bound to none.
   * The same text sealed twice differs.
   */
  seal(text: string, place?: SealedPlace): string;
  /** @throws when the text was altered or moved, UnknownSecretError when it was sealed under a secret that is not known. */
  open(sealed: string, place?: SealedPlace): string;
  /** For bulk: the same protection without the text's third of extra length. */
  sealBytes(bytes: Uint8Array, place?: SealedPlace): Buffer;
  /** @throws when the bytes were altered or moved, UnknownSecretError when they were sealed under a secret that is not known. */
  openBytes(sealed: Uint8Array, place?: SealedPlace): Buffer;
  /** How everything begins that is sealed for a place under the present secret. */
  sealedBegins: { text: string; bytes: Buffer };
  /** Stable within a workspace, different between workspaces, not reversible without the secret. */
  keyedHash(workspaceId: string, value: string): string;
  /** Key material for another use, 32 bytes. */
  derive(use: string): Buffer;
  /** The key of keyed hashes, which outlives the secret that it was made from: kept sealed, and taken up again. */
  hashingKey: Buffer;
}

/** What a sealed value belongs to: a column of a row of a workspace. */
export interface SealedPlace {
  column: string;
  workspaceId: string;
  row: string;
}

/** The value was sealed under a secret that this process was not told. */
export class UnknownSecretError extends Error {
  override name = 'UnknownSecretError';
}

interface SealingKey {
  id: string;
  key: KeyObject;
}

const SEALED_ELSEWHERE =
  'This was sealed under another EARSHOT_SECRET: name the one before in EARSHOT_SECRET_EARLIER, where it was changed.';

/** Begins bytes that are sealed for a place; others begin with the id of their key. */
const BOUND_BYTES = Buffer.from([0xff, 0xff, 0xff, 2]);
const KEY_ID_BYTES = 4;

/** @param earlier secrets from before, newest first. */
export function createVault(secret: string, earlier: readonly string[] = []): Vault {
  const current = sealingKeyOf(secret);
  const keys = new Map([...earlier.map(sealingKeyOf), current].map((each) => [each.id, each]));
  const keyOf = (id: string): SealingKey => {
    const found = keys.get(id);
    if (!found) throw new UnknownSecretError(SEALED_ELSEWHERE);
    return found;
  };
  return {
    sealedBegins: {
      text: `v2.${current.id}.`,
      bytes: Buffer.concat([BOUND_BYTES, Buffer.from(current.id, 'hex')]),
    },
    hashingKey: deriveKey(earlier.at(-1) ?? secret, 'caller-hash/1'),
    seal(text, place) {
      const sealed = encrypt(current, Buffer.from(text, 'utf8'), place).toString('base64url');
      return `${place ? 'v2' : 'v1'}.${current.id}.${sealed}`;
    },
    open(sealed, place) {
      const [format, sealedUnder, body] = sealed.split('.');
      if ((format !== 'v1' && format !== 'v2') || sealedUnder === undefined || body === undefined) {
        throw new Error('This is not a sealed text.');
      }
      const boundTo = format === 'v2' ? place : undefined;
      return decrypt(keyOf(sealedUnder), Buffer.from(body, 'base64url'), boundTo).toString('utf8');
    },
    sealBytes: (bytes, place) =>
      Buffer.concat([...(place ? [BOUND_BYTES] : []), Buffer.from(current.id, 'hex'), encrypt(current, bytes, place)]),
    openBytes(sealed, place) {
      const isBound = BOUND_BYTES.equals(sealed.subarray(0, BOUND_BYTES.length));
      const keyed = isBound ? sealed.subarray(BOUND_BYTES.length) : sealed;
      const key = keyOf(Buffer.from(keyed.subarray(0, KEY_ID_BYTES)).toString('hex'));
      return decrypt(key, keyed.subarray(KEY_ID_BYTES), isBound ? place : undefined);
    },
    keyedHash(workspaceId, value) {
      return createHmac('sha256', keyObjectOf(this.hashingKey))
        .update(`${workspaceId}\n${value}`)
        .digest('base64url')
        .slice(0, 24);
    },
    derive: (use) => deriveKey(secret, use),
  };
}

/** Made once a key: making one takes longer than a hash or a seal. */
const keyObjects = new WeakMap<Buffer, KeyObject>();

function keyObjectOf(key: Buffer): KeyObject {
  const known = keyObjects.get(key);
  if (known) return known;
  const made = createSecretKey(key);
  keyObjects.set(key, made);
  return made;
}

const deriveKey = (secret: string, use: string) => Buffer.from(hkdfSync('sha256', secret, 'earshot', use, 32));

function sealingKeyOf(secret: string): SealingKey {
  const key = deriveKey(secret, 'seal/1');
  return { key: createSecretKey(key), id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
}

/** Additional data, which the seal covers and does not hold. */
const boundTo = (place: SealedPlace | undefined) =>
  Buffer.from(place ? [place.column, place.workspaceId, place.row].join('\n') : '', 'utf8');

function encrypt({ key }: SealingKey, bytes: Uint8Array, place: SealedPlace | undefined): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundTo(place));
  const body = cipher.update(bytes);
  return Buffer.concat([nonce, body, cipher.final(), cipher.getAuthTag()]);
}

function decrypt({ key }: SealingKey, bytes: Uint8Array, place: SealedPlace | undefined): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(boundTo(place));
  decipher.setAuthTag(bytes.subarray(bytes.length - 16));
  return Buffer.concat([decipher.update(bytes.subarray(12, bytes.length - 16)), decipher.final()]);
}
