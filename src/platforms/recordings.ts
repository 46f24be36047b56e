import { type Platform, sendsCalls } from '../domain/vocabulary.ts';
import { createOutbound, type Outbound, type OutboundStream } from '../outbound/outbound.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { PlatformConnection } from './platform-connection.ts';
import { type PlatformAdapter, PlatformError, type RecordedChannels } from './port.ts';
import { createPlatforms } from './registry.ts';

/** As long as a request to us may take. */
const TIMEOUT_MS = 300_000;
/** Three hours of two channels at 8 kHz. */
const MAX_BYTES = 384 * 1024 * 1024;
const MEDIA_TYPE = /^audio\/[\w.+-]{1,60}$/;
const CONTENT_RANGE = /^bytes (\d+-\d+|\*)\/(\d+|\*)$/;

export interface RecordingAsked {
  platform: Platform;
  /** Null: where the platform is by itself. */
  baseUrl: string | null;
  apiKey: string;
  providerCallId: string;
  /** Header `Range` of the listener: one range of bytes, or none. */
  range: string | null;
  /** `separate`: the one with a channel for each side, where the platform keeps one. */
  channels: RecordedChannels;
}

/** A recording while it comes from where the platform keeps it. */
export interface Recording {
  status: 200 | 206 | 416;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
}

export type FoundRecording =
  | { kind: 'found'; recording: Recording }
  | { kind: 'none' }
  /** The reason is a sentence for people and names no address. */
  | { kind: 'unavailable'; reason: string };

export interface RecordingSource {
  open(asked: RecordingAsked): Promise<FoundRecording>;
}

/** Reaches platforms and what they name for it alone, by an outbound of its own. */
export function openRecordings(reach: { outboundAllow: string[]; demoUrl: string | null }): RecordingSource & {
  close(): Promise<void>;
} {
  const trustedOrigins = reach.demoUrl === null ? [] : [reach.demoUrl];
  const outbound = createOutbound({ allow: reach.outboundAllow, trustedOrigins });
  const { adapter } = createPlatforms({ outbound, demoUrl: reach.demoUrl });
  return {
    async open(asked) {
      if (sendsCalls(asked.platform)) return { kind: 'none' };
      try {
        return await find(adapter(asked.platform), outbound, asked);
      } catch (error) {
        if (error instanceof PlatformError) return { kind: 'unavailable', reason: error.message };
        if (error instanceof OutboundError) return { kind: 'unavailable', reason: UNREACHED[error.kind] };
        throw error;
      }
    },
    close: () => outbound.close(),
  };
}

/** Without the host, which is the platform's business. */
const UNREACHED: Record<OutboundError['kind'], string> = {
  address_refused: 'The recording is kept at an address that may not be reached from here.',
  unreachable: 'Where the recording is kept could not be reached.',
  timeout: 'Where the recording is kept did not answer in time.',
  too_large: 'The recording is too long to be played here.',
  redirected: 'Where the recording is kept pointed elsewhere, which is never followed.',
};

/** The platform is asked anew each time: addresses of recordings run out, and none is stored. */
async function find(adapter: PlatformAdapter, outbound: Outbound, asked: RecordingAsked): Promise<FoundRecording> {
  const baseUrl = asked.baseUrl ?? adapter.defaultBaseUrl;
  if (baseUrl === null) return { kind: 'none' };
  const connection: PlatformConnection = { baseUrl, apiKey: asked.apiKey };
  const call = await adapter.getCall(connection, asked.providerCallId);
  const place = call.state === 'over' ? adapter.recordingOf(call.payload, connection, asked.channels) : null;
  if (place === null) return { kind: 'none' };
  const stream = await outbound.open({
    method: 'GET',
    url: place.url,
    headers: { accept: 'audio/*', ...place.headers, ...(asked.range === null ? {} : { range: asked.range }) },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  return judge(stream);
}

async function judge(stream: OutboundStream): Promise<FoundRecording> {
  const { status } = stream;
  if (status === 200 || status === 206 || status === 416) {
    return { kind: 'found', recording: { status, headers: headersOf(stream), body: stream.body } };
  }
  await leave(stream.body);
  if (status === 404 || status === 410) return { kind: 'none' };
  return { kind: 'unavailable', reason: `Where the recording is kept refused it (${status}).` };
}

/** A body that nobody began to read keeps its connection: it is begun, and left. */
async function leave(body: OutboundStream['body']): Promise<void> {
  await body.next();
  await body.return();
}

/** Only what a player needs, and only where it reads as what it is. */
function headersOf({ headers }: OutboundStream): Record<string, string> {
  const type = headers['content-type'] ?? '';
  const length = headers['content-length'] ?? '';
  const range = headers['content-range'] ?? '';
  return {
    'content-type': MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
    'accept-ranges': 'bytes',
    ...(/^\d{1,15}$/.test(length) ? { 'content-length': length } : {}),
    ...(CONTENT_RANGE.test(range) ? { 'content-range': range } : {}),
  };
}
