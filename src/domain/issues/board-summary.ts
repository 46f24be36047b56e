import { calls as say } from './sentences.ts';

/** Issues that the open list leaves out, by why; each is in one count. */
export interface HiddenIssues {
  /** Under the issue that they follow from, or that the same change fixes. */
  folded: number;
  /** Too few calls show them, or too small a share. */
  tooSmall: number;
  /** Their calls fare no worse than others, so a change would improve nothing. */
  heldBack: number;
  snoozed: number;
  resolved: number;
}

/** In a sentence; empty where nothing is hidden. */
export function hiddenText({ folded, tooSmall, heldBack, snoozed, resolved }: HiddenIssues): string {
  const told = [
    [folded, 'folded under the issue that explains them'],
    [tooSmall, 'too rare to be confirmed'],
    [heldBack, 'on calls that fare no worse than others'],
    [snoozed, 'snoozed'],
    [resolved, 'resolved'],
  ] as const;
  const parts = told.flatMap(([count, why]) => (count === 0 ? [] : [`${count} ${why}`]));
  return parts.length === 0 ? '' : `Not on the open list: ${parts.join(', ')}.`;
}

/** What was looked at and seen, whether or not it makes an issue. */
export interface BoardFacts {
  calls: number;
  endedBadly: number;
  /** Of those that ended badly, on a listed issue. */
  explained: number;
  /** Of the rest, in a row of calls that have something in common. */
  counted: number;
  signals: number;
  callsWithSignals: number;
  listed: number;
  /** Patterns that are too small to be confirmed, the largest first. */
  unconfirmed: readonly { title: string; place: string; calls: number }[];
  hidden: HiddenIssues;
  /** Codes that could be computed on no call, by what would change that. */
  missing: readonly { codes: readonly string[]; remedy: string | null; reason: string }[];
}

const TOLD = 3;

/** In sentences: an empty board is no proof of health, and says what would show more. */
export function summarise(facts: BoardFacts): string {
  if (facts.calls === 0) return 'No call has been analysed yet.';
  const issues =
    facts.listed === 0
      ? 'No issue is confirmed'
      : `${facts.listed} ${facts.listed === 1 ? 'issue is' : 'issues are'} listed`;
  const hidden = hiddenText(facts.hidden);
  return [
    `${issues} on ${say(facts.calls)}.`,
    ...(hidden === '' ? [] : [hidden]),
    seen(facts),
    endings(facts),
    ...small(facts),
    ...missing(facts),
  ].join(' ');
}

function seen({ signals, callsWithSignals }: BoardFacts): string {
  if (signals === 0) return 'No signal was noticed.';
  return `${signals} ${signals === 1 ? 'signal was' : 'signals were'} noticed on ${say(callsWithSignals)}.`;
}

function endings({ endedBadly, explained, counted }: BoardFacts): string {
  if (endedBadly === 0) return 'No call ended badly.';
  const told = [
    ...(explained > 0 ? [`${explained} with a listed issue`] : []),
    ...(counted > 0 ? [`${counted} without one in rows that say what they have in common`] : []),
  ];
  return `${say(endedBadly)} ended badly${told.length === 0 ? ', none with a listed issue' : `: ${told.join(', ')}`}.`;
}

function small({ unconfirmed, listed }: BoardFacts): string[] {
  if (listed > 0 || unconfirmed.length === 0) return [];
  const told = unconfirmed.slice(0, TOLD).map(({ title, place, calls }) => `“${title}” at ${place} (${say(calls)})`);
  return [`Too small to be confirmed: ${told.join(', ')}.`];
}

function missing({ missing: gaps }: BoardFacts): string[] {
  const codes = gaps.reduce((sum, gap) => sum + gap.codes.length, 0);
  if (codes === 0) return [];
  const told = gaps
    .filter(({ remedy }) => remedy !== null)
    .slice(0, TOLD)
    .map(({ codes: some, remedy }) => `${some.length} of them: ${remedy}`);
  return [
    `${codes} ${codes === 1 ? 'code' : 'codes'} could be computed on no call${told.length === 0 ? '.' : `. ${told.join(' ')}`}`,
  ];
}
