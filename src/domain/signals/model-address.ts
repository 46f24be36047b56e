import type { NormalisedCall } from '../calls/call.ts';
import { addressesJudge, textsOf } from '../runs/judge-address.ts';

/**
 * Turns that speak to whoever reads the record instead of the other side of the call: they name the reading or order what
 * it should find. A model that decides is not shown them, and on such a call it decides nothing.
 */
export function turnsToReader(call: Pick<NormalisedCall, 'turns'>): Set<number> {
  const found = call.turns.filter(
    (turn) => addressesJudge(turn) || textsOf(turn).some((text) => ORDERS.some((wording) => wording.test(plain(text)))),
  );
  return new Set(found.map(({ index }) => index));
}

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
