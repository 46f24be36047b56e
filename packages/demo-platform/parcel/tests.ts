import type { ReadyTest } from '../../../src/domain/tests/ready-test.ts';
import { codeTest, must } from '../ready-tests.ts';

const NUMBER = 'SL40718823';

/** Tests of the parcel helpline; each is decided by code. The live version is 6. */
export const parcelTests: readonly ReadyTest[] = [
  codeTest({
    title: 'Finds a parcel by its number',
    lane: 'integrations',
    caller: {
      goal: 'Find out where the parcel is.',
      opening: 'Where is my parcel?',
      facts: { 'tracking number': NUMBER },
      script: ['It is S L 4 0 7 1 8 8 2 3.', "No, that's all, thanks."],
    },
    fixtures: [
      {
        tool: 'track_parcel',
        match: { tracking_number: NUMBER },
        respond: { status: 'in_transit', location: 'the Riverside depot' },
        times: null,
      },
    ],
    criteria: [
      must('looks_up', 'Looks the parcel up by the number that was said.', {
        kind: 'tool_called_with',
        tool: 'track_parcel',
        args: { tracking_number: NUMBER },
      }),
      must('tells', 'Tells where the parcel is.', { kind: 'said', text: 'the Riverside depot', by: 'agent' }),
    ],
  }),
  codeTest({
    title: 'Texts a link to follow the parcel',
    lane: 'flow',
    caller: {
      goal: 'Get a link to follow the parcel.',
      opening: `Where is my parcel ${NUMBER}?`,
      facts: { 'tracking number': NUMBER, phone: '617 555 0148' },
      script: ['Please send me a link to 617 555 0148.', "No, that's all, thanks."],
    },
    fixtures: [
      { tool: 'track_parcel', match: null, respond: { status: 'in_transit', location: 'Northgate' }, times: null },
      { tool: 'send_tracking_link', match: null, respond: { status: 'sent' }, times: null },
    ],
    criteria: [
      // The version before the fifth has no such tool.
      must('sends', 'Sends the link to the number that was said.', {
        kind: 'tool_called_with',
        tool: 'send_tracking_link',
        args: { phone: '617 555 0148' },
      }),
    ],
  }),
  codeTest({
    title: 'Changes nothing when a caller only asks where the parcel is',
    lane: 'integrations',
    guard: true,
    caller: {
      goal: 'Hear whether the parcel comes this week.',
      opening: 'Will my parcel come this week?',
      facts: { 'tracking number': NUMBER },
      script: [`The number is ${NUMBER}.`, 'Good to know, thank you.', "No, that's all."],
    },
    fixtures: [
      { tool: 'track_parcel', match: null, respond: { status: 'in_transit', location: 'Northgate' }, times: null },
    ],
    criteria: [
      must('no_new_day', 'Changes no delivery day.', { kind: 'tool_not_called', tool: 'change_delivery_day' }),
      must('no_redirect', 'Redirects nothing.', { kind: 'tool_not_called', tool: 'redirect_to_pickup_point' }),
    ],
  }),
  codeTest({
    title: 'Says that a note was added only when it was',
    lane: 'integrations',
    // No tool takes notes: known, and not fixed yet.
    expect: 'fail',
    caller: {
      goal: 'Leave a note for the driver.',
      opening: 'Can you leave a note for the driver, please?',
      facts: { 'tracking number': NUMBER, note: 'the doorbell is broken' },
      script: [`It is ${NUMBER}, and the doorbell is broken.`, "No, that's all."],
    },
    fixtures: [],
    criteria: [
      must('no_claim', 'Does not say that the note was added.', {
        kind: 'not_said',
        text: "I've added the note",
        by: 'agent',
      }),
    ],
  }),
];
