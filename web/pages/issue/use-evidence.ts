import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../client/api.ts';
import { duration } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { callQuery, callSignalsQuery } from '../call/queries.ts';
import { evidenceQuery } from './queries.ts';

type Issue = Schemas['Issue'];
type Signal = Schemas['DetectedSignal'];
type Turn = Schemas['Turn'];

export interface EvidenceShown {
  callId: string;
  call: Schemas['Call'];
  turnIndex: number;
  /** Empty for what the whole call shows. */
  quote: string;
  detail: string;
  /** What it was held against, where a model found it. */
  proof: Signal['proof'];
  /** Who said it and when: "the tool find_slots at 0:41". */
  said: string;
}

/** The evidence calls of an issue, newest first, and what one of them shows. */
export function useEvidence(issue: Issue, at: number) {
  const agentId = useAgent().id;
  const calls = useQuery(evidenceQuery({ agentId, issueId: issue.id }));
  const shown = calls.data?.data[at];
  const path = { agentId, callId: shown?.id ?? '' };
  const enabled = shown !== undefined;
  const call = useQuery({ ...callQuery(path), enabled });
  const signals = useQuery({ ...callSignalsQuery(path), enabled });
  const current =
    shown && call.data && signals.data
      ? evidenceOf(issue, shown, call.data.transcript, signals.data.detected ?? [])
      : null;
  return { calls, current, error: call.error ?? signals.error };
}

function evidenceOf(
  issue: Issue,
  call: Schemas['Call'],
  transcript: Turn[] | null,
  detected: Signal[],
): EvidenceShown | null {
  const signal = signalOf(issue, detected);
  if (!signal) return null;
  const turn = transcript?.find(({ index }) => index === signal.turnIndex);
  return {
    callId: call.id,
    call,
    turnIndex: signal.turnIndex,
    quote: signal.evidenceQuote,
    detail: signal.detail,
    proof: signal.proof,
    said: turn ? saidBy(turn) : `turn ${signal.turnIndex}`,
  };
}

/** The signal that made this call evidence: the issue's own code at its place first, then any of its symptoms. */
export function signalOf(issue: Issue, detected: Signal[]): Signal | undefined {
  const codes = new Set([issue.code, ...issue.symptoms.map(({ code }) => code)]);
  const own = detected.filter(({ code }) => codes.has(code));
  const atPlace = own.filter(({ location }) => location.id === issue.location.id);
  return (
    atPlace.find(({ code }) => code === issue.code) ??
    atPlace[0] ??
    own.find(({ code }) => code === issue.code) ??
    own[0]
  );
}

export function saidBy({ role, startMs, toolCall, toolResult }: Turn): string {
  const tool = toolResult?.name ?? toolCall?.name;
  const who = tool
    ? `the tool ${tool}`
    : { caller: 'the caller', agent: 'the agent', tool: 'a tool', other: 'another voice' }[role];
  return startMs === null ? who : `${who} at ${duration(startMs)}`;
}
