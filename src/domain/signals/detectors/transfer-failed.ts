import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { TELEPHONY, toolPlace } from '../places.ts';
import { quoteResult } from '../quotes.ts';
import { failureFacts, TOOL_FAILURE_CAUSES, textOf } from '../tool-causes.ts';

const BROKEN_TRANSFER =
  /transfer[a-z_ -]{0,40}(?:fail|cancel|error|no[_ -]?answer|busy|reject)|(?:forwarding|bridge)[a-z._ -]{0,40}(?:busy|no[_ -]?answer|fail|error)|error-?.{0,20}transfer/i;

/** The hand-over was tried and did not happen. */
export const transferFailed: Detector = {
  entry: entry({
    code: 'transfer_failed',
    title: 'Transfer failed',
    klass: 'technical',
    lane: 'integrations',
    severity: 'critical',
    needs: ['tool_results', 'end_reason'],
    fact: true,
    isNot: 'A caller who hangs up before the transfer, or a transfer that the agent declined to make.',
    causes: [
      {
        code: 'destination_not_answering',
        label: 'Nobody answers at the destination',
        category: 'system_failure',
        party: 'tool_owner',
        outside: true,
        recommendation: 'Give {place} a second destination, or let the agent offer a call back when nobody answers.',
        evidence: (facts) => {
          const text = `${textOf(facts['message'])} ${textOf(facts['endReason'])} ${textOf(facts['errorType'])}`;
          return /no[_ -]?answer|not answer|busy|unanswered/i.test(text)
            ? `It says: ${text.trim().slice(0, 160)}`
            : null;
        },
      },
      {
        code: 'destination_missing',
        label: 'The transfer has no usable destination',
        category: 'invalid_invocation',
        party: 'agent',
        outside: false,
        recommendation: 'Enter a destination number for {place}.',
        evidence: (facts) => {
          const text = textOf(facts['message']);
          return /no destination|invalid (?:destination|number|phone)|destination (?:is )?(?:missing|invalid|not)/i.test(
            text,
          )
            ? `It says: ${text.slice(0, 160)}`
            : null;
        },
      },
      ...TOOL_FAILURE_CAUSES,
    ],
    check: 'Try the destination of {place} by hand, and look at the telephony log of these calls.',
  }),
  detect(reading) {
    const transfers = reading.tools.filter((use) => use.effect === 'transfer');
    const failed = transfers.filter((use) => use.ok === false || use.refusal);
    const { disconnectionReason, ending } = reading.call;
    const found = failed.map((use) => ({
      turnIndex: use.resultTurn ?? use.callTurn ?? 0,
      quote: use.resultTurn === null ? '' : quoteResult(use),
      detail: `The transfer by "${use.name}" failed: ${(use.message ?? 'no message').slice(0, 160)}`,
      place: toolPlace(use),
      confidence: 1,
      facts: { ...failureFacts(use), endReason: disconnectionReason },
    }));
    const brokenEnd = ending.hint !== 'transferred' && BROKEN_TRANSFER.test(disconnectionReason.slice(0, 200));
    if (found.length > 0 || !brokenEnd) return found;
    const last = transfers.at(-1);
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The platform ended the call with "${disconnectionReason.slice(0, 100)}".`,
        place: last === undefined ? TELEPHONY : toolPlace(last),
        confidence: 1,
        facts: { endReason: disconnectionReason, message: null, errorType: null },
      },
    ];
  },
};
