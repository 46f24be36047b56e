import type { LatencyFigures, NormalisedCall, PlatformAnalysis } from '../../domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Direction } from '../../domain/vocabulary.ts';
import { idOf, metadataOf, numberOf, shortText, textMap } from '../lenient.ts';
import { UnreadableCall } from '../port.ts';
import { dropImpossibleTimes, judgeTiming, markInterruptions } from '../spoken-times.ts';
import { clockTime } from '../start-time.ts';
import { retellEnding } from './endings.ts';
import { type RetellCall, retellCall } from './payloads.ts';
import { readTurns } from './turns.ts';

const LONGEST_CALL_MS = 7 * 86_400_000;
const DEAREST_CALL_CENTS = 100_000_000;

/**
 * A call of Retell's `get-call`, in our words.
 * @param nowMs only to refuse start times in the future.
 * @throws UnreadableCall when the payload is no object or has no `call_id`.
 */
export function normaliseRetell(payload: Json, nowMs: number): NormalisedCall {
  if (!isJsonObject(payload)) throw new UnreadableCall('The record is not a JSON object.');
  const call = retellCall.parse(payload);
  const providerCallId = idOf(call.call_id);
  if (providerCallId === null) throw new UnreadableCall('The call has no usable `call_id`.');

  const warnings: string[] = [];
  const startedAt = clockTime(call.start_timestamp, { what: 'start', nowMs, warnings });
  const endedAt = clockTime(call.end_timestamp, { what: 'end', nowMs, warnings });
  const ending = retellEnding(call.disconnection_reason, call.call_status);
  const durationMs = readDuration(call, startedAt, endedAt, warnings);
  const over = call.call_status !== 'ongoing' && call.call_status !== 'registered';
  const machine = isMachine(call, ending.family === 'machine');
  if (machine) warnings.push("A machine answered: what it said isn't counted as the caller's words.");

  const source = findTranscript(call);
  const { turns, transitions } = readTurns(source.entries, { over, durationMs, machine, warnings });
  dropImpossibleTimes(turns, durationMs, warnings);
  const timing = judgeTiming(turns);
  if (timing === 'exact') markInterruptions(turns);
  const partial = readPartial(call, { over, durationMs, turnCount: turns.length, scrubbed: source.scrubbed }, warnings);

  return {
    providerCallId,
    version: readVersion(call.agent_version, warnings),
    startedAt,
    endedAt,
    durationMs,
    direction: readDirection(call),
    channel: 'voice',
    language: null,
    disconnectionReason: shortText(call.disconnection_reason) ?? 'unknown',
    ending,
    callerNumber: readCallerNumber(call),
    turns,
    transitions,
    timing,
    latency: readLatency(call.latency),
    costUsd: readCost(call.call_cost),
    variables: textMap(call.retell_llm_dynamic_variables),
    ...metadataOf(
      call.collected_dynamic_variables ?? undefined,
      call.call_analysis?.['custom_analysis_data'],
      call.metadata ?? undefined,
    ),
    platformAnalysis: readAnalysis(call.call_analysis),
    partial,
    warnings,
  };
}

/** The redacted transcript goes first where there is one; plain text comes last, as it has neither tools nor times. */
function findTranscript(call: RetellCall): { entries: readonly unknown[]; scrubbed: boolean } {
  const scrubbed = call.scrubbed_transcript_with_tool_calls ?? [];
  if (scrubbed.length > 0) return { entries: scrubbed, scrubbed: true };
  for (const entries of [call.transcript_with_tool_calls, call.transcript_object]) {
    if (entries !== null && entries.length > 0) return { entries, scrubbed: false };
  }
  return { entries: plainTranscript(call.transcript ?? ''), scrubbed: false };
}

