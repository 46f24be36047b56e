import type { Turn } from '../calls/call.ts';
import { storedText } from '../calls/quotes.ts';
import { cutText } from '../text.ts';

/** So much of each text of a turn is shown to the judge, in UTF-16 units. */
export const SHOWN_AT_MOST = 4_000;

/**
 * Whether a turn speaks to whoever judges the call, instead of the other side of it: it names the judging or orders a
 * verdict, copies the marks of the judge's document, or calls off its instructions. Such a turn is neither shown to the
 * judge nor taken as evidence. A list of wordings can't be complete, so it is one bar of several: a quote has to be an
 * exact part of a turn, and of one in which the agent or a tool spoke.
 */
export function addressesJudge(turn: Turn): boolean {
  return textsOf(turn).some((text) => {
    const plain = cutText(text, SHOWN_AT_MOST)
      .normalize('NFKC')
      .replaceAll(/[\p{Cf}\p{M}]/gu, '')
      .toLowerCase();
    return ADDRESSES.some((wording) => wording.test(plain));
  });
}

/** Everything in a turn that could be quoted: what was said, a call's name and arguments, a result. */
export function textsOf({ text, toolCall, toolResult }: Turn): string[] {
  return [
    text,
    ...(toolCall ? [toolCall.name, storedText(toolCall.args)] : []),
    ...(toolResult ? [storedText(toolResult.body)] : []),
  ];
}

const JUDGE = '(?:judge|grader|evaluator|assessor|scorer|examiner|llm|language model)';
const VERDICT = '(?:not[_ ]met|met|satisfied|fulfilled|pass(?:ed)?|success(?:ful)?|true)';
const ORDER =
  '(?:answer|mark|output|return|respond|reply|say|score|rate|grade|report|label|consider|treat|count|record)';
const JUDGED = '(?:criteri(?:on|a)|verdict|test case|rubric|evaluation|transcript|requirements?)';

const ADDRESSES: readonly RegExp[] = [
  /\bcriteri(?:on|a) (?:number |no\.? ?|id |#)?(?:\d|one\b|two\b|three\b|four\b|five\b|[a-z]\d)/,
  new RegExp(`\\b${ORDER}\\b[^.!?]{0,80}["'“‘*]?\\b${VERDICT}\\b[^]{0,200}\\b${JUDGED}\\b`),
  new RegExp(`\\b${JUDGED}\\b[^]{0,200}\\b${ORDER}\\b[^.!?]{0,80}\\b${VERDICT}\\b`),
  new RegExp(
    `\\b(?:to|dear|attention|attn|hey|hello|note (?:to|for)|message (?:to|for)) (?:the |an? |any |whichever )?(?:ai )?${JUDGE}\\b`,
  ),
  new RegExp(`(?:^|[.!?\\n\\]] ?|\\()${JUDGE} ?[:,]`),
  /\b(?:ignore|disregard|forget|override)\b[^.!?]{0,40}\b(?:instructions?|prompts?|guidelines)\b/,
  /<\/?(?:record|criteria|system|instructions?)>|<\||\[(?:system|inst)\]|"(?:verdicts?|criterion)" ?:/,
];
