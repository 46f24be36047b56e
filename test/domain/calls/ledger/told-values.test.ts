import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../../acts/talk.ts';
import { type Given, scripted } from '../../signals/scripted-call.ts';

/** True where the agent's words after a look-up are found to differ from its result. */
function isMisread(
  body: Record<string, unknown>,
  told: string,
  given: Given = {},
  asked = 'c: what have you got',
): boolean {
  const lines = [
    asLine('a: Hello.'),
    asLine(asked),
    { call: 'find_offer', args: { what: 'offer' } },
    { result: 'find_offer', body: JSON.parse(JSON.stringify(body)), ok: true },
    asLine(told),
    asLine('c: okay'),
  ];
  const { signals } = analyseCall(scripted(lines, { configuration: { prompt: 'Be kind.' }, ...given }), {});
  return signals.some(({ code, turnIndex }) => code === 'result_misreported' && turnIndex === 4);
}

describe('an amount that no source holds', () => {
  const tent = { offers: [{ name: 'tent', price: 545 }] };

  test.each([
    ['another amount', 'a: A tent is four hundred fifty-four dollars.', true],
    ['the same', 'a: A tent is five hundred forty-five dollars.', false],
    ['twice the price', 'a: Two tents are a thousand and ninety dollars.', false],
    ['a round one near it', 'a: A tent is about five hundred fifty dollars.', false],
  ])('%s', (_, told, is) => {
    expect(isMisread(tent, told)).toBe(is);
  });

  test('is no other one that the prompt names, alone or on top', () => {
    const configuration = { prompt: 'A deposit of 60 dollars is due.' };
    expect(isMisread(tent, 'a: The deposit is sixty dollars.', { configuration })).toBe(false);
    expect(isMisread(tent, 'a: With the deposit that is six hundred and five dollars.', { configuration })).toBe(false);
  });

  test('may be one of a prompt that is not known', () => {
    const configuration = { prompt: null };
    expect(isMisread(tent, 'a: A tent is four hundred fifty-four dollars.', { configuration })).toBe(false);
  });

  test('is no other one that the caller had named', () => {
    expect(isMisread(tent, 'a: Nothing under 300 dollars, sorry.', {}, 'c: i have 300 dollars')).toBe(false);
  });
});

describe('a time that no source holds', () => {
  const ferries = { ferries: ['16:13', '16:33', '16:53'] };

  test.each([
    ['en', 'a: The next one leaves at sixteen thirty-one.', true],
    ['en', 'a: There is one at sixteen thirty-three and one at sixteen fifty-three.', false],
    ['en', 'a: There is one at about quarter past four.', false],
    ['de', 'a: Die nächste Fähre geht um sechzehn Uhr einunddreißig.', true],
    ['fr', 'a: Le prochain part à seize heures trente-trois.', false],
  ])('(%s) %s', (language, told, is) => {
    expect(isMisread(ferries, told, { language })).toBe(is);
  });
});

describe('a number beside the name of its field', () => {
  test.each([
    [{ queue: 14 }, 'a: You are at queue fourteen.', false],
    [{ homes: 212 }, 'a: It is out in two hundred homes.', false],
    [{ rooms: [{ beds: 2 }, { beds: 4 }] }, 'a: There is one with three beds.', false],
  ])('%o: %s', (body, told, is) => {
    expect(isMisread(body, told)).toBe(is);
  });
});

describe('a day', () => {
  const given = { startedAt: '2026-10-06T09:00:00.000Z' };

  test.each([
    ['told by its weekday alone', { arrivee: '2026-10-09' }, 'a: It comes on Wednesday.', true],
    ['told by its weekday alone, rightly', { arrivee: '2026-10-09' }, 'a: It comes on Friday.', false],
    ['beside one of the past', { ordered: '2026-09-01' }, 'a: It comes on Wednesday.', false],
  ])('%s', (_, body, told, is) => {
    expect(isMisread(body, told, given)).toBe(is);
  });
});

