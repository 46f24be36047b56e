import type { LatencyFigures, NormalisedCall, PlatformAnalysis } from '../../domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Direction } from '../../domain/vocabulary.ts';
import { asObject, given, idOf, metadataOf, numberOf, shortText, textMap, textOf } from '../lenient.ts';
import { UnreadableCall } from '../port.ts';
import { dropImpossibleTimes, judgeTiming } from '../spoken-times.ts';
import { clockTime } from '../start-time.ts';
import { milliseconds } from '../turn-parts.ts';
import { elevenLabsEnding } from './endings.ts';
import { type CallMetadata, type Conversation, callMetadata, conversation, phoneCall } from './payloads.ts';
import { readTurns } from './turns.ts';

const LONGEST_CALL_S = 7 * 86_400;
const DEAREST_CALL_USD = 1_000_000;

/** Until its analysis is there, a conversation is left for the next look: costs and results come with it. */
export const isOver = (status: string | null) => status === 'done' || status === 'failed';

/**
 * A conversation of ElevenLabs' `GET /v1/convai/conversations/{id}`, in our words.
 * @param nowMs only to refuse start times in the future.
 * @throws UnreadableCall when the payload is no object or has no `conversation_id`.
 */
export function normaliseElevenLabs(payload: Json, nowMs: number): NormalisedCall {
  if (!isJsonObject(payload)) throw new UnreadableCall('The record is not a JSON object.');
  const call = conversation.parse(payload);
  const providerCallId = idOf(call.conversation_id);
  if (providerCallId === null) throw new UnreadableCall('The conversation has no usable `conversation_id`.');
  const metadata = callMetadata.parse(call.metadata ?? {});
  const phone = metadata.phone_call === null ? null : phoneCall.parse(metadata.phone_call);

  const warnings: string[] = [];
  const startSeconds = metadata.start_time_unix_secs === 0 ? null : metadata.start_time_unix_secs;
  const startedAt = clockTime(startSeconds === null ? null : startSeconds * 1000, { what: 'start', nowMs, warnings });
  const durationMs = readDuration(metadata, warnings);
  const over = isOver(call.status);
  const machine = phone?.call_result === 'voicemail' || mentionsVoicemail(call.transcript ?? []);
  if (machine) warnings.push("A machine answered: what it said isn't counted as the caller's words.");
  const { turns, transitions, systemResults } = readTurns(call.transcript ?? [], {
    over,
    durationMs,
    machine,
    warnings,
  });
  dropImpossibleTimes(turns, durationMs, warnings);
  const errorCode = shortText(metadata.error?.code) ?? numberOf(metadata.error?.code)?.toString() ?? null;
  const partial = readPartial({ over, durationMs, turnCount: turns.length }, warnings);

  return {
    providerCallId,
    version: 1,
    versionBy: call.version_id === null ? 'at_start' : { ref: call.version_id },
    startedAt,
    endedAt: startedAt === null ? null : new Date(Date.parse(startedAt) + durationMs).toISOString(),
    durationMs,
    direction: readDirection(phone?.direction ?? null),
    channel: metadata.text_only === true ? 'text' : 'voice',
    language: shortText(metadata.main_language, 35),
    disconnectionReason: reasonOf(metadata, phone?.call_result ?? null, errorCode),
    ending: elevenLabsEnding({
      systemResults,
      callResult: phone?.call_result ?? null,
      errorCode,
      terminationReason: metadata.termination_reason,
      failed: call.status === 'failed',
    }),
    callerNumber: shortText(phone?.external_number, 120) ?? shortText(call.user_id, 120),
    turns,
    transitions,
    timing: judgeTiming(turns),
    latency: readLatency(call.transcript ?? []),
    costUsd: readCost(metadata.cost_fiat),
    variables: readVariables(call),
    ...metadataOf(collectedIn(call.analysis)),
    platformAnalysis: readAnalysis(call.analysis, machine),
    partial,
    warnings,
  };
}

