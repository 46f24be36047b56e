import { type AgentPlan, on } from '../plan.ts';
import { prepare } from './acts.ts';
import * as fault from './faults.ts';
import * as healthy from './healthy.ts';
import * as odd from './look-alikes.ts';

const ALL = [1, 2, 2, 2, 3, 3, 3, 3];
const LATER = [2, 2, 3, 3];

/** The children's line was left on version 2, and still takes calls. */
const CHILDREN = { line: '+12025550104', window: { fromDaysAgo: 6, toDaysAgo: 0 } };

export const CLINIC_AGENT_ID = 'agent_7f4c1e0a93b84d6e8c2550b1';

export const clinicPlan: AgentPlan = {
  providerAgentId: CLINIC_AGENT_ID,
  lineNumber: '+12025550100',
  olderLine: { number: CHILDREN.line, version: 2 },
  webShare: 0.08,
  prepare,
  variables: () => ({ practice_name: 'Maple Court Dental', agent_name: 'Robin' }),
  periods: [
    { version: 1, fromDaysAgo: 30, toDaysAgo: 26 },
    { version: 2, fromDaysAgo: 26, toDaysAgo: 13 },
    { version: 3, fromDaysAgo: 13, toDaysAgo: 0 },
  ],
  kinds: [
    { kind: 'booking', count: 72, versions: ALL, write: healthy.booking },
    { kind: 'moving', count: 38, versions: ALL, write: healthy.moving },
    { kind: 'cancelling', count: 24, versions: ALL, write: healthy.cancelling },
    { kind: 'fees', count: 22, versions: ALL, write: healthy.askingFees },
    { kind: 'info', count: 14, versions: [1, 2, 2, 2], write: healthy.askingInfo },
    { kind: 'when', count: 16, versions: ALL, write: healthy.askingWhen },
    { kind: 'handed over', count: 18, versions: ALL, write: healthy.handedOver },
    { kind: 'emergency', count: 10, versions: LATER, write: healthy.emergency },
    { kind: 'wrong number', count: 4, versions: LATER, write: healthy.wrongCaller },
    { kind: 'reminder', count: 12, versions: LATER, write: healthy.reminding, direction: 'outbound' },

    { kind: 'nothing free', count: 14, versions: LATER, write: odd.nothingFreeThatDay },
    { kind: 'new patient', count: 12, versions: LATER, write: odd.newPatient },
    { kind: 'changing mind', count: 12, versions: LATER, write: odd.changingMind },
    { kind: 'spelling twice', count: 12, versions: LATER, write: odd.spellingTwice },
    { kind: 'two children', count: 8, versions: LATER, write: odd.twoChildren },
    { kind: 'long policy', count: 12, versions: LATER, write: odd.longPolicy },
    { kind: 'announced wait', count: 10, versions: LATER, write: odd.announcedWait },
    { kind: 'caller searches', count: 9, versions: LATER, write: odd.callerSearches },
    { kind: 'asks for desk', count: 9, versions: LATER, write: odd.asksForDesk },
    { kind: 'answering machine', count: 10, versions: LATER, write: odd.answeringMachine, direction: 'outbound' },

    { kind: 'look-up times out', ...on({ 2: 60 }), write: fault.lookUpTimesOut },
    { kind: 'look-up times out for children', ...on({ 2: 5 }), write: fault.lookUpTimesOut, ...CHILDREN },
    { kind: 'booking for children', ...on({ 2: 4 }), write: healthy.booking, ...CHILDREN },
    { kind: 'text blocked', count: 9, versions: LATER, write: fault.textBlocked },
    { kind: 'text blocked but claimed', count: 13, versions: LATER, write: fault.textBlockedButClaimed },
    { kind: 'placeholder', count: 13, versions: [3], write: fault.placeholderSpoken },
    { kind: 'day loop', count: 13, versions: LATER, write: fault.dayLoop },
    { kind: 'person refused', count: 14, versions: LATER, write: fault.personRefused },
    { kind: 'hand-over fails', ...on({ 2: 12 }), write: fault.handOverFails },
    { kind: 'slow diary', count: 14, versions: [3], write: fault.slowDiary },
    { kind: 'same line again', count: 18, versions: LATER, write: fault.sameLineAgain },
    { kind: 'poor line', count: 19, versions: LATER, write: fault.poorLine },

    { kind: 'ongoing', count: 2, versions: [3], write: healthy.booking, state: 'ongoing' },
    { kind: 'deleted', count: 2, versions: [2], write: healthy.booking, state: 'deleted' },
  ],
  unconnected: [
    { reason: 'dial_no_answer', count: 4, version: 3, hasStart: true },
    { reason: 'dial_busy', count: 2, version: 2, hasStart: true },
    { reason: 'dial_no_answer', count: 2, version: 3, hasStart: false },
  ],
};
