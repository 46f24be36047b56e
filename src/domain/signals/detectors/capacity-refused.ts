import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { missingEndReason } from '../needs.ts';
import { CALL_LIMITS } from '../places.ts';
import { textOf } from '../tool-causes.ts';

/** The account could not take the call. */
export const capacityRefused: Detector = {
  entry: entry({
    code: 'capacity_refused',
    title: 'Call refused for lack of capacity',
    klass: 'technical',
    lane: 'integrations',
    severity: 'critical',
    needs: ['end_reason'],
    fact: true,
    ending: true,
    isNot: 'A caller who was on another line, or a call that nobody answered.',
    causes: [
      {
        code: 'payment_missing',
        label: 'The account has no valid payment',
        category: 'account',
        party: 'platform',
        outside: false,
        recommendation: 'Renew the payment of the account at the platform.',
        evidence: (facts) =>
          /payment|credit|billing|quota|subscription/i.test(textOf(facts['reason']))
            ? `The end reason is "${textOf(facts['reason'])}".`
            : null,
      },
      {
        code: 'concurrency_limit',
        label: 'More calls at once than the plan allows',
        category: 'account',
        party: 'platform',
        outside: false,
        recommendation: 'Raise the number of calls at once in {place}.',
        evidence: (facts) =>
          /concurren|limit/i.test(textOf(facts['reason'])) ? `The end reason is "${textOf(facts['reason'])}".` : null,
      },
    ],
    check: 'Compare the calls at once and the balance of the account with {place}.',
  }),
  detect(reading) {
    const missing = missingEndReason(reading);
    if (missing !== null) return missing;
    const { ending, disconnectionReason } = reading.call;
    if (ending.family !== 'capacity') return [];
    const reason = disconnectionReason.slice(0, 200);
    return [
      {
        turnIndex: reading.lastIndex,
        quote: '',
        detail: `The platform refused the call with "${reason}".`,
        place: CALL_LIMITS,
        confidence: 1,
        facts: { reason },
      },
    ];
  },
};
