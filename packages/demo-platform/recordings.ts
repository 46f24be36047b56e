import type { DemoAccounts } from './accounts.ts';
import { soundOf } from './sound.ts';

const PATH = /^\/demo\/recordings\/([^/]+)\.wav$/;
const RANGE = /^bytes=(\d+)-(\d*)$/;

export interface SoundAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** `GET /demo/recordings/<call id>.wav`, whole or a range of it; null for other requests and for calls without one. */
export function answerSound(
  accounts: DemoAccounts,
  asked: { path: string; authorization: string | undefined; range: string | undefined },
): SoundAnswer | null {
  const id = PATH.exec(asked.path)?.[1];
  const store = accounts.storeOf(asked.authorization?.replace(/^Bearer /, '') ?? '');
  const call = id === undefined ? undefined : store?.callById.get(id);
  if (call === undefined || call.state !== 'over' || !('transcript_object' in call.payload)) return null;
  return cut(soundOf(call), asked.range);
}

function cut(sound: Buffer, range: string | undefined): SoundAnswer {
  const headers = { 'content-type': 'audio/wav', 'accept-ranges': 'bytes' };
  const [, first, last] = RANGE.exec(range ?? '') ?? [];
  if (first === undefined) return { status: 200, headers, body: sound };
  const from = Number(first);
  const body = sound.subarray(from, last ? Number(last) + 1 : undefined);
  const of = `/${sound.length}`;
  if (body.length === 0) return { status: 416, headers: { ...headers, 'content-range': `bytes *${of}` }, body };
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${from}-${from + body.length - 1}${of}` },
    body,
  };
}
