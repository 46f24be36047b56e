import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import type { ReaderAnswer } from '../../src/domain/reading/answer.ts';
import { makeCall, turn } from './analysed-calls.ts';

interface NamedCall {
  /** What the caller says, after the agent's greeting and at the end. */
  says: [string, string];
  /** What the agent answers in between. */
  answers: string;
  /** An argument of the tool. */
  customer: string;
  /** As a reader tells them: the turn, and the words there. */
  people: [number, string][];
  /** Words that none of what is kept may hold. */
  gone: string[];
  /** Words that stay, though they look like names. */
  stay: string[];
}

/** Names of several cultures, names that are words, and callers whose words have no capitals. */
export const NAMED_CALLS: readonly NamedCall[] = [
  {
    says: ['Hi, Hope here, Hope Mbeki. I hope you can move my visit.', 'Tell my neighbor Thandeka, please. I hope so.'],
    answers: 'Hope, I have moved it.',
    customer: 'Hope Mbeki',
    people: [
      [1, 'Hope Mbeki'],
      [1, 'Hope'],
      [4, 'Hope'],
      [5, 'Thandeka'],
    ],
    gone: ['Mbeki', 'Thandeka', 'Hope'],
    stay: ['I hope you can', 'I hope so'],
  },
  {
    says: ['yeah it was mark who called before', 'could you mark it as urgent then'],
    answers: 'Sure, I marked it.',
    customer: 'mark',
    people: [
      [1, 'mark'],
      [2, 'mark'],
      [3, 'mark'],
    ],
    gone: ['was mark'],
    stay: ['could you mark it'],
  },
  {
    says: [
      'May Lin wants a table in late spring, for her and for Will.',
      'May I add one chair? Will is bringing a friend.',
    ],
    answers: 'Done, May.',
    customer: 'May Lin',
    people: [
      [1, 'May Lin'],
      [1, 'Will'],
      [4, 'May'],
      [5, 'Will'],
    ],
    gone: ['May Lin', 'for Will', 'Will is', 'Done, May'],
    stay: ['I add one chair'],
  },
  {
    says: ['你好，我是王小明，想改时间。', '谢谢，请告诉李先生。'],
    answers: '好的，王小明，已经改了。',
    customer: '王小明',
    people: [
      [1, '王小明'],
      [5, '李先生'],
    ],
    gone: ['王小明', '李先生'],
    stay: ['想改时间'],
  },
  {
    says: ['Merhaba, Ayşe Yılmaz arıyor.', 'Randevuyu Ayşe’ye yazın, Yılmaz’ın hesabına.'],
    answers: 'Tamam Ayşe Hanım.',
    customer: 'AYŞE YILMAZ',
    people: [
      [1, 'Ayşe Yılmaz'],
      [5, 'Ayşe'],
      [2, 'AYŞE YILMAZ'],
    ],
    gone: ['Ayşe', 'Yılmaz', 'AYŞE', 'YILMAZ'],
    stay: ['arıyor'],
  },
  {
    says: ['Здравствуйте, это Анна Иванова.', 'Передайте Ивановой Анне, что всё готово.'],
    answers: 'Анна, перенесла.',
    customer: 'Иванова Анна',
    people: [
      [1, 'Анна Иванова'],
      [5, 'Ивановой Анне'],
    ],
    gone: ['Анна', 'Иванов', 'Анне'],
    stay: ['всё готово'],
  },
  {
    says: ['مرحبا، معك محمد الفارسي.', 'شكرا، قل لفاطمة إني قادم.'],
    answers: 'تم يا محمد.',
    customer: 'محمد الفارسي',
    people: [
      [1, 'محمد الفارسي'],
      [5, 'لفاطمة'],
    ],
    gone: ['محمد', 'الفارسي', 'فاطمة'],
    stay: ['مرحبا'],
  },
  {
    says: ['Chào chị, em là Nguyễn Thị Mai.', 'Nhắn anh Tuấn giúp em.'],
    answers: 'Dạ chị Mai, đã đổi.',
    customer: 'Nguyen Thi Mai',
    people: [
      [1, 'Nguyễn Thị Mai'],
      [5, 'Tuấn'],
    ],
    gone: ['Nguyễn', 'Nguyen', 'Mai', 'Tuấn'],
    stay: ['giúp em'],
  },
  {
    says: ['Buenas, llama José María de la Cruz.', 'Es la casa de Inés, por la tarde.'],
    answers: 'Claro, José María.',
    customer: 'Jose Maria De La Cruz',
    people: [
      [1, 'José María de la Cruz'],
      [5, 'Inés'],
    ],
    gone: ['José', 'María', 'Cruz', 'Inés', 'Jose Maria'],
    stay: ['por la tarde', 'la casa de'],
  },
  {
    says: ["It is for Siobhan O'Connor and for O’Neill.", "O'Connor's account, yes."],
    answers: "Thanks, Siobhan, I found O'Connor.",
    customer: "O'CONNOR, SIOBHAN",
    people: [
      [1, "Siobhan O'Connor"],
      [1, 'O’Neill'],
    ],
    gone: ['Siobhan', 'Connor', 'Neill', 'CONNOR', 'SIOBHAN'],
    stay: ['account, yes'],
  },
  {
    says: ['もしもし、田中花子です。', '佐藤さんにも伝えてください。'],
    answers: '田中花子様、変更しました。',
    customer: '田中花子',
    people: [
      [1, '田中花子'],
      [5, '佐藤さん'],
    ],
    gone: ['田中花子', '佐藤さん'],
    stay: ['もしもし', '伝えてください'],
  },
  {
    says: ['This concerns Jean-Baptiste, L E F E V R E.', 'lefevre with an accent, and Faith will pay. In good faith.'],
    answers: 'Thank you Jean-Baptiste Lefèvre.',
    customer: 'Lefèvre',
    people: [
      [1, 'Jean-Baptiste'],
      [1, 'L E F E V R E'],
      [4, 'Lefèvre'],
      [5, 'lefevre'],
      [2, 'Lefèvre'],
      [5, 'Faith'],
    ],
    gone: ['Jean', 'Baptiste', 'L E F E V R E', 'lefevre', 'Lefèvre', 'Faith'],
    stay: ['In good faith'],
  },
];

