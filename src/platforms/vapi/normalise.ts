import type { LatencyFigures, NormalisedCall, PlatformAnalysis } from '../../domain/calls/call.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Direction } from '../../domain/vocabulary.ts';
import { idOf, metadataOf, numberOf, shortText, textMap } from '../lenient.ts';
import { UnreadableCall } from '../port.ts';
import { dropImpossibleTimes, judgeTiming, markInterruptions } from '../spoken-times.ts';
import { clockTime } from '../start-time.ts';
import { vapiEnding } from './endings.ts';
import { type VapiArtifact, type VapiCall, vapiActivation, vapiArtifact, vapiCall } from './payloads.ts';
import { readTurns } from './turns.ts';
import { numberOfVersion } from './version-label.ts';

const LONGEST_CALL_MS = 7 * 86_400_000;
const DEAREST_CALL_USD = 1_000_000;

const OVER: ReadonlySet<string> = new Set(['ended', 'not-found', 'deletion-failed']);

export const isOver = ({ status, endedAt, endedReason }: VapiCall) =>
  status === null ? endedAt !== null || endedReason !== null : OVER.has(status);

/**
 * A call of Vapi's `GET /call/{id}`, in our words.
 * @param nowMs only to refuse start times in the future.
 * @throws UnreadableCall when the payload is no object or has no `id`.
 */
export function normaliseVapi(payload: Json, nowMs: number): NormalisedCall {
  if (!isJsonObject(payload)) throw new UnreadableCall('The record is not a JSON object.');
  const call = vapiCall.parse(payload);
  const artifact = vapiArtifact.parse(call.artifact ?? {});
  const providerCallId = idOf(call.id);
  if (providerCallId === null) throw new UnreadableCall('The call has no usable `id`.');

  const warnings: string[] = [];
  const startedAt = clockTime(timeOf(call.startedAt), { what: 'start', nowMs, warnings });
  const endedAt = clockTime(timeOf(call.endedAt), { what: 'end', nowMs, warnings });
  const durationMs = durationOf(startedAt, endedAt, warnings);
  const ending = vapiEnding(call.endedReason);
  const machine = ending.family === 'machine';
  if (machine) warnings.push("A machine answered: what it said isn't counted as the caller's words.");
  const over = isOver(call);
  const squad = call.squadId !== null || call.squad !== null;
  const messages = findMessages(call, artifact);
  const { turns, transitions } = readTurns(messages, { over, durationMs, machine, squad, warnings });
  dropImpossibleTimes(turns, durationMs, warnings);
  const timing = judgeTiming(turns);
  if (timing === 'exact') markInterruptions(turns);
  const partial = readPartial({ over, durationMs, turnCount: turns.length }, warnings);

  return {
    providerCallId,
    ...readVersion(call, artifact),
    startedAt,
    endedAt,
    durationMs,
    direction: readDirection(call.type),
    channel: 'voice',
    language: null,
    disconnectionReason: shortText(call.endedReason) ?? 'unknown',
    ending,
    callerNumber: readCallerNumber(call.customer),
    turns,
    transitions,
    timing,
    latency: readLatency(artifact.performanceMetrics),
    costUsd: readCost(call),
    variables: textMap(artifact.variableValues ?? asObject(call.assistantOverrides?.variableValues)),
    ...metadataOf(call.analysis?.['structuredData'], call.assistantOverrides?.['metadata'], call.metadata ?? undefined),
    platformAnalysis: readAnalysis(call.analysis, machine),
    partial,
    warnings,
  };
}

function findMessages(call: VapiCall, artifact: VapiArtifact): readonly unknown[] {
  for (const messages of [artifact.messages, call.messages]) {
    if (messages !== null && messages.length > 0) return messages;
  }
  return plainTranscript(artifact.transcript ?? '');
}

function plainTranscript(transcript: string): JsonObject[] {
  const messages: { role: string; message: string }[] = [];
  for (const line of transcript.split('\n')) {
    const said = /^(AI|User): ?(.*)$/.exec(line);
    const last = messages.at(-1);
    if (said) messages.push({ role: said[1] === 'AI' ? 'bot' : 'user', message: said[2] ?? '' });
    else if (line.trim() !== '' && last) last.message = `${last.message} ${line.trim()}`;
  }
  return messages;
}

/** The version that ran: what the assistant was activated with, else what was asked for, else the one live at the start. */
function readVersion(call: VapiCall, artifact: VapiArtifact): Pick<NormalisedCall, 'version' | 'versionBy'> {
  const activations = (artifact.assistantActivations ?? []).flatMap((entry) => {
    const read = vapiActivation.safeParse(entry);
    return read.success ? [read.data] : [];
  });
  const own = call.squadId === null ? activations.find(({ assistantId }) => assistantId === call.assistantId) : null;
  const version = call.squadId === null ? numberOfVersion(own?.assistantVersion ?? call.assistantVersion) : null;
  return version === null ? { version: 1, versionBy: 'at_start' } : { version };
}

function durationOf(startedAt: string | null, endedAt: string | null, warnings: string[]): number {
  if (startedAt === null || endedAt === null) return 0;
  const durationMs = Date.parse(endedAt) - Date.parse(startedAt);
  if (durationMs >= 0 && durationMs <= LONGEST_CALL_MS) return durationMs;
  warnings.push(`The duration of ${durationMs} ms can't be right and was left out.`);
  return 0;
}

function readDirection(type: string | null): Direction {
  if (type === 'inboundPhoneCall') return 'inbound';
  return type === 'outboundPhoneCall' ? 'outbound' : 'web';
}

function readCallerNumber(customer: JsonObject | null): string | null {
  const dialled = shortText(customer?.number, 120) ?? shortText(customer?.sipUri, 120);
  if (dialled === null) return null;
  return dialled.startsWith('sip:') || /\d{5,}/.test(dialled.replace(/[\s().-]/g, '')) ? dialled : null;
}

function readPartial(facts: { over: boolean; durationMs: number; turnCount: number }, warnings: string[]): boolean {
  const reasons = [
    !facts.over && 'The call was still going on when it was read.',
    facts.turnCount === 0 && facts.durationMs > 0 && 'The platform gave no transcript.',
  ].filter((reason) => reason !== false);
  warnings.push(...reasons);
  return reasons.length > 0;
}

function readLatency(metrics: JsonObject | null): LatencyFigures | null {
  const turns = Array.isArray(metrics?.turnLatencies) ? metrics.turnLatencies.filter(isJsonObject) : [];
  const values = (name: string) =>
    turns.map((turn) => numberOf(turn[name])).filter((value): value is number => value !== null && value >= 0);
  const figures = {
    e2eMs: values('turnLatency'),
    llmMs: values('modelLatency'),
    ttsMs: values('voiceLatency'),
    asrMs: values('transcriberLatency'),
  };
  return Object.values(figures).some((list) => list.length > 0) ? figures : null;
}

function readCost(call: VapiCall): number | null {
  const cost = call.cost ?? numberOf(call.costBreakdown?.total);
  return cost === null || cost < 0 || cost > DEAREST_CALL_USD ? null : cost;
}

function readAnalysis(analysis: JsonObject | null, machine: boolean): PlatformAnalysis | null {
  if (analysis === null) return null;
  const verdict = analysis.successEvaluation;
  const successful =
    verdict === 'true' || verdict === true ? true : verdict === 'false' || verdict === false ? false : null;
  return { summary: shortText(analysis.summary, 4_000), successful, sentiment: null, inVoicemail: machine };
}

function asObject(value: Json | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

function timeOf(iso: string | null): number | null {
  const timeMs = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isFinite(timeMs) ? timeMs : null;
}
