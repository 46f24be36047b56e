import { type AgentPlan, on } from '../plan.ts';
import { prepare } from './acts.ts';
import * as fault from './faults.ts';
import * as healthy from './healthy.ts';
import * as odd from './look-alikes.ts';

/** Seconds until an answer on the version whose language model is overloaded. */
const SLOW_ANSWERS: [number, number] = [2.9, 4.9];

export const PARCEL_AGENT_ID = 'agent_c51d08f2e7a64b39915f3d20';

export const parcelPlan: AgentPlan = {
  providerAgentId: PARCEL_AGENT_ID,
  lineNumber: '+12025550160',
  webShare: 0.2,
  prepare,
  variables: () => ({ company: 'Swiftlane', assistant_name: 'Kim' }),
  periods: [
    { version: 4, fromDaysAgo: 30, toDaysAgo: 22 },
    { version: 5, fromDaysAgo: 22, toDaysAgo: 11 },
    { version: 6, fromDaysAgo: 11, toDaysAgo: 0 },
  ],
  kinds: [
    { kind: 'tracking', ...on({ 4: 30, 5: 26, 6: 12 }), write: healthy.tracking },
    { kind: 'tracking with link', ...on({ 5: 12, 6: 8 }), write: healthy.trackingWithLink },
    { kind: 'other day', ...on({ 4: 28, 5: 12, 6: 8 }), write: healthy.otherDay },
    { kind: 'pickup', ...on({ 4: 8, 5: 10, 6: 7 }), write: healthy.pickup },
    { kind: 'claim', ...on({ 4: 8, 5: 12, 6: 8 }), write: healthy.claim },
    { kind: 'depot hours', ...on({ 4: 5, 5: 9, 6: 6 }), write: healthy.depotHours },
    { kind: 'shipping price', ...on({ 4: 5, 5: 9, 6: 6 }), write: healthy.shippingPrice },
    { kind: 'handed over', ...on({ 4: 4, 5: 9, 6: 64 }), write: healthy.handedOver },
    { kind: 'wrong number', ...on({ 4: 1, 5: 2, 6: 2 }), write: healthy.wrongCaller },

    { kind: 'unknown number', ...on({ 4: 3, 5: 7, 6: 5 }), write: odd.unknownNumber },
    { kind: 'too late to change', ...on({ 4: 3, 5: 6, 6: 4 }), write: odd.tooLateToChange },
    { kind: 'corrects number', ...on({ 4: 2, 5: 6, 6: 4 }), write: odd.correctsNumber },
    { kind: 'two claims', ...on({ 4: 2, 5: 5, 6: 3 }), write: odd.twoClaims },
    { kind: 'two tracked', ...on({ 4: 2, 5: 5, 6: 3 }), write: odd.twoTracked },
    { kind: 'long terms', ...on({ 4: 2, 5: 5, 6: 3 }), write: odd.longTerms },
    { kind: 'offer declined', ...on({ 4: 2, 5: 5, 6: 3 }), write: odd.offerDeclined },

    { kind: 'day not understood', ...on({ 5: 40, 6: 27 }), write: fault.dayNotUnderstood },
    { kind: 'tracking fails', ...on({ 4: 2, 5: 6, 6: 4 }), write: fault.trackingFails },
    { kind: 'silent redirect', ...on({ 4: 2, 5: 6, 6: 4 }), write: fault.silentRedirect },
    { kind: 'note without tool', ...on({ 5: 12, 6: 8 }), write: fault.noteWithoutTool },
    { kind: 'note passed on', ...on({ 4: 5 }), write: healthy.notePassedOn },
    { kind: 'claimed twice', ...on({ 4: 2, 5: 6, 6: 4 }), write: fault.claimedTwice },
    { kind: 'card read out', ...on({ 4: 4, 5: 12, 6: 8 }), write: fault.cardReadOut },
    { kind: 'asks for number again', ...on({ 4: 4, 5: 12, 6: 8 }), write: fault.asksForNumberAgain },
    { kind: 'recogniser lost', ...on({ 4: 2, 5: 6, 6: 4 }), write: fault.recogniserLost },
    { kind: 'answered in English', ...on({ 4: 4, 5: 12, 6: 8 }), write: fault.answeredInEnglish },
    { kind: 'cut off', ...on({ 4: 4, 5: 11, 6: 8 }), write: fault.cutOff },
    { kind: 'slow answers', ...on({ 6: 18 }), write: healthy.tracking, answerSeconds: SLOW_ANSWERS },

    { kind: 'ongoing', count: 1, versions: [6], write: healthy.tracking, state: 'ongoing' },
    { kind: 'deleted', count: 1, versions: [5], write: healthy.tracking, state: 'deleted' },
  ],
  unconnected: [{ reason: 'no_valid_payment', count: 2, version: 6, hasStart: true }],
};
