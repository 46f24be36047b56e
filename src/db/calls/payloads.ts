import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Json } from '../../domain/json.ts';
import type { Vault } from '../../secrets.ts';
import { storable } from '../convert.ts';
import { payloadPlace } from '../secrets/sealed-places.ts';

/** More than any platform's answer may be (8 MB), so that an altered row cannot unfold without bound. */
const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;

interface CallOfWorkspace {
  workspaceId: string;
  callId: string;
}

/** A payload as `raw_payloads` keeps it: compressed, then sealed, because sealed bytes no longer compress. */
export function sealPayload(
  vault: Pick<Vault, 'sealBytes'>,
  { workspaceId, callId }: CallOfWorkspace,
  payload: Json,
): Buffer {
  return vault.sealBytes(zstdCompressSync(writeJson(payload)), payloadPlace(workspaceId, callId));
}

/** Nesting that overflows the writer's stack is cut rather than lost with the call. */
function writeJson(payload: Json): string {
  try {
    return JSON.stringify(payload);
  } catch {
    return JSON.stringify(storable(payload));
  }
}

/** @throws when the bytes were altered, are another call's, or were sealed under another secret. */
export function openPayload(
  vault: Pick<Vault, 'openBytes'>,
  { workspaceId, callId }: CallOfWorkspace,
  sealed: Uint8Array,
): Json {
  const compressed = vault.openBytes(sealed, payloadPlace(workspaceId, callId));
  return JSON.parse(zstdDecompressSync(compressed, { maxOutputLength: PAYLOAD_BYTES_MAX }).toString());
}
