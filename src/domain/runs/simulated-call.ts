import type { Ending, NormalisedCall, Transition } from '../calls/call.ts';
import { analyseCall } from '../signals/analyse-call.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import type { DetectorInput, Thresholds } from '../signals/detector-input.ts';
import { readEvents, toolUsesOf } from '../tests/call-events.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { Findings, PlayedCall, Problem } from './attempt.ts';
import { addressesJudge } from './judge-address.ts';

export interface SimulatedBy {
  /** Stands for the platform's id of the call. */
  attemptId: string;
  version: number;
  configuration: AgentConfiguration | null;
  thresholds: Thresholds;
  phraseRules?: DetectorInput['phraseRules'];
  toolRules?: DetectorInput['toolRules'];
}

/** What our own detectors find in a simulated call. That a tool had no fixture is the test's doing and no finding. */
export function findingsOf(played: PlayedCall, by: SimulatedBy): Findings {
  const call = simulatedCall(played, by);
  const { configuration, thresholds, phraseRules, toolRules } = by;
  const input = { call, configuration, ...(phraseRules ? { phraseRules } : {}), ...(toolRules ? { toolRules } : {}) };
  const { signals, observations, notComputable } = analyseCall(input, thresholds);
  const noFixture = new Set(played.noFixture);
  const { found = [], ofTest = [] } = Object.groupBy(signals, ({ place: { kind, id, label } }) =>
    kind === 'tool' && (noFixture.has(id) || noFixture.has(label)) ? 'ofTest' : 'found',
  );
  const candidates = observations.filter(({ kind }) => kind === 'candidate');
  return {
    found: found.map(({ code, severity, detail, turnIndex, quote }) => ({
      code,
      title: CATALOGUE.get(code)?.title ?? code,
      severity,
      detail,
      turnIndex,
      quote,
    })),
    withoutFixture: ofTest.map(({ code }) => code),
    open: [
      ...notComputable.map(({ code, reason }) => ({ code, reason })),
      ...candidates.map(({ rule, detail }) => ({ code: rule, reason: `Rules alone do not settle it: ${detail}` })),
    ],
  };
}

/** The findings as an attempt lists them. */
export function problemsOf(
  played: PlayedCall,
  by: SimulatedBy,
  { found }: Findings = findingsOf(played, by),
): Problem[] {
  const problems = found.map(({ code, title, severity, detail }): Problem => ({ code, title, severity, detail }));
  return [...problems, ...addresses(played)];
}

/** A production call as though it had been played: its words and tools, without times and sound. */
export function playedFormOf({ turns, ending }: Pick<NormalisedCall, 'turns' | 'ending'>): PlayedCall {
  const steps = turns.flatMap(({ nodeId }) => nodeId ?? []);
  return {
    turns: turns.map((turn) => ({
      ...turn,
      startMs: null,
      endMs: null,
      words: null,
      interrupted: false,
      alternatives: null,
      toolResult: turn.toolResult && { ...turn.toolResult, latencyMs: null },
    })),
    endedBy: endedByOf(ending),
    steps: steps.filter((step, at) => step !== steps[at - 1]),
    noFixture: [],
    trouble: null,
  };
}

function endedByOf({ family, endedBy }: Ending): PlayedCall['endedBy'] {
  if (family === 'transfer') return 'transfer';
  return endedBy === 'agent' || endedBy === 'caller' ? endedBy : null;
}

/** Not in the catalogue: on the telephone nobody judges, so only a simulated call can show it. */
function addresses({ turns }: PlayedCall): Problem[] {
  return turns
    .filter((turn) => turn.role === 'agent' && addressesJudge(turn))
    .map(({ index }) => ({
      code: 'addresses_the_judge',
      title: 'Speaks to whoever judges the call',
      severity: 'high',
      detail: `Turn ${index} speaks to the judge of the test. It was not shown to the judge and proves nothing.`,
    }));
}

/** The played call as the detectors read calls: as text, without times. */
function simulatedCall(played: PlayedCall, by: SimulatedBy): NormalisedCall {
  return {
    providerCallId: by.attemptId,
    version: by.version,
    startedAt: null,
    endedAt: null,
    durationMs: 0,
    direction: 'inbound',
    channel: 'text',
    language: by.configuration?.language ?? null,
    disconnectionReason: played.endedBy ?? 'unknown',
    ending: endingOf(played),
    callerNumber: null,
    turns: played.turns,
    transitions: transitionsOf(played, by.configuration),
    timing: 'none',
    latency: null,
    costUsd: null,
    variables: null,
    platformAnalysis: null,
    partial: false,
    warnings: [],
  };
}

function endingOf({ endedBy }: PlayedCall): Ending {
  switch (endedBy) {
    case 'agent':
      return { hint: 'unknown', family: 'agent_end', endedBy: 'agent' };
    case 'caller':
      return { hint: 'unknown', family: 'caller_end', endedBy: 'caller' };
    case 'transfer':
      return { hint: 'transferred', family: 'transfer', endedBy: 'agent' };
    case 'limit':
    case null:
      return { hint: 'unknown', family: 'unknown', endedBy: 'unknown' };
    default:
      return endedBy satisfies never;
  }
}

function transitionsOf(played: PlayedCall, configuration: AgentConfiguration | null): Transition[] {
  const steps = readEvents(played, toolUsesOf(played, configuration)).filter(({ kind }) => kind === 'step');
  const lastTurn = played.turns.at(-1)?.index ?? 0;
  let atTurn = lastTurn;
  // A step without a turn of its own was left before the next one that has.
  const turns = steps.reduceRight<number[]>((later, { turn }) => {
    atTurn = turn ?? atTurn;
    return [atTurn, ...later];
  }, []);
  return steps.slice(1).map(
    ({ id }, at): Transition => ({
      atTurn: turns[at + 1] ?? lastTurn,
      atMs: null,
      fromId: steps[at]?.id ?? null,
      toId: id,
      toLabel: configuration?.nodes.find((node) => node.id === id)?.label ?? null,
      kind: 'simulated',
    }),
  );
}
