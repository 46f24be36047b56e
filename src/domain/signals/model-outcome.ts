import { type ActKind, does } from '../acts/act.ts';
import type { NormalisedCall } from '../calls/call.ts';
import { readTurns } from '../calls/read-turns.ts';

/** Outcomes that a model may judge: a hand-over and a call on which nobody spoke are proven by the record or not at all. */
export const JUDGED_OUTCOMES = ['resolved', 'unresolved', 'abandoned'] as const;
export type JudgedOutcome = (typeof JUDGED_OUTCOMES)[number];

/** Acts that can show how a call ended. */
const SHOW: Record<'resolved' | 'unresolved', { agent: ActKind[]; caller: ActKind[]; against: ActKind[] }> = {
  resolved: {
    agent: ['claims_done', 'reads_back', 'informs'],
    caller: ['thanks', 'confirms', 'closes'],
    against: ['cannot', 'complains', 'denies', 'gives_up'],
  },
  unresolved: {
    agent: ['cannot', 'apologises', 'promises'],
    caller: ['complains', 'denies', 'gives_up', 'asks_again', 'already_told'],
    against: [],
  },
};
/** Leaving shows in the last words. */
const LAST_TURNS = 4;

/**
 * Whether the cited turn is of the kind that can show this ending, whatever the model says of it: done, told or thanked
 * for; refused, complained about or put off; left. What comes behind a turn must not deny it. Words without acts (a
 * language without lists) show nothing; a tool's result does.
 */
export function carriesOutcome(
  call: NormalisedCall,
  { outcome, turn }: { outcome: JudgedOutcome; turn: number },
): boolean {
  const { spoken, spokenAt, tools } = readTurns({ call, configuration: null });
  const cited = spokenAt.get(turn);
  if (outcome === 'abandoned') {
    const isLate = spoken.slice(-LAST_TURNS).some(({ index }) => index === turn);
    return (
      isLate &&
      call.ending.endedBy !== 'agent' &&
      !does(
        spoken.findLast(({ role }) => role === 'caller'),
        'thanks',
      )
    );
  }
  const { agent, caller, against } = SHOW[outcome];
  if (spoken.some((one) => one.index > turn && does(one, ...against))) return false;
  const result = tools.find(({ resultTurn }) => resultTurn === turn);
  if (result)
    return outcome === 'resolved' ? result.ok === true && !result.refusal : result.ok === false || result.refusal;
  return does(cited, ...(cited?.role === 'caller' ? caller : agent));
}
