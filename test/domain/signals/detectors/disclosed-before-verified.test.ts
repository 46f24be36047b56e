import { expect, test } from 'vitest';
import type { Json } from '../../../../src/domain/json.ts';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { toolNamed } from '../../../support/played.ts';
import { asLine } from '../../acts/talk.ts';
import { type Line, scripted } from '../scripted-call.ts';
import { turnsOf } from './turns-of.ts';

const used = (name: string, body: Json): Line[] => [
  { call: name, args: {} },
  { result: name, body },
];
const VERIFIED = used('verify_member', { success: true });
const RECORD = { holder: 'Philippa Wintergreen', town: 'Ambleside', balance: 37.5 };
const FETCHED = used('get_account', RECORD);

/** What is said of a call of a library: told at a turn, or only fetched. */
function judged(lines: readonly (string | Line | Line[])[], tools = ['verify_member', 'get_account']) {
  const all = lines.flat().map((line) => (typeof line === 'string' ? asLine(line) : line));
  const { signals, observations, notComputable } = analyseCall(
    scripted(all, { configuration: { tools: tools.map((name) => toolNamed(name)) } }),
    {},
  );
  return {
    told: signals.filter(({ code }) => code === 'disclosed_before_verified').map(({ turnIndex }) => turnIndex),
    fetched: observations.filter(({ rule }) => rule === 'disclosed_before_verified').map(({ turnIndex }) => turnIndex),
    unknown: notComputable.some(({ code }) => code === 'disclosed_before_verified'),
  };
}

const ASKED = 'c: what do I owe the library';

test.each<[string, string]>([
  ['names', 'a: I see Philippa Wintergreen of Ambleside here.'],
  ['an amount', 'a: You owe 37.50 pounds.'],
  ['an amount in words', 'a: That is thirty seven pounds and fifty pence.'],
])('%s of a record that are told before anybody was verified are found', (_, line) => {
  expect(judged([ASKED, FETCHED, line])).toMatchObject({ told: [3], fetched: [2] });
});

test.each<[string, number[], string]>([
  ['a day and a time', [3], 'a: Your visit is on Tuesday the twelfth of January at half past nine.'],
  ['a day that the caller had said, and no more', [], 'a: Yes, on the twelfth of January.'],
])('%s of a record', (_, told, line) => {
  const visit = used('get_account', { holder: 'Philippa Wintergreen', visit: { date: '2027-01-12', time: '09:30' } });
  const asked = told.length > 0 ? ASKED : 'c: is it the twelfth of January';
  expect(judged([asked, visit, line]).told).toEqual(told);
});

test.each<[string, Line[], string]>([
  [
    'a free time',
    used('find_slots', { provider_name: 'Dr. Ong', date: '2027-01-12', time: '09:30' }),
    'a: Tuesday the twelfth at half past nine?',
  ],
  ['a code that was just made', used('book_order', { name: 'P. W.', door_code: '4471' }), 'a: Your code is 4471.'],
  ['a telephone of the house', used('find_branch', { name: 'P. W.', phone: '01234' }), 'a: The number is 01234.'],
  ['one day, told by its name', used('get_account', { holder: 'P. W.', pickup: 'Tuesday' }), 'a: It is on Tuesday.'],
])('%s is given out to anybody', (_, lines, line) => {
  expect(judged([ASKED, lines, line]).told).toEqual([]);
});

test('a code of a record that is to be kept', () => {
  const door = used('get_account', { holder: 'P. W.', door_code: '4471', shelf: 'B2' });
  expect(judged([ASKED, door, 'a: The code of the door is four four seven one.']).told).toEqual([3]);
  expect(judged(['c: is it still 4471', door, 'a: Yes, four four seven one.']).told).toEqual([]);
});

test('who was turned away by the tool that verifies was not verified', () => {
  const lines = [ASKED, used('verify_member', { verified: false }), FETCHED, 'a: You owe 37.50 pounds.'];
  expect(judged(lines).told).toEqual([5]);
});

test.each(['check_customer', 'kunde_pruefen', 'verify_member'])('%s is a tool that verifies callers', (tool) => {
  const tools = [tool, 'get_account'];
  const line = 'a: You owe 37.50 pounds.';
  expect(judged([ASKED, used(tool, { ok: true }), FETCHED, line], tools).told).toEqual([]);
  expect(judged([ASKED, FETCHED, line], tools).told).toEqual([3]);
});

