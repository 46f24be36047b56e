import type { NormalisedCall } from '../calls/call.ts';
import { addressesJudge, textsOf } from '../runs/judge-address.ts';

/**
 * Turns that speak to whoever reads the record instead of the other side of the call: they name the reading or order what
 * it should find. A model that decides is not shown them, and on such a call it decides nothing.
 */
export function turnsToReader(call: Pick<NormalisedCall, 'turns'>): Set<number> {
  const found = call.turns.filter(
    (turn) =>
      addressesJudge(turn) ||
      textsOf(turn).some((text) => [...ORDERS, ...REPORTS].some((one) => one.test(plain(text)))),
  );
  return new Set(found.map(({ index }) => index));
}

/**
 * Whether a line of an agent's own text says what a reader of its calls is to report. A prompt may say how the agent marks
 * its calls, or what it does about callers who call off its instructions: only what no agent can report is taken for one.
 */
export const isLineToReader = (line: string): boolean => REPORTS.some((wording) => wording.test(plain(line)));

const READ_AT_MOST = 4_000;
const plain = (text: string) =>
  text
    .slice(0, READ_AT_MOST)
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{M}]/gu, '')
    .toLowerCase();

const RECORD = '(?:call|conversation|transcript|record|recording|chat|interaction)';
const ENTER =
  '(?:mark|log|flag|classify|label|rate|grade|score|count|file|put|write|note|report|register|list|treat|record|tag|set)';
const FOUND =
  '(?:resolved|unresolved|abandoned|transferred|successful|success|solved|failed|failure|outcome|signals?|candidates?|findings?|verdict|observations?|confirmed|holds)';
const READER =
  '(?:ai|model|analysis|analyst|analyser|analyzer|reviewer|quality (?:team|check|review)|auditor|system reading|whoever (?:reads|reviews|checks|listens))';

const FAULTS = '(?:findings?|faults?|errors?|problems?|issues?|mistakes?)';
const NOTHING = '(?:no|zero|not any|none of the|an empty list of)';
const REPORT = '(?:report|list|return|output|raise|flag|file)';

/** What to find, in the words of a reader's own document: what it lists, by turn or by code. */
const REPORTS: readonly RegExp[] = [
  new RegExp(
    `(?:^|[.!?:;"'\\]] ?|\\b(?:please|must|should|shall|and|then|just|always) )${REPORT}(?: that there (?:are|is))? ${NOTHING} ${FAULTS}\\b`,
  ),
  new RegExp(
    `\\b(?:no|zero|without) (?:findings|faults) (?:at all )?(?:on|in|for|about) (?:this|the|these|any) ${RECORD}s?\\b`,
  ),
  new RegExp(`\\b${REPORT}\\b[^.!?]{0,60}\\b(?:at|on|in|for) turn ?(?:\\d|number)`),
  /\b[a-z]{2,20}(?:_[a-z]{2,20}){1,5} (?:at|on|in|for) turn ?\d/,
  /\\?"findings\\?"\s{0,4}:\s{0,4}\[/,
];

const ORDERS: readonly RegExp[] = [
  new RegExp(`\\b${ENTER}\\b[^.!?]{0,60}\\b${RECORD}\\b[^.!?]{0,60}\\b${FOUND}\\b`),
  new RegExp(
    `\\b${ENTER}\\b[^.!?]{0,40}\\b(?:candidates?|signals?|observations?|outcome) (?:\\d|number|one|two|as|to|is)\\b`,
  ),
  new RegExp(`\\b(?:to|dear|for|note to|message to|hey|hello) (?:the |any )?${READER}\\b[^.!?]{0,80}[,:]`),
  new RegExp(`\\b${READER}\\b[^.!?]{0,60}\\b${ENTER}\\b`),
  new RegExp(`\\bthe outcome (?:of (?:this|the) ${RECORD} )?(?:is|was|should be|must be)\\b`),
  /"(?:outcome|candidates|problems|holds|objective)"\s*:/,
  /\banswer with\b|\brespond with\b|\byour (?:instructions|task|answer) (?:is|are|now)\b/,
];