function readDuration(metadata: CallMetadata, warnings: string[]): number {
  const seconds = metadata.call_duration_secs;
  if (seconds === null) return 0;
  if (seconds >= 0 && seconds <= LONGEST_CALL_S) return Math.round(seconds * 1000);
  warnings.push(`The duration of ${seconds} s can't be right and was left out.`);
  return 0;
}

function reasonOf(metadata: CallMetadata, callResult: string | null, errorCode: string | null): string {
  const stated = shortText(metadata.termination_reason);
  if (stated !== null) return stated;
  if (callResult !== null && callResult !== 'answered') return callResult;
  return errorCode === null ? 'unknown' : `error:${errorCode}`;
}

function readDirection(direction: string | null): Direction {
  return direction === 'inbound' || direction === 'outbound' ? direction : 'web';
}

/** Detection of a voicemail is a system tool whose result says so. */
function mentionsVoicemail(entries: readonly unknown[]): boolean {
  return entries.some((entry) => {
    const results = isJsonObject(entry) && Array.isArray(entry.tool_results) ? entry.tool_results : [];
    return results.some(
      (result) =>
        isJsonObject(result) &&
        isJsonObject(result.result) &&
        result.result.result_type === 'voicemail_detection_success',
    );
  });
}

function readPartial(facts: { over: boolean; durationMs: number; turnCount: number }, warnings: string[]): boolean {
  const reasons = [
    !facts.over && 'The conversation was still being processed when it was read.',
    facts.turnCount === 0 && facts.durationMs > 0 && 'The platform gave no transcript.',
  ].filter((reason) => reason !== false);
  warnings.push(...reasons);
  return reasons.length > 0;
}

const METRICS = {
  e2eMs: 'convai_ttf_audio_since_silence',
  llmMs: 'convai_llm_service_ttfb',
  ttsMs: 'convai_tts_service_ttfb',
  asrMs: 'convai_asr_trailing_service_latency',
} as const;

function readLatency(entries: readonly unknown[]): LatencyFigures | null {
  const figures: LatencyFigures = { e2eMs: [], llmMs: [], ttsMs: [], asrMs: [] };
  for (const entry of entries) {
    const all = isJsonObject(entry) ? entry.conversation_turn_metrics : null;
    if (!isJsonObject(all)) continue;
    // Older payloads hold the metrics one level higher.
    const metrics = isJsonObject(all.metrics) ? all.metrics : all;
    for (const part of ['e2eMs', 'llmMs', 'ttsMs', 'asrMs'] as const) {
      const metric = metrics[METRICS[part]];
      const elapsedMs = isJsonObject(metric) ? milliseconds(metric.elapsed_time) : null;
      if (elapsedMs !== null) figures[part].push(elapsedMs);
    }
  }
  return Object.values(figures).some((values: number[]) => values.length > 0) ? figures : null;
}

function readCost(cost: number | null): number | null {
  return cost === null || cost < 0 || cost > DEAREST_CALL_USD ? null : cost;
}

/** The platform's own variables begin with `system__`; the agent's author has not set them. */
function readVariables(call: Conversation): Record<string, string> | null {
  const given = call.conversation_initiation_client_data?.dynamic_variables;
  if (!isJsonObject(given)) return null;
  const own: JsonObject = Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('system__')));
  return textMap(own);
}

/** What the agent's author has the platform collect from each conversation. */
function collectedIn(analysis: JsonObject | null): JsonObject {
  const results = asObject(analysis?.['data_collection_results']);
  return given(Object.fromEntries(Object.entries(results).map(([name, result]) => [name, asObject(result)['value']])));
}

function readAnalysis(analysis: JsonObject | null, machine: boolean): PlatformAnalysis | null {
  if (analysis === null) return null;
  const verdict = textOf(analysis.call_successful);
  return {
    summary: shortText(analysis.transcript_summary, 4_000),
    successful: verdict === 'success' ? true : verdict === 'failure' ? false : null,
    sentiment: null,
    inVoicemail: machine,
  };
}
