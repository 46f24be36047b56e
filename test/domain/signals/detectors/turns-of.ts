import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../../acts/talk.ts';
import { type Given, type Line, scripted } from '../scripted-call.ts';

/** Turns at which a code is a signal, on a call of plain lines (`a:` agent, `c:` caller) and others. */
export function turnsOf(code: string, lines: readonly (string | Line)[], given: Given = {}): number[] {
  return analysed(lines, given).signals.flatMap((signal) => (signal.code === code ? [signal.turnIndex] : []));
}

/** Turns at which it is only suspected. */
export function suspectedAt(code: string, lines: readonly (string | Line)[], given: Given = {}): number[] {
  return analysed(lines, given).observations.flatMap(({ rule, kind, turnIndex }) =>
    rule === code && kind === 'candidate' ? [turnIndex] : [],
  );
}

function analysed(lines: readonly (string | Line)[], given: Given) {
  const call = scripted(
    lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
    given,
  );
  return analyseCall(call, {});
}

export const BY_AGENT: Given = { ending: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' } };
