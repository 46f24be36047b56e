import { describe, expect, test } from 'vitest';
import type { ReaderAnswer } from '../../../src/domain/reading/answer.ts';
import { withoutReading, withReading } from '../../../src/domain/reading/merge-reading.ts';
import { readingSteps, withAnswer } from '../../../src/domain/reading/steps.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { readingRequest } from '../../../src/models/reading-question.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';
import { answered } from './answers.ts';

const GREETING: Line = { c: 'Avete chiamato la famiglia Rossi, lasciate un messaggio dopo il segnale.' };
const ITALIAN: Line[] = [
  GREETING,
  { a: 'Buongiorno, qui è lo studio dentistico. Confermate la visita di domani?' },
  { c: 'Il messaggio è stato registrato.' },
];
const AGENT = { configuration: null, intents: [], knownOthers: [], expectations: [] };

function opened(lines: Line[], given: Given) {
  const { call, configuration } = scripted(lines, { direction: 'outbound', ...given });
  const analysis = analyseCall({ call, configuration }, {});
  const step = readingSteps({
    call,
    configuration,
    isCallerKnown: false,
    analysis,
    knownOthers: [],
    trusted: new Set(),
  });
  const { question } = step({ windows: [] });
  if (question === null) throw new Error('Nothing is asked.');
  return { analysis, step, question, request: readingRequest(question, AGENT) };
}

function laid(answer: Partial<ReaderAnswer>, lines = ITALIAN, given: Given = { language: 'it-IT' }) {
  const { analysis, step, question } = opened(lines, given);
  const { checked } = step(withAnswer({ windows: [] }, question, answered(answer)));
  const merged = withReading(analysis, checked, { mode: 'decide', returned: new Set() });
  return { analysis, merged };
}

const VOICEMAIL = { value: 'voicemail', turn: 0, quote: 'lasciate un messaggio' } as const;

describe('who answered is asked', () => {
  test('where no list tells a machine from a person, behind the record', () => {
    const { analysis, request } = opened(ITALIAN, { language: 'it-IT' });
    expect(analysis.answeredBy).toMatchObject({ by: 'person', basis: 'rules' });
    expect(request.material).toMatch(/<\/record>\nSay also who was on the far side/);
    expect(request.schema.safeParse(answered({}))).toMatchObject({ success: false });
    expect(request.schema.safeParse(answered({ answeredBy: [VOICEMAIL] }))).toMatchObject({ success: true });
  });

  test('nowhere else: the question stays the same to the byte', () => {
    const { analysis, request } = opened([{ c: 'Hello, who is calling?' }, { a: 'Fern Dental, about your visit.' }], {
      language: 'en-US',
    });
    expect(analysis.answeredBy).toEqual({
      by: 'person',
      turns: [0],
      text: 'A person answered.',
      basis: 'rules',
      before: [],
    });
    expect(request.material).toMatch(/<\/record>$/);
    expect(request.name).toBe('call_reading');
    expect(request.schema.safeParse(answered({ answeredBy: [VOICEMAIL] }))).toMatchObject({ success: false });
  });
});

describe('a voice that a reader names', () => {
  test('is who answered; of a machine nothing is left that takes a caller', () => {
    const { analysis, merged } = laid({ answeredBy: [VOICEMAIL] });
    expect(analysis.outcome).not.toBe('no_contact');
    expect(merged).toMatchObject({
      outcome: 'no_contact',
      answeredBy: { by: 'voicemail', turns: [0], basis: 'model', before: [] },
      callerSpoke: false,
      requests: [],
      objective: 'An answering machine took the call.',
      counts: { callerTurns: 0 },
    });
    expect(withoutReading(merged)).toEqual(analysis);
  });

  test('a machine gives what code says of one that the lists know', () => {
    const talk = 'Buongiorno, qui è lo studio dentistico, la chiamo per ricordarle la visita di domani alle dieci. ';
    const long: Line[] = [GREETING, { a: talk.repeat(6) }, { a: 'Pronto, mi sente?' }];
    expect(laid({ answeredBy: [VOICEMAIL] }, long).merged.signals).toContainEqual(
      expect.objectContaining({ code: 'voicemail_talked_to', turnIndex: 2, basis: 'model' }),
    );
    const menu = 'Per informazioni premere uno, per altre richieste premere due.';
    const stuck: Line[] = [
      { c: menu },
      { a: 'Vorrei confermare la visita.' },
      { c: menu },
      { a: 'La visita.' },
      { c: menu },
    ];
    const voices = [0, 2, 4].map((turn) => ({ value: 'phone_menu' as const, turn, quote: 'premere uno' }));
    const { analysis, merged } = laid({ answeredBy: voices }, stuck);
    expect(merged.outcome).toBe('no_contact');
    expect(merged.signals).toContainEqual(expect.objectContaining({ code: 'ivr_stuck', basis: 'model' }));
    expect(withoutReading(merged)).toEqual(analysis);
  });

  test('a person after a menu was reached', () => {
    const { merged } = laid({
      answeredBy: [
        { value: 'person', turn: 2, quote: 'Il messaggio' },
        { value: 'phone_menu', turn: 0, quote: 'dopo il segnale' },
      ],
      outcome: { value: 'unresolved', turn: 2, quote: 'Il messaggio', because: 'Nothing was settled.' },
    });
    expect(merged).toMatchObject({
      outcome: 'unresolved',
      answeredBy: { by: 'person', turns: [2], basis: 'model', before: [{ by: 'phone_menu', turns: [0] }] },
    });
  });

  test.each<[string, Partial<ReaderAnswer>]>([
    ['words that the far side did not say', { answeredBy: [{ ...VOICEMAIL, quote: 'leave a message' }] }],
    ['words of the agent', { answeredBy: [{ ...VOICEMAIL, turn: 1, quote: 'qui è lo studio' }] }],
    ['none', { answeredBy: [] }],
    [
      'a machine that got what it wanted',
      {
        answeredBy: [VOICEMAIL],
        outcome: { value: 'resolved', turn: 2, quote: 'Il messaggio', because: 'It was confirmed.' },
      },
    ],
  ])('%s: code’s word stands', (_, answer) => {
    const { analysis, merged } = laid(answer);
    expect(merged.answeredBy).toEqual(analysis.answeredBy);
    expect(merged.outcome).not.toBe('no_contact');
  });
});
