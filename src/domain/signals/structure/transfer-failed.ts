import { quoteResult } from '../../calls/quotes.ts';
import type { Detector } from '../catalogue-entry.ts';
import { TRANSFER_FAILED } from '../entries/tools.ts';
import { TELEPHONY, toolPlace } from '../places.ts';
import { failureFacts } from '../tool-causes.ts';

const BROKEN_TRANSFER =
  /transfer[a-z_ -]{0,40}(?:fail|cancel|error|no[_ -]?answer|busy|reject)|(?:forwarding|bridge)[a-z._ -]{0,40}(?:busy|no[_ -]?answer|fail|error)|error-?.{0,20}transfer/i;

/** The hand-over was tried and did not happen. */
export const transferFailed: Detector = {
  entry: TRANSFER_FAILED,
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
