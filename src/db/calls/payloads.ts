import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Json } from '../../domain/json.ts';
import type { Vault } from '../../secrets.ts';
import { storable } from '../convert.ts';
import { payloadPlace } from '../secrets/sealed-places.ts';
import { CALL_DICTIONARY } from './call-dictionary.ts';

/** More than any platform's answer may be (8 MB), so that an altered row cannot unfold without bound. */
const PAYLOAD_BYTES_MAX = 64 * 1024 * 1024;

/** Begins what was compressed with `CALL_DICTIONARY`; what came before it begins as zstd's own frames do, with 0x28. */
const BY_DICTIONARY = Buffer.from([1]);
/** The highest that costs no more time than the usual one without a dictionary. */
const LEVEL = 5;

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
  return vault.sealBytes(compress(writeJson(payload)), payloadPlace(workspaceId, callId));
}

function compress(text: string): Buffer {
  const frame = zstdCompressSync(text, {
    dictionary: CALL_DICTIONARY,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  return Buffer.concat([BY_DICTIONARY, frame]);
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
  return JSON.parse(decompress(compressed).toString());
}

function decompress(compressed: Buffer): Buffer {
  if (compressed[0] !== BY_DICTIONARY[0]) return zstdDecompressSync(compressed, { maxOutputLength: PAYLOAD_BYTES_MAX });
  const frame = compressed.subarray(BY_DICTIONARY.length);
  return zstdDecompressSync(frame, { dictionary: CALL_DICTIONARY, maxOutputLength: PAYLOAD_BYTES_MAX });
}
