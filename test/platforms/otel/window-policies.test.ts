import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { callOf, makeSpan } from '../../support/spans.ts';

interface Line {
  role: 'user' | 'assistant' | 'call' | 'result';
  text: string;
}

/** One thing said or done by the caller, and what the agent does about it until it has answered. */
interface Exchange {
  said: string[];
  tool: boolean;
  answer: string;
}

const CALLER = [
  'Yes.',
  'No.',
  'I want to book a table for two people.',
  'On Saturday, please.',
  'My name is Dana Woods.',
];
const MORE = [
  'Is there parking?',
  'Then cancel the booking, I changed my mind.',
  'Do you have vegan dishes?',
  'Yes, please.',
];
const AGENT = [
  'Which day would you like?',
  'Anything else?',
  'Sure, for how many people?',
  'I have written that down for you.',
];

const exchange: fc.Arbitrary<Exchange> = fc.record({
  said: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...CALLER, ...MORE).map((text) => [text]) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...CALLER), fc.constantFrom(...MORE)).map((texts) => [...texts]) },
  ),
  tool: fc.boolean(),
  answer: fc.constantFrom(...AGENT, ...AGENT.map((text) => `Good. ${text}`)),
});

/**
 * Of two things that the caller says in a row, of which the first was said before, nobody can tell that it is said again
 * where no answer stands before it: there the caller says one at a time.
 */
const ONLY_NEW = 'only what is new';

type Policy = (history: readonly Line[], fresh: number) => Line[];

const talk = (lines: readonly Line[]) => lines.filter(({ role }) => role === 'user' || role === 'assistant');

/** What a model is given of all that was said so far; `fresh` counts the last things, which no model was given before. */
const POLICIES: Record<string, Policy> = {
  'all of it': (history) => [...history],
  'the last few things': (history, fresh) => history.slice(-Math.max(fresh, 4)),
  'the last ten things': (history, fresh) => history.slice(-Math.max(fresh, 10)),
  'the first two and the last few things': (history, fresh) =>
    history.length <= 6 ? [...history] : [...history.slice(0, 2), ...history.slice(-Math.max(fresh, 3))],
  [ONLY_NEW]: (history, fresh) => history.slice(-fresh),
  'what the caller said, and no answers': (history) => history.filter(({ role }) => role !== 'assistant'),
  'no tools': talk,
  'a summary as words of the caller, and the last few things': (history, fresh) =>
    summed(history, Math.max(fresh, 3), (about) => ({ role: 'user', text: `Conversation summary: ${about}` })),
  'a summary as words of the agent, and the last few things': (history, fresh) =>
    summed(history, Math.max(fresh, 3), (about) => ({
      role: 'assistant',
      text: `<chat_history_summary>${about}</chat_history_summary>`,
    })),
  'old things shortened': (history, fresh) =>
    history.map((line, at) =>
      at < history.length - Math.max(fresh, 3) && line.text.length > 20
        ? { ...line, text: `${line.text.slice(0, 15)}…` }
        : line,
    ),
  'old things blackened': (history, fresh) =>
    history.map((line, at) =>
      at < history.length - Math.max(fresh, 3) && line.role === 'user' ? { ...line, text: '[removed]' } : line,
    ),
  'old things in another order': (history, fresh) => {
    const old = history.slice(0, -Math.max(fresh, 3));
    return [...old.toReversed(), ...history.slice(old.length)];
  },
};

function summed(history: readonly Line[], keep: number, summary: (about: string) => Line): Line[] {
  if (history.length <= keep + 2) return [...history];
  const old = history.slice(0, -keep);
  const about = old.filter(({ role }) => role === 'user').map(({ text }) => text.split(' ').slice(0, 3).join(' '));
  return [summary(`the caller said ${about.join(', ')}`), ...history.slice(-keep)];
}

const messageOf = ({ role, text }: Line): JsonObject => {
  if (role === 'call')
    return { role: 'assistant', parts: [{ type: 'tool_call', id: text, name: 'look_up', arguments: {} }] };
  if (role === 'result')
    return { role: 'tool', parts: [{ type: 'tool_call_response', id: text, response: { ok: true } }] };
  return { role, parts: [{ type: 'text', content: text }] };
};

/** The spans of a talk whose models are given what a policy leaves of it. */
function spansOf(exchanges: readonly Exchange[], policyOf: (request: number) => Policy) {
  const history: Line[] = [];
  const spans: ReturnType<typeof makeSpan>[] = [];
  let fresh = 0;
  const say = (line: Line) => {
    history.push(line);
    fresh += 1;
  };
  const ask = (answer: Line) => {
    const nth = spans.length;
    const input = policyOf(nth)(history, fresh).map(messageOf);
    const attributes: JsonObject = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': 'one',
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify([messageOf(answer)]),
    };
    spans.push(makeSpan({ id: `r${nth}`, name: 'chat', scope: 'any', from: nth * 8, to: nth * 8 + 1, attributes }));
    history.push(answer);
    fresh = 0;
  };
  for (const [at, { said, tool, answer }] of exchanges.entries()) {
    for (const text of said) say({ role: 'user', text });
    if (tool) {
      ask({ role: 'call', text: `call-${at}` });
      say({ role: 'result', text: `call-${at}` });
    }
    ask({ role: 'assistant', text: answer });
  }
  return spans;
}

const toldOf = (spans: ReturnType<typeof spansOf>) =>
  callOf(spans)
    .turns.filter(({ text }) => text !== '')
    .map(({ role, text }) => `${role}: ${text}`);

const rightOf = (exchanges: readonly Exchange[]) =>
  exchanges.flatMap(({ said, answer }) => [...said.map((text) => `caller: ${text}`), `agent: ${answer}`]);

const talks = fc.array(exchange, { minLength: 1, maxLength: 12 });
const NAMES = Object.keys(POLICIES);
/** Those that leave the last answer: without it nobody can tell a thing that is said again from one that is given again. */
const MIXED = NAMES.filter((name) => name !== ONLY_NEW && !name.endsWith('no answers'));

describe('a talk is the same, however much of it models are given', () => {
  test.each(NAMES)('%s', (name) => {
    const policy = POLICIES[name] as Policy;
    fc.assert(
      fc.property(talks, (exchanges) => {
        const given = name === ONLY_NEW ? exchanges.map((one) => ({ ...one, said: one.said.slice(0, 1) })) : exchanges;
        expect(toldOf(spansOf(given, () => policy))).toEqual(rightOf(given));
      }),
      { numRuns: 300 },
    );
  });

  test('and another part of it each time', () => {
    fc.assert(
      fc.property(talks, fc.array(fc.constantFrom(...MIXED), { minLength: 24, maxLength: 24 }), (exchanges, names) => {
        const spans = spansOf(exchanges, (request) => POLICIES[names[request % names.length] ?? ''] as Policy);
        expect(toldOf(spans)).toEqual(rightOf(exchanges));
      }),
      { numRuns: 1_000 },
    );
  });
});
