import type { NormalisedCall, Turn } from '../../src/domain/calls/call.ts';
import { storedText } from '../../src/domain/calls/quotes.ts';
import { isJsonObject, type Json } from '../../src/domain/json.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import { mergeSpans } from '../../src/domain/spans/merge-spans.ts';
import { splitCalls } from '../../src/domain/spans/split-calls.ts';
import { UnreadableRequest } from '../../src/inbound/otlp/read-request.ts';
import { readTraces } from '../../src/inbound/otlp/read-traces.ts';
import { createFileReader, readRecord } from '../../src/platforms/file/reader.ts';
import { brokenOff } from '../../src/platforms/formats/broken-off.ts';
import { cutIntoCalls } from '../../src/platforms/formats/cut.ts';
import { normaliseSpans } from '../../src/platforms/otel/normalise.ts';
import { UnreadableCall } from '../../src/platforms/port.ts';
import type { Kind } from './examples.ts';

const PROJECT = new URL('../../', import.meta.url).href;
const NOW_MS = Date.UTC(2026, 11, 1);

/** Reads a payload as the product does and analyses what it says. @returns what is wrong with the outcome, in words; null: nothing. */
export function whatIsWrong(kind: Kind, payload: Json): string | null {
  try {
    for (const call of readCalls(kind, payload)) {
      const wrong = wrongWithCall(call) ?? wrongWithAnalysis(call);
      if (wrong !== null) return wrong;
    }
    return null;
  } catch (error) {
    if (error instanceof UnreadableCall || error instanceof UnreadableRequest) {
      return error.message.length > 10 ? null : `refused without a reason: ${error.message}`;
    }
    return error instanceof Error ? whereThrown(error) : String(error);
  }
}

const whereThrown = ({ stack = '', message }: Error): string =>
  (stack || message).replaceAll(PROJECT, '').split('\n').slice(0, 4).join(' | ');

function readCalls(kind: Kind, payload: Json): NormalisedCall[] {
  if (kind === 'record') return [createFileReader(() => NOW_MS).normalise(payload)];
  if (kind === 'document') {
    brokenOff(JSON.stringify(payload).slice(0, -1));
    return cutIntoCalls(payload).flatMap(callOrNone);
  }
  const { groups } = readTraces(Buffer.from(JSON.stringify(payload)), 'json');
  return splitCalls(mergeSpans([groups])).calls.flatMap((call) => {
    try {
      return [normaliseSpans(call, NOW_MS)];
    } catch (error) {
      if (error instanceof UnreadableCall) return [];
      throw error;
    }
  });
}

/** Of several calls those that are refused keep nobody from the others. */
function callOrNone(call: Json): NormalisedCall[] {
  try {
    return [readRecord(call, NOW_MS).call];
  } catch (error) {
    if (error instanceof UnreadableCall && error.message.length > 10) return [];
    throw error;
  }
}

function wrongWithCall(call: NormalisedCall): string | null {
  const { providerCallId, startedAt, endedAt, durationMs, turns, transitions, version, costUsd } = call;
  if (providerCallId === '') return 'the call has no id';
  if (!Number.isInteger(durationMs) || durationMs < 0) return `it lasts ${durationMs}`;
  if (!Number.isInteger(version)) return `its version is ${version}`;
  if (costUsd !== null && !(costUsd >= 0 && Number.isFinite(costUsd))) return `it costs ${costUsd}`;
  for (const time of [startedAt, endedAt]) {
    if (time !== null && !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(time)) return `a time of it is ${time}`;
  }
  const bad = turns.find((turn, index) => turn.index !== index || !hasSoundTimes(turn));
  if (bad !== undefined) return `turn ${bad.index} is from ${bad.startMs} to ${bad.endMs}`;
  const lost = transitions.find(({ atTurn }) => atTurn < 0 || atTurn > turns.length);
  if (lost !== undefined) return `a step is taken at turn ${lost.atTurn} of ${turns.length}`;
  return isPlain(call) ? null : 'the call is no plain JSON';
}

function hasSoundTimes({ startMs, endMs }: Turn): boolean {
  const isSound = (time: number | null) => time === null || (Number.isFinite(time) && time >= 0);
  return isSound(startMs) && isSound(endMs) && (startMs === null || endMs === null || endMs >= startMs);
}

function wrongWithAnalysis(call: NormalisedCall): string | null {
  const analysis = analyseCall({ call, configuration: null }, {});
  if (!isPlain(analysis)) return 'the analysis is no plain JSON';
  const { outcome } = analysis;
  if (outcome !== null && outcome !== 'no_contact' && outcome !== 'transferred' && call.turns.every(isNothing)) {
    return `it is ${outcome}, and the record holds nothing that was said or done`;
  }
  for (const { code, turnIndex, quote } of analysis.signals) {
    if (!isQuoted(call, turnIndex, quote)) return `${code} quotes what turn ${turnIndex} does not say: ${quote}`;
  }
  for (const { turn, text } of [...analysis.claims, ...analysis.requests]) {
    if (!isQuoted(call, turn, text)) return `turn ${turn} does not say: ${text}`;
  }
  return null;
}

const isNothing = ({ text, toolCall, toolResult, wordsMissing, dtmf }: Turn): boolean =>
  text.trim() === '' && toolCall === null && toolResult === null && wordsMissing !== true && dtmf === null;

function isQuoted({ turns }: NormalisedCall, index: number, quote: string): boolean {
  const cited = turns[index];
  if (cited === undefined) return index === 0 && quote === '';
  return cited.text.includes(quote) || (cited.toolResult !== null && storedText(cited.toolResult.body).includes(quote));
}

/** Whether nothing of it is lost where it is stored as JSON: no number that is none, nothing that is undefined in a list. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((one) => one !== undefined && isPlain(one));
  if (value === null || value === undefined) return true;
  if (typeof value === 'object') return isJsonObject(value) && Object.values(value).every(isPlain);
  return typeof value === 'string' || typeof value === 'boolean';
}
