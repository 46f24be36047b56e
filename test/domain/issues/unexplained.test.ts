import { describe, expect, test } from 'vitest';
import { endingOf, groupUnexplained, type UnexplainedCall } from '../../../src/domain/issues/unexplained.ts';

const REFUND = { slug: 'refund', label: 'Refund' };
const ROOM = { slug: 'room', label: 'Room' };
const LEFT = { name: 'left', text: 'The caller left. It was turn 7.' };
const NO = '"find_rooms" answered no: Nothing free on 4 May';

let made = 0;
const call = (over: Partial<UnexplainedCall> = {}): UnexplainedCall => {
  made += 1;
  return { callId: `call-${made}`, intent: null, refusal: null, rule: null, ...over };
};
const times = (count: number, over: Partial<UnexplainedCall>) => Array.from({ length: count }, () => call(over));
const rows = (...calls: UnexplainedCall[]) => {
  const { rows: found, left } = groupUnexplained(calls);
  return { titles: found.map(({ title, calls: count }) => `${count}: ${title}`), left };
};

describe('calls that nothing explains are put together', () => {
  test.each<[string, UnexplainedCall[], string[], number]>([
    ['two have nothing in common but chance', times(2, { intent: ROOM }), [], 2],
    [
      'by the last no and what was wanted',
      times(3, { intent: ROOM, refusal: NO }),
      ['3: Calls about “Room” after find_rooms said “Nothing free on may”'],
      0,
    ],
    [
      'by the last no alone',
      [...times(2, { intent: ROOM, refusal: NO }), call({ intent: REFUND, refusal: NO })],
      ['3: Calls after find_rooms said “Nothing free on may”'],
      0,
    ],
    [
      'whatever the numbers of the no',
      [3, 5, 7].map((day) => call({ refusal: `"find_rooms" answered no: Nothing free on ${day} May` })),
      ['3: Calls after find_rooms said “Nothing free on may”'],
      0,
    ],
    [
      'a no without words',
      times(3, { refusal: '"find_rooms" answered no: 404' }),
      ['3: Calls after find_rooms said no'],
      0,
    ],
    [
      'a no in other words',
      times(3, { refusal: 'We are full' }),
      ['3: Calls after the business said “We are full”'],
      0,
    ],
    [
      'by what was wanted and how it ended',
      times(3, { intent: ROOM, rule: LEFT }),
      ['3: Calls about “Room” that end badly: The caller left'],
      0,
    ],
    [
      'by what was wanted',
      [call({ intent: ROOM, rule: LEFT }), ...times(2, { intent: ROOM })],
      ['3: Calls about “Room” that end badly, in different ways'],
      0,
    ],
    [
      'by how it ended',
      [...times(2, { intent: ROOM, rule: LEFT }), call({ intent: REFUND, rule: LEFT })],
      ['3: Calls that end badly: The caller left'],
      0,
    ],
    [
      'before anything was noticed',
      times(3, { intent: ROOM }),
      ['3: Calls about “Room” that end badly: nothing was noticed before the end'],
      0,
    ],
  ])('%s', (_, calls, titles, left) => {
    expect(rows(...calls)).toEqual({ titles, left });
  });

  test('each in one row at most, the largest first, of equal ones by their words', () => {
    const calls = [
      ...times(3, { intent: REFUND, refusal: NO }),
      ...times(3, { intent: REFUND, rule: LEFT }),
      ...times(4, { intent: ROOM, refusal: NO }),
    ];
    expect(rows(...calls).titles.map((title) => title.slice(0, 21))).toEqual([
      '4: Calls about “Room”',
      '3: Calls about “Refun',
      '3: Calls about “Refun',
    ]);
    expect(rows(...calls).titles[1]).toContain('after');
  });

  test('with some of the calls, and how most of them ended', () => {
    const other = { name: 'silent', text: 'Nobody spoke.' };
    const calls = [
      ...times(1, { intent: ROOM, rule: other }),
      ...times(2, { intent: ROOM }),
      ...times(2, { intent: ROOM, rule: LEFT }),
      ...times(2, { intent: ROOM, rule: { ...LEFT, name: 'left_twice' } }),
    ];
    const [row] = groupUnexplained(calls).rows;
    expect(row).toMatchObject({ calls: 7, ending: 'The caller left', intentSlug: 'room', refusal: null });
    expect(row?.callIds).toEqual(calls.slice(0, 3).map(({ callId }) => callId));
  });

  test('by what calls came to, where a model says of each in its own words how it ended', () => {
    const read = (text: string, outcome: string) =>
      call({ intent: ROOM, rule: endingOf({ rule: 'read_by_model', text }, outcome) });
    const calls = ['The cake was late.', 'No room was free.', 'She hung up.'].map((text) => read(text, 'unresolved'));
    expect(rows(...calls, read('He left.', 'abandoned'))).toEqual({
      titles: ['3: Calls about “Room” that end badly: The caller did not get what they asked for'],
      left: 1,
    });
  });

  test('into twenty rows at most; what is not shown is left over', () => {
    const calls = Array.from({ length: 22 }, (_, at) =>
      times(3, { intent: { slug: `i${at}`, label: `I${at}` } }),
    ).flat();
    expect(groupUnexplained(calls).rows).toHaveLength(20);
    expect(groupUnexplained(calls).left).toBe(6);
  });
});