describe('what is no part of a result', () => {
  const offer = { total: 168, days: 2 };

  test.each([
    ['a price of the prompt', "a: That's ready, and after that it's five dollars a day.", false],
    ['an hour', "a: That's reserved, and you can come from four on Friday.", false],
    ['another sum', "a: That's eighty dollars.", true],
    ['another length', 'a: It lasts for five days.', true],
  ])('%s', (_, told, is) => {
    const configuration = { prompt: 'Storage is 5 dollars a day.' };
    expect(isMisread(offer, told, { configuration })).toBe(is);
  });

  test('is what the caller wants instead', () => {
    const lines = [
      asLine('c: when is my hire'),
      { call: 'find_hire', args: {} },
      { result: 'find_hire', body: { days: 2 }, ok: true },
      asLine('a: You have it for two days.'),
      asLine('c: can we make it three days'),
      asLine("a: Three days. I'll see what that is."),
    ];
    expect(analyseCall(scripted(lines), {}).signals.map(({ code }) => code)).not.toContain('result_misreported');
  });
});

describe('a day told by its distance', () => {
  const at = (startedAt: string): Given => ({ startedAt });
  const BACK = { ticket: 'M-4', return_by: '2026-06-18' };

  test.each([
    ['of two days off', 'a: I have logged it, and a crew will be back tomorrow.'],
    ['with a time of day', 'a: They will be out first thing tomorrow.'],
    ['of three days off', 'a: The day after tomorrow they will be back.', '2026-06-14T15:00:00.000Z'],
  ])('is not the one %s', (_, told, startedAt = '2026-06-15T15:00:00.000Z') => {
    expect(isMisread(BACK, told, at(startedAt))).toBe(true);
  });

  test.each([
    ['the day is right', 'a: They will be back tomorrow.', '2026-06-17T15:00:00.000Z'],
    ['the date is told as well', 'a: They come on the 18th of June, not tomorrow.', '2026-06-15T15:00:00.000Z'],
    ['a message is to come then', 'a: You get an email tomorrow.', '2026-06-15T15:00:00.000Z'],
    ['it can not be then', 'a: I am sorry, we cannot come tomorrow.', '2026-06-15T15:00:00.000Z'],
    ['the caller’s clock may show another day', 'a: They will be back tomorrow.', '2026-06-16T20:15:00.000Z'],
    ['nobody knows when it was said', 'a: They will be back tomorrow.', null],
  ])('is no fault where %s', (_, told, startedAt) => {
    expect(isMisread(BACK, told, { startedAt })).toBe(false);
  });

  test('says nothing of a result that came before the caller spoke again', () => {
    const lines = [
      asLine('c: is it still on'),
      { call: 'find_offer', args: {} },
      { result: 'find_offer', body: { day: '2026-06-18' }, ok: true },
      asLine('a: It is.'),
      asLine('c: can I keep the kit until tomorrow'),
      asLine('a: You have it until tomorrow anyway.'),
    ];
    const { signals } = analyseCall(scripted(lines, at('2026-06-15T15:00:00.000Z')), {});
    expect(signals.filter(({ code }) => code === 'result_misreported')).toEqual([]);
  });
});

test('a half of the total is no other total', () => {
  expect(isMisread({ total: 94.4 }, 'a: In total you get half of it back, £47.20.')).toBe(false);
  expect(isMisread({ total: 94.4 }, 'a: In total that is £97.40.')).toBe(true);
});

describe('a value that is told after a look-up that found nothing', () => {
  const none = { result: 'Failed to find the customer by phone, please ask for the policy number' };
  const told = 'a: Thank you. I found your policy and your claim was paid last Monday.';

  test.each<[string, Record<string, unknown>, string, string, boolean]>([
    ['is nobody’s', none, told, 'c: was my claim paid', true],
    ['is the caller’s', none, told, 'c: was my claim paid on monday', false],
    [
      'stands in the no',
      { result: 'No claim was found; the office opens on Monday the 30th' },
      told,
      'c: was it paid',
      false,
    ],
    ['comes with a way out', none, 'a: I can not find it. We call you back on Monday.', 'c: was my claim paid', false],
    ['is none, where only a hold is said', none, 'a: One moment, please.', 'c: was my claim paid', false],
    ['follows what was found', { result: 'Policy found, claim paid' }, told, 'c: was my claim paid', false],
  ])('%s', (_, body, says, asked, is) => {
    expect(isMisread(body, says, {}, asked)).toBe(is);
  });
});
