import { describe, expect, test } from 'vitest';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { asLine } from '../acts/talk.ts';
import { type Given, type Line, scripted } from '../signals/scripted-call.ts';

const CALLED: Given = { direction: 'outbound' };

function read(lines: readonly (string | Line)[], given: Given = CALLED) {
  const analysis = analyseCall(
    scripted(
      lines.map((line) => (typeof line === 'string' ? asLine(line) : line)),
      given,
    ),
    {},
  );
  const { answeredBy } = analysis;
  if (answeredBy === undefined) throw new Error('The reading does not say who answered.');
  return { ...analysis, answeredBy, who: [...answeredBy.before, answeredBy].map(({ by }) => by).join(' ') };
}

describe('a machine on the far side is told by its words:', () => {
  test.each<[string, string, string[]]>([
    ['voicemail', 'en-US', ["c: Hi, you've reached Dana Ruiz.", 'c: I am out. Leave a message after the beep.']],
    [
      'voicemail',
      'en-US',
      ["c: You've reached Dana.", 'a: Hi Dana, it is Max.', "c: I can't come to the phone right now."],
    ],
    ['voicemail', 'de-DE', ['c: Sie haben Familie Beck erreicht.', 'c: Bitte sprechen Sie nach dem Signalton.']],
    ['voicemail', 'fr-FR', ['c: Vous êtes bien chez Luc.', 'c: Laissez un message après le bip.', 'a: Bonjour Luc.']],
    ['phone_menu', 'en-US', ['c: Welcome to Bay Water. To report a leak, press 1.', 'a: Hello?']],
    ['phone_menu', 'de-DE', ['c: Für Rechnungen drücken Sie die Zwei.', 'a: Guten Tag?']],
    ['phone_menu', 'es-ES', ['c: Gracias por llamar. Para siniestros marque uno.', 'a: Hola, buenos días.']],
    ['phone_menu', 'fr-FR', ['c: Pour une urgence, tapez 1.', 'a: Bonjour ?']],
    [
      'screening',
      'en-US',
      [
        'c: The person you are calling is using a screening service. Say your name and why you are calling.',
        'a: It is Max.',
      ],
    ],
    ['screening', 'de-DE', ['c: Bitte nennen Sie Ihren Namen und den Grund Ihres Anrufs.', 'a: Hier ist Max.']],
    ['screening', 'es-ES', ['c: Diga su nombre y el motivo de la llamada.', 'a: Soy Max.', 'c: Permanezca en línea.']],
    [
      'screening',
      'fr-FR',
      ['c: Dites votre nom et la raison de votre appel.', 'a: Ici Max.', 'c: Veuillez patienter.'],
    ],
    ['hold', 'en-US', ['c: All of our agents are currently busy.', 'a: I will wait.', 'c: Please stay on the line.']],
    ['hold', 'de-DE', ['c: Ihr Anruf ist uns wichtig. Bitte bleiben Sie in der Leitung.', 'a: Danke.']],
    ['hold', 'es-ES', ['c: Su llamada es muy importante para nosotros. No cuelgue.', 'a: Gracias.']],
    ['hold', 'fr-FR', ['c: Votre appel est important pour nous.', 'c: Ne quittez pas.', 'a: Merci.']],
  ])('%s (%s): %j', (by, language, lines) => {
    const analysis = read(lines, { ...CALLED, language });
    expect(analysis).toMatchObject({ who: by, outcome: 'no_contact', objective: analysis.answeredBy.text });
    expect(analysis.answeredBy.turns).toEqual(lines.flatMap((line, at) => (line.startsWith('c:') ? [at] : [])));
    expect(analysis.counts.callerTurns).toBe(0);
    const codes = analysis.signals.map(({ code }) => code);
    for (const code of ['instant_hangup', 'agent_hung_up_early', 'caller_repeated_self', 'caller_never_heard'])
      expect(codes).not.toContain(code);
  });
});

describe('in any language by what it does:', () => {
  const PROMPT = 'c: Jos asiasi koskee laskua, valitse yksi. Jos asiasi koskee vikaa, valitse kaksi.';
  const KEY: Line[] = [
    { call: 'send_dtmf', args: { digits: '1' } },
    { result: 'send_dtmf', body: { ok: true } },
  ];

  test('what the agent answers by a key is a menu', () => {
    expect(read([PROMPT, ...KEY, 'c: Virheellinen valinta.'], { ...CALLED, language: 'fi-FI' }).who).toBe(
      'phone_menu person',
    );
    expect(read([PROMPT, ...KEY, PROMPT], { ...CALLED, language: 'fi-FI' })).toMatchObject({
      who: 'phone_menu',
      outcome: 'no_contact',
    });
  });

  test('what comes again word for word is a recording', () => {
    const analysis = read([PROMPT, 'a: Hei, kuuluuko?', PROMPT], { ...CALLED, language: 'fi-FI' });
    expect(analysis).toMatchObject({ who: 'hold', outcome: 'no_contact' });
  });

  test('what the platform says counts where nobody talks on', () => {
    const machine: Given = {
      ending: { hint: 'no_contact', family: 'machine', endedBy: 'platform' },
      language: 'fi-FI',
    };
    const short = read(['c: Olen poissa.', 'a: Hei, soitan myöhemmin.'], { ...CALLED, ...machine });
    expect(short).toMatchObject({ who: 'voicemail', outcome: 'no_contact', answeredBy: { basis: 'platform' } });
    const long = ['c: Hei.', 'a: Hei.', 'c: Kuka siellä?', 'a: Max.', 'c: Selvä.', 'a: Kiitos.'];
    expect(read(long, { ...CALLED, ...machine }).who).toBe('person');
  });
});

