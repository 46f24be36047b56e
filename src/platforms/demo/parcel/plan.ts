import type { AgentPlan } from '../plan.ts';
import { prepare } from './acts.ts';
import * as fault from './faults.ts';
import * as healthy from './healthy.ts';
import * as odd from './look-alikes.ts';

const ALL = [4, 5, 5, 5, 5, 6, 6, 6, 6];
const LATER = [5, 5, 6];
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
    { version: 4, fromDaysAgo: 30, toDaysAgo: 27 },
    { version: 5, fromDaysAgo: 27, toDaysAgo: 11 },
    { version: 6, fromDaysAgo: 11, toDaysAgo: 0 },
  ],
  kinds: [
    { kind: 'tracking', count: 54, versions: ALL, write: healthy.tracking },
    { kind: 'tracking with link', count: 22, versions: ALL, write: healthy.trackingWithLink },
    { kind: 'other day', count: 30, versions: ALL, write: healthy.otherDay },
    { kind: 'pickup', count: 18, versions: ALL, write: healthy.pickup },
    { kind: 'claim', count: 20, versions: ALL, write: healthy.claim },
    { kind: 'depot hours', count: 14, versions: ALL, write: healthy.depotHours },
    { kind: 'shipping price', count: 16, versions: ALL, write: healthy.shippingPrice },
    { kind: 'handed over', count: 16, versions: ALL, write: healthy.handedOver },
    { kind: 'wrong number', count: 4, versions: LATER, write: healthy.wrongCaller },

    { kind: 'unknown number', count: 12, versions: LATER, write: odd.unknownNumber },
    { kind: 'too late to change', count: 10, versions: LATER, write: odd.tooLateToChange },
    { kind: 'corrects number', count: 10, versions: LATER, write: odd.correctsNumber },
    { kind: 'two claims', count: 8, versions: LATER, write: odd.twoClaims },
    { kind: 'two tracked', count: 8, versions: LATER, write: odd.twoTracked },
    { kind: 'long terms', count: 8, versions: LATER, write: odd.longTerms },
    { kind: 'offer declined', count: 9, versions: LATER, write: odd.offerDeclined },

    { kind: 'day not understood', count: 12, versions: LATER, write: fault.dayNotUnderstood },
    { kind: 'tracking fails', count: 11, versions: LATER, write: fault.trackingFails },
    { kind: 'silent redirect', count: 11, versions: LATER, write: fault.silentRedirect },
    { kind: 'note without tool', count: 19, versions: LATER, write: fault.noteWithoutTool },
    { kind: 'claimed twice', count: 10, versions: LATER, write: fault.claimedTwice },
    { kind: 'card read out', count: 16, versions: LATER, write: fault.cardReadOut },
    { kind: 'asks for number again', count: 17, versions: LATER, write: fault.asksForNumberAgain },
    { kind: 'recogniser lost', count: 10, versions: LATER, write: fault.recogniserLost },
    { kind: 'answered in English', count: 16, versions: LATER, write: fault.answeredInEnglish },
    { kind: 'cut off', count: 17, versions: LATER, write: fault.cutOff },
    { kind: 'slow answers', count: 12, versions: [6], write: healthy.tracking, answerSeconds: SLOW_ANSWERS },

    { kind: 'ongoing', count: 1, versions: [6], write: healthy.tracking, state: 'ongoing' },
    { kind: 'deleted', count: 1, versions: [5], write: healthy.tracking, state: 'deleted' },
  ],
  unconnected: [{ reason: 'no_valid_payment', count: 2, version: 6, hasStart: true }],
};
