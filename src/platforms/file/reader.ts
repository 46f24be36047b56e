import type { NormalisedCall } from '../../domain/calls/call.ts';
import { sha256Hex } from '../../domain/digest.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import { type Platform, sendsCalls } from '../../domain/vocabulary.ts';
import { normaliseElevenLabs } from '../elevenlabs/normalise.ts';
import type { Format, Given, Reading } from '../formats/format.ts';
import { givenIn } from '../formats/handed-over.ts';
import { ownId, withId } from '../formats/own-id.ts';
import { nearestOf, recognize } from '../formats/registry.ts';
import { endingOf } from '../otel/livekit.ts';
import { normaliseSpans } from '../otel/normalise.ts';
import { readSpanRecord } from '../otel/record.ts';
import { type RecordReader, UnreadableCall } from '../port.ts';
import { normaliseRetell } from '../retell/normalise.ts';
import { normaliseVapi } from '../vapi/normalise.ts';
import { normaliseRecord } from './normalise.ts';

/** What a record was recognized as, and the call that it holds. */
export interface RecognizedCall {
  format: string;
  call: NormalisedCall;
}

/** Reads records that were uploaded or sent: our own shape, another format of the registry, or spans that were kept. */
export function createFileReader(nowMs: () => number = Date.now): RecordReader {
  return {
    platform: 'file',
    normalise: (payload) => readRecord(payload, nowMs()).call,
  };
}

/** @throws UnreadableCall with what was recognized and what to do, in words. */
export function readRecord(payload: Json, nowMs: number): RecognizedCall {
  if (isJsonObject(payload)) {
    const spans = readSpanRecord(payload);
    if (spans !== null) return { format: 'spans', call: normaliseSpans(spans, nowMs) };
  }
  const given = givenIn(payload);
  const format = recognize(given.value);
  if (format === null) {
    const { sentence, field } = nearestOf(given.value);
    throw new UnreadableCall(`The record is of no format that is known. ${sentence}`, field);
  }
  return { format: format.name, call: callOf(given, readAs(format, given), nowMs) };
}

function readAs(format: Format, given: Given): Reading {
  try {
    return format.read(given);
  } catch (error) {
    if (!(error instanceof UnreadableCall)) throw error;
    // Most sentences name the format already.
    const isNamed = format.name.split(' ').some((word) => /^[A-Z]/.test(word) && error.message.includes(word));
    throw isNamed ? error : new UnreadableCall(`${format.name}: ${error.message}`, error.field);
  }
}

const PLATFORMS = { retell: normaliseRetell, vapi: normaliseVapi, elevenlabs: normaliseElevenLabs };

/** What a platform answered of a call, or what was sent, as the call that it holds. @throws UnreadableCall */
export function normalisePayload(platform: Platform, payload: Json, nowMs: number): NormalisedCall {
  if (sendsCalls(platform)) return readRecord(payload, nowMs).call;
  return PLATFORMS[platform === 'demo' ? 'retell' : platform](payload, nowMs);
}

function callOf(given: Given, read: Reading, nowMs: number): NormalisedCall {
  const own = ownId(read);
  const { id, warning } = own === null ? idFor(given) : { id: own, warning: null };
  const reading = withId(read, id);
  const call =
    reading.as === 'record'
      ? normaliseRecord(reading, given.timeZone, nowMs)
      : PLATFORMS[reading.as](reading.payload, nowMs);
  if (own === null && call.turns.length === 0) {
    throw new UnreadableCall('The record holds neither an id nor a turn.', 'turns');
  }
  const warnings = [...(warning === null ? [] : [warning]), ...(reading.warnings ?? []), ...call.warnings];
  const isClosed = reading.as === 'record' && reading.closeReason !== undefined;
  return { ...call, ...(isClosed ? { ending: endingOf(reading.closeReason ?? null) } : {}), warnings };
}

const DIGITS_OF_ID = 24;

/** What is nowhere called by a name is called after its file, else after its content, so that the same again is the same call. */
function idFor({ name, value }: Given): { id: string; warning: string } {
  if (name !== null) return { id: name, warning: `The call has no id: it is called after its file, ${name}.` };
  const id = `content-${sha256Hex(JSON.stringify(value)).slice(0, DIGITS_OF_ID)}`;
  return { id, warning: 'The call has no id: it is called after its content, so the same content is the same call.' };
}
