import { expect, test } from 'vitest';
import { readBrief } from '../../../src/domain/versions/brief.ts';
import { withCallers, withCalls } from '../../../src/domain/versions/brief-of-calls.ts';

const REACHED = [
  { kind: 'tool', placeId: 'book_bike', label: 'book_bike' },
  { kind: 'node', placeId: 'greet', label: 'Greeting' },
  { kind: 'tool', placeId: 'transfer_to_desk', label: 'transfer_to_desk' },
  { kind: 'agent', placeId: 'start', label: 'the start' },
] as const;

test('an agent of which nothing but calls is known has their tools and steps, and what its callers asked for', () => {
  const read = readBrief(withCalls(null, 'Harbor Bikes', REACHED));
  expect(withCallers(read, [{ label: 'Book bike' }])).toEqual({
    purpose: null,
    steps: [{ id: 'greet', label: 'Greeting', text: null }],
    tools: [
      { name: 'book_bike', description: '', kind: 'other' },
      { name: 'transfer_to_desk', description: '', kind: 'transfer' },
    ],
    intents: ['Book bike'],
    done: ['book_bike succeeded'],
    rules: [],
  });
});

test('what the text says comes first, and nothing is said twice', () => {
  const told = {
    ...withCalls(null, 'Harbor Bikes', []),
    prompt: 'You are the desk of a bike rental. You help callers to book a bike.\n1. Greet.',
    tools: withCalls(null, '', REACHED.slice(0, 1)).tools.map((tool) => ({ ...tool, description: 'Books one.' })),
  };
  const brief = withCallers(readBrief(withCalls(told, 'another', REACHED)), [
    { label: 'Book a bike' },
    { label: 'Lost helmet' },
  ]);
  expect(brief.intents).toEqual(['book a bike', 'Lost helmet']);
  expect(brief.tools.map(({ name, description }) => [name, description])).toEqual([
    ['book_bike', 'Books one.'],
    ['transfer_to_desk', ''],
  ]);
  expect(brief.steps.map(({ id }) => id)).toEqual(['greet']);
});
