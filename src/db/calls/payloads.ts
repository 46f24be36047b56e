import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Json } from '../../domain/json.ts';
import type { Vault } from '../../secrets.ts';
import { storable } from '../convert.ts';

/** More than any platform's answer may be (8 MB), so that an altered row cannot unfold without bound. */
const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;

/** A payload as `raw_payloads` keeps it: compressed, then sealed, because sealed bytes no longer compress. */
export function sealPayload(vault: Pick<Vault, 'sealBytes'>, payload: Json): Buffer {
  return vault.sealBytes(zstdCompressSync(writeJson(payload)));
}

/** Nesting that overflows the writer's stack is cut rather than lost with the call. */
function writeJson(payload: Json): string {
  try {
    return JSON.stringify(payload);
  } catch {
    return JSON.stringify(storable(payload));
  }
}

/** @throws when the bytes were altered, or sealed under another secret. */
export function openPayload(vault: Pick<Vault, 'openBytes'>, sealed: Uint8Array): Json {
  return JSON.parse(zstdDecompressSync(vault.openBytes(sealed), { maxOutputLength: PAYLOAD_BYTES_MAX }).toString());
}