function plainTranscript(transcript: string): JsonObject[] {
  const entries: { role: string; content: string }[] = [];
  for (const line of transcript.split('\n')) {
    const said = /^(Agent|User): ?(.*)$/.exec(line);
    if (said) entries.push({ role: said[1] === 'Agent' ? 'agent' : 'user', content: said[2] ?? '' });
    else if (line.trim() !== '' && entries.length > 0) {
      const last = entries[entries.length - 1];
      if (last) last.content = `${last.content} ${line.trim()}`;
    }
  }
  return entries;
}

function readDuration(call: RetellCall, startedAt: string | null, endedAt: string | null, warnings: string[]): number {
  const stated = call.duration_ms;
  if (stated !== null && stated >= 0 && stated <= LONGEST_CALL_MS) return Math.round(stated);
  if (stated !== null) warnings.push(`The duration of ${stated} ms can't be right and was left out.`);
  if (startedAt === null || endedAt === null) return 0;
  return Math.min(LONGEST_CALL_MS, Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)));
}

function readVersion(version: number | null, warnings: string[]): number {
  if (version !== null && Number.isSafeInteger(version) && version >= 0 && version <= 2_147_483_647) return version;
  warnings.push('The call names no agent version; it counts as version 1.');
  return 1;
}

function readDirection(call: RetellCall): Direction {
  if (call.call_type === 'web_call') return 'web';
  if (call.direction === 'inbound' || call.direction === 'outbound') return call.direction;
  return call.call_type === 'phone_call' || call.from_number !== null ? 'inbound' : 'web';
}

/** Withheld numbers come as words or as a code that spells ANONYMOUS; they identify nobody. */
function readCallerNumber(call: RetellCall): string | null {
  if (call.call_type === 'web_call') return null;
  const dialled = shortText(call.direction === 'outbound' ? call.to_number : call.from_number, 120);
  if (dialled === null || dialled === '+266696687') return null;
  return dialled.startsWith('sip:') || /\d{5,}/.test(dialled.replace(/[\s().-]/g, '')) ? dialled : null;
}

function isMachine(call: RetellCall, endedByMachine: boolean): boolean {
  return endedByMachine || (call.direction === 'outbound' && call.call_analysis?.in_voicemail === true);
}

function readPartial(
  call: RetellCall,
  facts: { over: boolean; durationMs: number; turnCount: number; scrubbed: boolean },
  warnings: string[],
): boolean {
  const reasons = [
    !facts.over && 'The call was still going on when it was read.',
    facts.scrubbed && 'The transcript was redacted by the platform.',
    call.data_storage_setting === 'basic_attributes_only' &&
      'The platform does not store the transcript of this agent.',
    facts.turnCount === 0 && facts.durationMs > 0 && 'The platform gave no transcript.',
  ].filter((reason) => reason !== false);
  warnings.push(...reasons);
  return reasons.length > 0;
}

function readLatency(latency: JsonObject | null): LatencyFigures | null {
  if (latency === null) return null;
  const figures = {
    e2eMs: latencyValues(latency.e2e),
    llmMs: latencyValues(latency.llm),
    ttsMs: latencyValues(latency.tts),
    asrMs: latencyValues(latency.asr),
  };
  return Object.values(figures).some((values) => values.length > 0) ? figures : null;
}

function latencyValues(part: Json | undefined): number[] {
  if (!isJsonObject(part) || !Array.isArray(part.values)) return [];
  return part.values.map(numberOf).filter((value): value is number => value !== null && value >= 0);
}

function readCost(cost: JsonObject | null): number | null {
  const cents = numberOf(cost?.combined_cost);
  return cents === null || cents < 0 || cents > DEAREST_CALL_CENTS ? null : Math.round(cents * 10_000) / 1_000_000;
}

function readAnalysis(analysis: JsonObject | null): PlatformAnalysis | null {
  if (analysis === null) return null;
  return {
    summary: shortText(analysis.call_summary, 4_000),
    successful: typeof analysis.call_successful === 'boolean' ? analysis.call_successful : null,
    sentiment: shortText(analysis.user_sentiment),
    inVoicemail: typeof analysis.in_voicemail === 'boolean' ? analysis.in_voicemail : null,
  };
}
