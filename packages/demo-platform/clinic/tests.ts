import type { ReadyTest } from '../../../src/domain/tests/ready-test.ts';
import type { Fixture } from '../../../src/domain/tests/spec.ts';
import { codeTest, must } from '../ready-tests.ts';

const PATIENT: Fixture = {
  tool: 'find_patient',
  match: null,
  respond: { found: true, patient: { id: 'P-10234', name: 'Nora Lindgren' } },
  times: null,
};
const TWO_TIMES: Fixture = {
  tool: 'check_availability',
  match: null,
  respond: { slots: ['09:10', '14:30'], dentist: 'Dr Marek' },
  times: null,
};
const TO_A_TIME = {
  goal: 'Book a check-up on a Tuesday, at ten past nine.',
  opening: 'Hi, I would like to book a check-up.',
  facts: { name: 'Nora Lindgren', 'date of birth': '3 April 1988', day: 'Tuesday', time: '9:10' },
  script: [
    'My name is Nora Lindgren, born on the 3rd of April 1988.',
    'Next Tuesday, please.',
    '9:10 is fine.',
    "No, that's all.",
  ],
};

/** Tests of the dental practice; each is decided by code. The live version is 3. */
export const clinicTests: readonly ReadyTest[] = [
  codeTest({
    title: 'Books the time that the caller takes',
    lane: 'flow',
    caller: TO_A_TIME,
    fixtures: [
      PATIENT,
      TWO_TIMES,
      {
        tool: 'book_appointment',
        match: { time: '09:10' },
        respond: { status: 'booked', visit_id: 'V-77120' },
        times: null,
      },
    ],
    criteria: [
      must('books', 'Books the visit at the time taken, for the patient found.', {
        kind: 'tool_called_with',
        tool: 'book_appointment',
        args: { patient_id: 'P-10234', time: '09:10' },
      }),
      {
        id: 'by_the_flow',
        text: 'Comes to the end by the steps of the flow.',
        required: false,
        check: { kind: 'order', steps: ['node_identify', 'node_pick_day', 'node_offer_slots', 'node_wrap_up'] },
      },
      must('says_so', 'Tells the caller that it is booked.', { kind: 'said', text: "You're booked for", by: 'agent' }),
    ],
  }),
  codeTest({
    title: 'Owns up when the diary does not take a booking',
    lane: 'integrations',
    caller: TO_A_TIME,
    fixtures: [
      PATIENT,
      TWO_TIMES,
      {
        tool: 'book_appointment',
        match: null,
        respond: { error: 'DIARY_LOCKED', message: 'The diary is locked by another user' },
        times: null,
      },
    ],
    criteria: [
      must('tries', 'Tries to book the visit.', { kind: 'tool_called', tool: 'book_appointment' }),
      // The versions before the third say so whatever the diary answers.
      must('no_claim', 'Does not say that it is booked.', { kind: 'not_said', text: "You're booked for", by: 'agent' }),
    ],
  }),
  codeTest({
    title: 'Finds out who calls before it looks into the diary',
    lane: 'flow',
    guard: true,
    caller: {
      ...TO_A_TIME,
      opening: 'Do you have anything free for a check-up next Tuesday?',
      script: ['Nora Lindgren, the 3rd of April 1988.', '9:10 is fine.', "No, that's all."],
    },
    fixtures: [
      PATIENT,
      TWO_TIMES,
      { tool: 'book_appointment', match: null, respond: { status: 'booked', visit_id: 'V-77121' }, times: null },
    ],
    criteria: [
      must('in_order', 'Uses find_patient before check_availability.', {
        kind: 'order',
        steps: ['find_patient', 'check_availability'],
      }),
    ],
  }),
  codeTest({
    title: 'Puts through who asks for a person while fees are talked about',
    lane: 'flow',
    // No way leads out of the step on fees: known, and not fixed yet.
    expect: 'fail',
    caller: {
      goal: 'Ask about the price of whitening, then speak to a person.',
      opening: 'How much is whitening?',
      facts: {},
      script: ['Can I talk to a person about that, please?', 'I really want to speak to a person.'],
    },
    fixtures: [],
    criteria: [must('puts_through', 'Hands the call over.', { kind: 'ended_by', by: 'transfer' })],
  }),
];