export function namedCall(
  { says: [first, last], answers, customer }: NamedCall,
  providerCallId: string,
): NormalisedCall {
  return makeCall({
    providerCallId,
    turns: [
      turn(0, 'agent', 'Hello, this is Fern Dental. How can I help?'),
      turn(1, 'caller', first),
      { ...turn(2, 'agent', ''), toolCall: { id: 't1', name: 'move_visit', args: { customer } } },
      {
        ...turn(3, 'tool', ''),
        toolResult: {
          id: 't1',
          name: 'move_visit',
          ok: false,
          okSource: 'flag',
          body: { error: `no visit of ${customer}` },
          latencyMs: null,
        },
      },
      turn(4, 'agent', answers),
      turn(5, 'caller', last),
    ],
  });
}

/**
 * What a reader says who finds every name that the record still holds, and quotes them in all that it says.
 * @param call as it is stored, without what rules left out of it.
 */
export function namedAnswer({ people }: NamedCall, { turns }: NormalisedCall): ReaderAnswer {
  const textOf = (at: number) => {
    const { text, toolCall, toolResult } = turns[at] ?? turn(0, 'agent', '');
    return text || JSON.stringify(toolCall?.args ?? toolResult?.body);
  };
  const left = people.flatMap(([turn, name]) => {
    const forms = [name, ...name.split(' ').filter((part) => /^\p{Lu}\p{L}/u.test(part))];
    return forms.filter((form) => textOf(turn).includes(form)).map((quote) => ({ turn, quote }));
  });
  const who = left[0]?.quote ?? 'somebody';
  return {
    requests: [{ sentence: `Move the visit of ${who}`, turn: 1, quote: textOf(1), fulfilled: 'no', by: null }],
    checked: `${who} was told of a move that failed.`,
    findings: [
      {
        code: 'claimed_after_failure',
        turn: 4,
        quote: textOf(4),
        proof: [{ in: 'tool', index: 3, quote: 'no visit of' }],
        because: `${who} was told that it is done.`,
      },
    ],
    expectations: [],
    outcome: { turn: 5, quote: textOf(5), because: `${who} was not helped.`, value: 'unresolved' },
    intent: `move visit of ${who.toLowerCase()}`,
    people: left,
  };
}
