import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

type Row = [what: string, outcome: string, rule: string, lines: Line[], given?: Given];

const AGENT_END: Given = {
  disconnectionReason: 'agent_hangup',
  ending: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' },
};
const ASKS: Line[] = [{ a: 'How can I help?' }, { c: 'I would like to book a table for two.' }];
const BOOKS: Line[] = [{ call: 'book_table' }, { result: 'book_table', body: { success: true } }];
const FULL: Line[] = [
  { call: 'book_table' },
  { result: 'book_table', body: { success: false, reason: 'no_availability' } },
];
const BREAKS: Line[] = [{ call: 'book_table' }, { result: 'book_table', body: { error: 'internal' } }];

const ROWS: Row[] = [
  ['nobody spoke', 'no_contact', 'no_caller_speech', [{ a: 'Hello?' }]],
  [
    'only a machine spoke',
    'no_contact',
    'answering_machine',
    [{ o: 'Leave a message after the tone.' }, { a: 'Hello?' }],
  ],
  ['a noise is no speech', 'no_contact', 'no_caller_speech', [{ a: 'Hello?' }, { c: '[inaudible]' }]],
  [
    'a transfer tool succeeded',
    'transferred',
    'transfer_tool',
    [...ASKS, { call: 'transfer_call' }, { result: 'transfer_call', body: { status: 'ok' } }],
  ],
  [
    'the platform handed over',
    'transferred',
    'transfer_end_reason',
    ASKS,
    { disconnectionReason: 'call_transfer', ending: { hint: 'transferred', family: 'transfer', endedBy: 'agent' } },
  ],
  [
    'handing over was the last act',
    'transferred',
    'transfer_last_act',
    [...ASKS, { a: 'I am transferring you to the restaurant.' }],
    AGENT_END,
  ],
  [
    'the request was met and both took leave',
    'resolved',
    'write_succeeded',
    [...ASKS, ...BOOKS, { a: "I've booked it." }, { c: 'Thank you, bye.' }],
  ],
  [
    'the caller hung up right after the success',
    'resolved',
    'write_succeeded',
    [...ASKS, ...BOOKS, { a: "I've booked it." }],
  ],
  [
    'a question was answered and the answer accepted',
    'resolved',
    'told_and_left',
    [{ c: 'When do you open?' }, { a: 'We open at nine on every weekday.' }, { c: 'Great, thank you. Bye.' }],
  ],
  [
    'the business refused and the caller let it be',
    'unresolved',
    'refused_and_accepted',
    [...ASKS, ...FULL, { a: 'I am sorry, there is nothing available.' }, { c: 'Okay, thanks anyway, bye.' }],
  ],
  [
    'the tool failed and both took leave',
    'unresolved',
    'refused_and_accepted',
    [...ASKS, ...BREAKS, { a: 'That did not work.' }, { c: 'Okay, bye.' }],
  ],
  [
    'a refusal, then another wish that was met',
    'resolved',
    'write_succeeded',
    [
      ...ASKS,
      ...FULL,
      { a: 'Nothing is free at eight.' },
      { c: 'Can we do nine?' },
      ...BOOKS,
      { a: 'Done.' },
      { c: 'Thanks.' },
    ],
  ],
  [
    'the agent claims what no tool did',
    'unresolved',
    'claim_not_backed',
    [...ASKS, ...BREAKS, { a: "I've booked it for you." }, { c: 'Thank you, bye.' }],
  ],
  ['the caller left in the middle', 'abandoned', 'left_with_goal_open', [...ASKS, { a: 'For what time?' }]],
  ['the caller gave up', 'abandoned', 'caller_gave_up', [...ASKS, { a: 'For what time?' }, { c: 'Forget it.' }]],
  [
    'the caller declined politely',
    'unresolved',
    'caller_gave_up',
    [...ASKS, { a: 'Only at ten.' }, { c: "Never mind, I'll try somewhere else. Thank you, bye." }],
  ],
  [
    'the last words were a refusal',
    'unresolved',
    'refused_last',
    [...ASKS, { a: 'Unfortunately we are fully booked.' }],
  ],
  [
    'the agent ended it with the goal open',
    'unresolved',
    'ended_with_goal_open',
    [...ASKS, { a: 'For what time?' }, { c: 'At eight.' }],
    AGENT_END,
  ],
  [
    'an end reason alone never resolves',
    'unresolved',
    'nothing_decides',
    [{ c: 'Good morning.' }, { a: 'Good morning.' }, { c: 'Bye.' }],
    AGENT_END,
  ],
  [
    'what the tool only offered is not done',
    'unresolved',
    'caller_gave_up',
    [...ASKS, ...BOOKS, { a: 'I have a table by the window. Should I book it?' }, { c: 'Never mind, thanks, bye.' }],
  ],
  [
    'the caller chose to leave things as they are',
    'resolved',
    'request_withdrawn',
    [
      { c: 'Can I move my table to the window?' },
      { call: 'find_tables' },
      { result: 'find_tables', body: [] },
      { a: 'Unfortunately there is none free by the window.' },
      { c: "Then I'll keep it as it is. Thank you!" },
    ],
  ],
  [
    'the record stops on a failed step',
    'unresolved',
    'ended_with_goal_open',
    [...ASKS, { a: 'One moment.' }, ...BREAKS],
    { disconnectionReason: 'unknown', ending: { hint: 'unknown', family: 'unknown', endedBy: 'unknown' } },
  ],
];