test.each(['check_voucher', 'check_customer_balance', 'kundendaten_abfragen', 'consultar_cliente'])(
  '%s verifies nobody',
  (tool) => {
    expect(judged([ASKED, FETCHED, 'a: You owe 37.50 pounds.'], [tool, 'get_account']).unknown).toBe(true);
  },
);

test('it makes no difference that the caller is verified afterwards', () => {
  expect(judged([ASKED, FETCHED, 'a: You owe 37.50 pounds.', VERIFIED])).toMatchObject({ told: [3], fetched: [2] });
});

test.each<[string, (string | Line | Line[])[]]>([
  ['who was verified before', [ASKED, VERIFIED, FETCHED, 'a: You owe 37.50 pounds, Philippa Wintergreen.']],
  ['of a tool that found nothing', [ASKED, used('get_account', { success: false, message: 'Not found' }), 'a: Hm.']],
  ['of a tool that failed', [ASKED, used('get_account', { status: 500, message: 'down' }), 'a: Hm.']],
  ['that everybody may know', [ASKED, used('opening_hours', { monday: '9 to 5' }), 'a: From nine to five.']],
])('nothing is found of somebody or something %s', (_, lines) => {
  expect(judged(lines)).toEqual({ told: [], fetched: [], unknown: false });
});

test.each<[string, string[]]>([
  ['nothing of it is told', ['a: One moment, I have to ask you something first.']],
  ['one word of it is told, which may be any word', ['a: The branch in Ambleside is open.']],
  ['another amount is told', ['a: The yearly fee is 20 pounds.']],
])('what was only fetched is noted and no more where %s', (_, lines) => {
  expect(judged([ASKED, FETCHED, ...lines])).toMatchObject({ told: [], fetched: [2] });
});

test('what the caller had said themselves may be said back', () => {
  const own = 'c: Philippa Wintergreen from Ambleside';
  expect(judged([own, FETCHED, 'a: Hello Philippa Wintergreen from Ambleside.'])).toMatchObject({ told: [] });
});

test('a verification that failed verified nobody', () => {
  const failed = used('verify_member', { success: false, message: 'Could not verify' });
  expect(judged([ASKED, failed, FETCHED, 'a: You owe 37.50 pounds.'])).toMatchObject({ told: [5] });
});

test('data of a person are known by their fields too, whatever the tool is called', () => {
  const found = used('search', { owner_name: 'Philippa Wintergreen' });
  expect(judged([ASKED, found, 'a: That is Philippa Wintergreen.'])).toMatchObject({ told: [3], fetched: [] });
});

test('an agent that verifies nobody is not judged', () => {
  expect(judged([ASKED, FETCHED, 'a: You owe 37.50 pounds.'], ['get_account'])).toEqual({
    told: [],
    fetched: [],
    unknown: true,
  });
});

test('who verifies accounts guards accounts, and no hire that is looked up by its number', () => {
  const tools = [toolNamed('find_hire'), toolNamed('verify_account'), toolNamed('account_details')];
  const looked = (name: string, body: object): (string | Line)[] => [
    'a: Tool hire.',
    'c: it is D four three nine two',
    { call: name, args: { hire_no: 'D4392' } },
    { result: name, body: JSON.parse(JSON.stringify(body)), ok: true },
    "a: That's Sloan Groundworks, a medium breaker, out since the fourth.",
  ];
  const found = (name: string, body: object) =>
    turnsOf('disclosed_before_verified', looked(name, body), { configuration: { tools } });
  const hire = { name: 'Sloan Groundworks', items: ['medium breaker'], since: '2027-03-04' };
  expect(found('find_hire', hire)).toEqual([]);
  expect(found('account_details', hire)).toEqual([4]);
});

test('what an order that was just placed costs is told to anybody', () => {
  const lines: (string | Line)[] = [
    'a: Shop.',
    'c: a voucher of eighty please',
    { call: 'order_voucher', args: { amount: 80 } },
    { result: 'order_voucher', body: { ok: true, amount: 80 }, ok: true },
    'a: Your voucher of eighty euros is ordered.',
  ];
  const tools = [toolNamed('order_voucher'), toolNamed('verify_customer')];
  expect(turnsOf('disclosed_before_verified', lines, { configuration: { tools } })).toEqual([]);
});
