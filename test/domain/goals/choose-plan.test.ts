import { describe, expect, test } from 'vitest';
import { type Matter, plannedTests, readRequest } from '../../../src/domain/goals/choose-plan.ts';

const matter = (kind: Matter['kind'], label: string, testIds: string[] = [], names: string[] = []): Matter => ({
  kind,
  id: label,
  label,
  calls: 12,
  testIds,
  names: [label, ...names],
});
const MATTERS = [
  matter('intent', 'Book a visit', ['books']),
  matter('intent', 'Cancel a visit', ['cancels']),
  matter('intent', 'Opening hours'),
  matter('tool', 'book_appointment', ['books', 'times-out']),
  matter('issue', 'The diary times out', [], ['tool_timeout']),
];
const TESTS = [
  { id: 'books', title: 'Books the time taken', names: ['Books the time taken', 'Book a check-up on Tuesday'] },
  { id: 'cancels', title: 'Cancels what is booked', names: ['Cancels what is booked'] },
  { id: 'times-out', title: 'Owns up when it fails', names: ['Owns up when it fails', 'Get a free day'] },
];
const read = (request: string) => readRequest(request, MATTERS, TESTS);
const labels = (request: string) => read(request).matters.map(({ matter: { label } }) => label);

describe('a request', () => {
  test.each([
    ['Callers who cancel a visit should hear that it is gone.', ['Cancel a visit']],
    ['Visits should be cancelled at once', ['Cancel a visit']],
    ['Why does book_appointment fail so often?', ['book_appointment']],
    ['Fewer of tool_timeout, please', ['The diary times out']],
    ['BOOK_APPOINTMENT.', ['book_appointment']],
    ['Be nicer.', []],
    ['', []],
    ['\u0000 \ud800 ___ ...', []],
  ])('%j means %j', (request, expected) => {
    expect(labels(request)).toEqual(expected);
  });

  test('has its tests chosen, each with its reason, and each once', () => {
    const { tests } = read('Cancelling a visit should work, and book_appointment too.');
    expect(tests).toEqual([
      {
        testId: 'books',
        title: 'Books the time taken',
        reason: 'Covers the tool "book_appointment", 12 calls; the request names book_appointment.',
      },
      {
        testId: 'times-out',
        title: 'Owns up when it fails',
        reason: 'Covers the tool "book_appointment", 12 calls; the request names book_appointment.',
      },
      {
        testId: 'cancels',
        title: 'Cancels what is booked',
        reason: 'Covers the intent "Cancel a visit", 12 calls; the request names cancelling, visit.',
      },
    ]);
  });

  test('finds tests by their own words', () => {
    const { tests, matters } = readRequest('Own up to what fails', [], TESTS);
    expect(matters).toEqual([]);
    expect(tests).toEqual([
      {
        testId: 'times-out',
        title: 'Owns up when it fails',
        reason: 'Its words hold what is asked for: own, up, fails.',
      },
    ]);
  });

  test('finds a test by its title whatever else its caller wants, and in other forms of its words', () => {
    const goal = 'Get an appointment for a cleaning on one of the first days of next month, early in the morning.';
    const tests = [
      {
        id: 'takes',
        title: 'Books the time that the caller takes',
        names: ['Books the time that the caller takes', goal],
      },
      { id: 'hours', title: 'Tells the opening hours', names: ['Tells the opening hours', 'Know when you are open.'] },
    ];
    const request = 'Callers who take a time should end up with a booking in the diary.';
    expect(readRequest(request, MATTERS, tests).tests.map(({ testId }) => testId)).toContain('takes');
    expect(readRequest(request, MATTERS, tests).tests.map(({ testId }) => testId)).not.toContain('hours');
  });

  test('says which of its words name nothing', () => {
    const { unmatched } = readRequest('Cancelling a visit should never need a passport or parking', MATTERS, TESTS);
    expect(unmatched).toEqual(expect.arrayContaining(['passport', 'parking']));
    for (const word of ['visit', 'should', 'never']) expect(unmatched).not.toContain(word);
  });

  test('of any length is read in bounded time and has a bounded plan', () => {
    const many = Array.from({ length: 300 }, (_, nth) => ({ id: `t${nth}`, title: 'Cancels', names: ['Cancels'] }));
    expect(readRequest('cancel '.repeat(1000), [], many).tests).toHaveLength(20);
    expect(readRequest(`${'a_'.repeat(4000)}a`, MATTERS, TESTS).tests).toEqual([]);
  });

  test('tells of each test of a plan why it is there, where it asks for it', () => {
    const reading = read('Cancel a visit');
    expect(plannedTests(['books', 'cancels', 'gone'], TESTS, reading)).toMatchObject([
      { testId: 'books', reason: null },
      { testId: 'cancels', reason: expect.stringContaining('Cancel a visit') },
      { testId: 'gone', title: 'A test that is archived', reason: null },
    ]);
  });
});
