import { missingNodes, missingPhrases } from '../signals/needs.ts';
import type { CallReading } from '../signals/reading.ts';
import { findPhrase } from '../tests/find-phrase.ts';
import { stepsNamed, toolNames } from '../tests/named-parts.ts';
import type { Outcome } from '../vocabulary.ts';
import type { CallFilter, Gap, WatchScope } from './watch.ts';
import { asksForPerson } from './words.ts';

/** What a watch looks at: the reading of a call, its outcome, and its intent where that is known by then. */
export interface WatchedCall {
  reading: CallReading;
  intent: string | null;
  outcome: Outcome | null;
}

/** Where the scope begins on a call; null where the call is outside. */
export type Beginning = { turn: number } | null | Gap;

export const NO_TOOLS: Gap = { gap: 'The record of this call holds no tool calls.' };

export function usesOf(tool: string, { tools, configuration }: CallReading) {
  const names = toolNames(tool, configuration);
  return tools.filter(({ name, definition }) => names.has(name) || definition?.id === tool);
}

export const turnOf = (use: { callTurn: number | null; resultTurn: number | null }) =>
  use.callTurn ?? use.resultTurn ?? 0;

/** @param from where the call came to the step again, the first time at this turn or behind it counts. */
export function enteringOf(step: string, reading: CallReading, from = 0) {
  const ids = stepsNamed(step, reading.configuration);
  const isIt = ({ nodeId, label }: CallReading['nodes'][number]) =>
    nodeId === step || label === step || ids.has(nodeId);
  return reading.nodes.find((entry) => entry.turn >= from && isIt(entry)) ?? null;
}

/** The version is left to storing, which knows it for sure. */
export function beginningOf(scope: WatchScope, call: WatchedCall): Beginning {
  const outside = scope.calls ? outsideOf(scope.calls, call.reading) : false;
  return outside === false ? baseBeginning(scope, call) : outside;
}

/** False where the record says all of it, null where it says otherwise. */
function outsideOf(filter: CallFilter, { call, language, answered }: CallReading): false | null | Gap {
  const { direction, longerThanS, shorterThanS, answeredBy, variables } = filter;
  if (direction !== undefined && call.direction !== direction) return null;
  if (longerThanS !== undefined || shorterThanS !== undefined) {
    if (call.durationMs <= 0) return { gap: 'The record does not say how long this call lasted.' };
    const seconds = call.durationMs / 1000;
    if (seconds <= (longerThanS ?? 0) || seconds >= (shorterThanS ?? Number.POSITIVE_INFINITY)) return null;
  }
  if (answeredBy !== undefined && answered.by !== answeredBy) return null;
  if (filter.language !== undefined && language === null) return { gap: 'The language of this call is not known.' };
  if (filter.language !== undefined && language?.split('-')[0] !== filter.language) return null;
  if (variables === undefined) return false;
  if (call.variables === null) return { gap: 'The record does not say which variables this call began with.' };
  const { variables: given } = call;
  return Object.entries(variables).every(([name, value]) => given[name] === value) ? false : null;
}

function baseBeginning(scope: WatchScope, { reading, intent, outcome }: WatchedCall): Beginning {
  switch (scope.kind) {
    case 'all_calls':
      return reading.callerSpoke ? { turn: 0 } : null;
    case 'tool_called':
    case 'tool_failed': {
      if (reading.tools.length === 0) return NO_TOOLS;
      const wanted = (ok: boolean | null) => scope.kind === 'tool_called' || ok === false;
      const use = usesOf(scope.tool, reading).find(({ ok }) => wanted(ok));
      return use ? { turn: scope.kind === 'tool_failed' ? (use.resultTurn ?? turnOf(use)) : turnOf(use) } : null;
    }
    case 'step_reached': {
      const missing = missingNodes(reading);
      if (missing) return { gap: missing.reason };
      const entered = enteringOf(scope.step, reading);
      return entered && { turn: entered.turn };
    }
    case 'intent':
      if (intent === null) return { gap: 'What the call is about is not known yet.' };
      return intent === scope.intent ? { turn: 0 } : null;
    case 'outcome':
      return outcome === scope.outcome ? { turn: 0 } : null;
    case 'caller_said':
      return callerSaid(scope, reading);
    default:
      return scope satisfies never;
  }
}

function callerSaid(scope: Extract<WatchScope, { kind: 'caller_said' }>, reading: CallReading): Beginning {
  if ('act' in scope) {
    const missing = missingPhrases(reading);
    if (missing) return { gap: missing.reason };
    const turn = reading.caller.find(asksForPerson);
    return turn ? { turn: turn.index } : null;
  }
  const turn = reading.caller.find((one) => findPhrase(one.turn.text, scope.text) !== null);
  return turn ? { turn: turn.index } : null;
}