test('keys that were pressed again at another menu are no deed done twice, and no success', () => {
  const press = (id: string): Line[] => [
    { call: 'send_dtmf', args: { digits: '1' }, id },
    { result: 'send_dtmf', body: { ok: true } },
  ];
  const analysis = read([
    'c: Welcome. For English press one.',
    ...press('a'),
    'c: For renewals press one.',
    ...press('b'),
    'c: For passports press one.',
    ...press('c'),
    'c: You have reached the maximum number of attempts. Goodbye.',
  ]);
  expect(analysis).toMatchObject({ who: 'phone_menu', outcome: 'no_contact' });
  expect(analysis.signals.map(({ code }) => code)).not.toContain('duplicate_write');
  expect(analysis.signals.map(({ code }) => code)).not.toContain('tool_retry_storm');
});

describe('a person behind a machine', () => {
  const THROUGH = [
    'c: Please say your name and the reason for your call.',
    'a: This is Ava from Green Dental, about your cleaning on Thursday.',
    'c: Hello? Yes, I wanted to move that to Friday.',
    'a: Friday at nine is free. Shall I move it?',
    'c: Yes please, thank you. Bye.',
  ];

  test('is who was reached, and the request is theirs', () => {
    const analysis = read(THROUGH);
    expect(analysis.answeredBy).toMatchObject({
      by: 'person',
      turns: [2],
      before: [{ by: 'screening', turns: [0] }],
      text: 'A person came on after a machine had answered.',
    });
    expect(analysis.objective).toBe('Hello? Yes, I wanted to move that to Friday.');
    expect(analysis.counts.callerTurns).toBe(2);
    expect(analysis.outcome).not.toBe('no_contact');
  });

  test('may come after a menu and a wait', () => {
    const lines = [
      'c: Thank you for calling Alder. For billing press two.',
      { call: 'press_key', args: { key: '2' } },
      'c: All of our representatives are busy. Please continue to hold.',
      'c: Billing, this is Dana, how can I help?',
      'a: Hi Dana, I am calling about invoice 12.',
    ];
    expect(read(lines).who).toBe('phone_menu hold person');
  });

  test('may not come: the mailbox is what answered last', () => {
    const lines = [
      THROUGH[0] ?? '',
      THROUGH[1] ?? '',
      'c: This person is not available.',
      'c: Leave a message after the tone.',
    ];
    expect(read(lines)).toMatchObject({ who: 'screening voicemail', outcome: 'no_contact' });
  });
});

describe('a person is no machine who', () => {
  test.each<[string, string[]]>([
    ['answers for a business', ['c: Thank you for calling Green Dental, how can I help you?', 'a: Hi, I am Max.']],
    ['answers with a name', ["c: Hello, you've reached Tom Baker.", 'a: Hi Tom.', 'c: What is it about?']],
    ['asks to wait', ['c: Hello?', 'a: Is Tom there?', 'c: Please hold, I will get him.', 'c: Tom here.']],
    ['takes messages', ['c: Bay Law.', 'a: Is Ms. Roe in?', 'c: She is not available, can I take a message?']],
    ['asks who calls', ['c: Hello?', 'a: Is Tom there?', 'c: May I ask who is calling and why?']],
    ['did not get it', ['c: Hello?', 'a: Is Tom there?', "c: Sorry, I didn't get that."]],
    ['says the same again', ['c: Who is this?', 'a: Max.', 'c: Who is this?', 'a: Max from Lumen.']],
    [
      'asks for a person',
      ['c: Hello?', 'a: Hi, I am a virtual assistant.', 'c: Are you a virtual assistant or a person?'],
    ],
  ])('%s', (_, lines) => {
    expect(read(lines).who).toBe('person');
  });

  test.each([
    'I pressed one for billing and now I am here, can you help?',
    'Your recording said my call is important, and I waited an hour.',
    'I left a message after the beep yesterday.',
    'I want to leave a message for Doctor Brown.',
  ])('calls and speaks of machines: %s', (said) => {
    expect(read(['a: Green Dental, hello.', `c: ${said}`, 'a: I see.'], {}).who).toBe('person');
  });
});

test('another voice agent is named, and its talk is read as a talk', () => {
  const analysis = read([
    'c: Hi, this is Ada, the virtual assistant of Bloom Salon. How can I help?',
    'a: I would like to book a cut for Friday.',
    'c: You are booked for Friday at ten. Goodbye.',
  ]);
  expect(analysis).toMatchObject({ who: 'agent', callerSpoke: true });
});

test('nobody and unknown are told apart', () => {
  expect(read(['a: Hello?']).who).toBe('nobody');
  expect(read(['a: Hello?', { missing: 'caller' }]).who).toBe('unknown');
  expect(read(['a: Hello?'], { ...CALLED, notRecorded: ['caller'] }).who).toBe('unknown');
});
