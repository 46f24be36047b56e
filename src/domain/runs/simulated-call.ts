import type { Ending, NormalisedCall, Transition } from '../calls/call.ts';
import { analyseCall } from '../signals/analyse-call.ts';
import { CATALOGUE } from '../signals/catalogue.ts';
import type { DetectorInput, Thresholds } from '../signals/detector-input.ts';
import { readEvents, toolUsesOf } from '../tests/call-events.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { PlayedCall, Problem } from './attempt.ts';
import { addressesJudge } from './judge-address.ts';

export interface SimulatedBy {
  /** Stands for the platform's id of the call. */
  attemptId: string;
  version: number;
  configuration: AgentConfiguration | null;
  thresholds: Thresholds;
  phraseRules?: DetectorInput['phraseRules'];
}

/** What our own detectors find in a simulated call. That a tool had no fixture is the test's doing and no finding. */
export function problemsOf(played: PlayedCall, by: SimulatedBy): Problem[] {
  const call = simulatedCall(played, by);
  const { configuration, thresholds, phraseRules } = by;
  const input = { call, configuration, ...(phraseRules ? { phraseRules } : {}) };
  const { signals } = analyseCall(input, thresholds);
  const withoutFixture = new Set(played.noFixture);
  const found = signals
    .filter(({ place }) => place.kind !== 'tool' || !(withoutFixture.has(place.id) || withoutFixture.has(place.label)))
    .map(
      ({ code, severity, detail }): Problem => ({
        code,
        title: CATALOGUE.get(code)?.title ?? code,
        severity,
        detail,
      }),
    );
  return [...found, ...addresses(played)];
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
