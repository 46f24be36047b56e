import type { TestSpec } from '../../src/domain/tests/spec.ts';

/** A sound spec that needs no model: a scripted caller, and checks by code. */
export function makeSpec(over: Partial<TestSpec> = {}): TestSpec {
  return {
    caller: {
      goal: 'Book a table for two.',
      opening: 'I want to book a table for two.',
      facts: { name: 'Ada Brook', day: 'Friday' },
      style: '',
      script: ['On Friday at seven.', 'Ada Brook.'],
    },
    fixtures: [{ tool: 'book_table', match: { seats: 2 }, respond: { ok: true, reference: 'K47' }, times: null }],
    criteria: [
      { id: 'books', text: 'Books the table.', required: true, check: { kind: 'tool_called', tool: 'book_table' } },
      { id: 'polite', text: 'Stays polite.', required: false, check: null },
    ],
    maxTurns: 12,
    tier: 'text',
    ...over,
  };
}
