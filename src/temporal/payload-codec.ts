import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { SealedPlace, Vault } from '../secrets.ts';

const SEALED = 'binary/encrypted';
const PLACE: SealedPlace = { column: 'temporal.payload', workspaceId: '', row: '' };
const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/**
 * Seals what workflows, activities and messages carry before it leaves the process, and opens it on the way back.
 * What was never sealed passes as it is, so that histories from before go on; with `seals` false nothing new is sealed
 * and everything that was still opens.
 */
export function createPayloadCodec(vault: Pick<Vault, 'sealBytes' | 'openBytes'>, seals: boolean): PayloadCodec {
  return {
    encode: async (payloads) => (seals ? payloads.map((payload) => seal(vault, payload)) : payloads),
    decode: async (payloads) => payloads.map((payload) => open(vault, payload)),
  };
}

function seal(vault: Pick<Vault, 'sealBytes'>, payload: Payload): Payload {
  const data = vault.sealBytes(PayloadMessage.encode(payload).finish(), PLACE);
  return { metadata: { encoding: Buffer.from(SEALED) }, data };
}

function open(vault: Pick<Vault, 'openBytes'>, payload: Payload): Payload {
  const { metadata, data } = payload;
  const encoding = metadata?.['encoding'];
  if (!data || !encoding || Buffer.from(encoding).toString() !== SEALED) return payload;
  return PayloadMessage.decode(vault.openBytes(data, PLACE));
}

/** Payloads as Temporal's remote codecs exchange them: bytes are base64. */
export interface RemotePayload {
  metadata?: Record<string, string> | undefined;
  data?: string | undefined;
}

/** Opens payloads for the Temporal UI. @throws where one is altered, or sealed under a secret that is not known. */
export async function openRemotePayloads(
  vault: Pick<Vault, 'sealBytes' | 'openBytes'>,
  payloads: readonly RemotePayload[],
): Promise<RemotePayload[]> {
  const read = payloads.map((payload) => PayloadMessage.fromObject(payload));
  const opened = await createPayloadCodec(vault, false).decode(read);
  return opened.map((payload) => PayloadMessage.toObject(PayloadMessage.fromObject(payload), { bytes: String }));
}