describe('the outcome of a call', () => {
  test.each(ROWS)('%s: %s by %s', (_what, outcome, rule, lines, given) => {
    const analysis = analyseCall(scripted(lines, given), {});
    expect({ outcome: analysis.outcome, rule: analysis.outcomeReason.rule }).toEqual({ outcome, rule });
    expect(analysis.outcomeReason.text).toMatch(/^[A-Z].*\.$/);
    for (const turn of analysis.outcomeReason.turns) expect(turn).toBeLessThan(lines.length);
  });

  test('a call that ended badly scores higher than one that ended well', () => {
    const score = (lines: Line[]) => analyseCall(scripted(lines), {}).badEndingScore;
    const good = score([...ASKS, ...BOOKS, { a: "I've booked it." }, { c: 'Thank you, bye.' }]);
    const bad = score([...ASKS, { a: 'For what time?' }]);
    expect(bad).toBeGreaterThan(good);
  });
});

describe('what else is read off the talk', () => {
  test('the objective is the first request in the caller’s words', () => {
    const analysis = analyseCall(
      scripted([
        { a: 'Hello.' },
        { c: 'Hi.' },
        { a: 'Yes?' },
        { c: 'I need to move my appointment to Friday.' },
        { a: 'Okay.' },
        { c: 'Can you also send me a reminder?' },
      ]),
      {},
    );
    expect(analysis.objective).toBe('I need to move my appointment to Friday.');
    expect(analysis.requests.map((request) => request.turn)).toEqual([3, 5]);
  });

  test.each([
    ['silent', []],
    ['hurried', [{ c: 'I need a taxi as soon as possible.' }]],
    ['first_time', [{ c: 'It is my first time here, how does this work?' }]],
    ['asks_for_person', [{ c: 'Can I speak to a person?' }]],
    ['frustrated', [{ c: 'This is ridiculous.' }]],
    ['detail_giver', [{ c: 'Book a table for 4 on Friday at 8, my name is Ito.' }]],
    ['hesitant', [{ c: 'Um, I would like a table.' }, { a: 'When?' }, { c: 'Uh, at eight.' }]],
    ['polite', [{ c: 'A table please.' }, { a: 'When?' }, { c: 'At eight, thanks.' }]],
    ['terse', [{ c: 'A table.' }, { a: 'When?' }, { c: 'Eight.' }, { a: 'Inside?' }, { c: 'Outside.' }]],
    [
      'inquisitive',
      [
        { c: 'I would like to book a table.' },
        { a: 'Of course.' },
        { c: 'Is there a terrace?' },
        { a: 'There is.' },
        { c: 'Is it heated?' },
      ],
    ],
    ['cooperative', [{ c: 'I would like to book a table.' }]],
  ] satisfies [string, Line[]][])('a caller can be %s', (persona, lines) => {
    expect(analyseCall(scripted(lines), {}).personaSlug).toBe(persona);
  });

  test('places reached are steps and tools in their order, or the start where there are none', () => {
    const withTool = analyseCall(scripted([{ a: 'Hello.', node: 'welcome' }, ...BOOKS]), {});
    expect(withTool.visits.map((visit) => `${visit.place.kind}:${visit.place.id}`)).toEqual([
      'node:welcome',
      'tool:book_table',
    ]);
    expect(analyseCall(scripted([{ a: 'Hello.' }]), {}).visits[0]?.place.id).toBe('start');
  });
});
