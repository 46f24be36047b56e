import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, type Line, scripted } from './scripted-call.ts';

/** Codes of signals with their turns; how a short script ends is no matter here. */
function codesOf(lines: readonly (string | Line)[], given: Given = {}): string[] {
  const call = scripted(
    lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
    given,
  );
  const found = analyseCall(call, {}).signals.filter(({ code }) => code !== 'caller_left_mid_task');
  return found.map(({ code, turnIndex }) => `${code} ${turnIndex}`);
}

const GERMAN: Given = { language: 'de-DE' };
const BY_AGENT: Given = { ending: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' } };

describe('no fault is', () => {
  test('a figure that is called null', () => {
    const lines = (said: string) => ['a: Guten Tag, Fahrradladen Kettler.', 'c: wie ist denn die Auftragsnummer', said];
    expect(codesOf(lines('a: Ihr Auftrag hat die Nummer vier null sieben.'), GERMAN)).not.toContain(
      'placeholder_spoken 2',
    );
    expect(codesOf(lines('a: Ihr Auftrag hat die Nummer undefined.'), GERMAN)).toContain('placeholder_spoken 2');
  });

  test('one answer that takes a little longer; two of them are slow answers', () => {
    const bikes = (secondGapS: number): Line[] => [
      { a: 'Kettler Cycles, hello.', at: [0, 2] },
      { c: 'is my wheel ready', at: [2.5, 4] },
      { a: 'It is ready for you.', at: [7.9, 9] },
      { c: 'and how late are you there', at: [9.5, 11] },
      { a: 'We are here until six.', at: [11 + secondGapS, 13 + secondGapS] },
    ];
    expect(codesOf(bikes(0.5))).not.toContain('turn_latency_high 2');
    expect(codesOf(bikes(3.8))).toContain('turn_latency_high 2');
  });

  test('an exclamation about the matter', () => {
    const matter = [
      'a: Kettler Cycles, hello.',
      'c: my chain broke',
      'a: We have chains here.',
      "c: oh for heaven's sake it rained too",
    ];
    expect(codesOf(matter)).toEqual([]);
  });

  test('the end of a call once agent and caller have taken their leave', () => {
    const lines = [
      'a: Kettler Cycles, hello.',
      'c: is my wheel ready',
      'a: It is ready. Have a nice day, goodbye.',
      'c: lovely',
    ];
    expect(codesOf(lines, BY_AGENT)).not.toContain('agent_hung_up_early 3');
    expect(codesOf([...lines.slice(0, 3), 'c: no hold on'], BY_AGENT)).toContain('agent_hung_up_early 3');
  });

  test('a postcode that something said to the dog precedes, or that a noise cut', () => {
    const lines = [
      'a: What is your postcode, please?',
      'c: B A two [barking] sorry',
      'a: Could you say your postcode once more?',
      'c: oh be quiet you two right B A two four Q P',
    ];
    expect(codesOf(lines)).toEqual([]);
  });

  test('a full name that follows a yes and a pause', () => {
    const asked = (first: string, second: string) =>
      codesOf(['a: What is your full name?', first, 'a: Could you say your full name once more?', second]);
    expect(asked("c: Yes, it's Marta Holm, and I am in a hurry", "c: Sure. That's Marta Holm.")).toEqual([]);
  });

  test('a wish not to be called, told before', () => {
    const lines = [
      'a: Hello, Kettler Cycles here. Am I talking to Mr Orme?',
      'c: who is this',
      'a: Mia from Kettler Cycles. Is this Mr Orme?',
      "c: i've told you lot before take me off your list",
      'a: You are off our list. Goodbye.',
    ];
    expect(codesOf(lines)).not.toContain('said_already_told 3');
  });

  test.each([
    ['de-DE', 'c: wann habt ihr Ferien', 'a: Vom zweiten bis zum zwanzigsten August sind alle Häuser geschlossen.'],
    ['fr-FR', 'c: vous ouvrez le lundi', 'a: Le lundi le magasin est fermé.'],
    ['es-ES', 'c: abren los lunes', 'a: Los lunes está cerrado.'],
  ])('hours at which nobody is there (%s)', (language, asked, told) => {
    const tools = [
      {
        id: 'book',
        name: 'book',
        description: '',
        kind: 'other' as const,
        parameters: null,
        timeoutMs: null,
        speaksDuring: null,
      },
    ];
    expect(codesOf([asked, told, 'c: ok'], { language, configuration: { tools } })).not.toContain(
      'claimed_without_tool 1',
    );
  });

  test('silence that the agent notices before it takes its leave', () => {
    const lines: Line[] = [
      { a: 'Kettler Cycles, hello.', at: [0, 2] },
      { a: 'Hello, is anybody there?', at: [10, 12] },
      { a: 'I cannot hear you. Goodbye.', at: [20, 22] },
    ];
    expect(codesOf(lines)).not.toContain('caller_never_heard 2');
  });
});
