import { describe, expect, test } from 'vitest';
import type { AgentConfiguration } from '../../../src/domain/versions/configuration.ts';
import { scopeInWords } from '../../../src/domain/watches/in-words.ts';
import { suggestWatches } from '../../../src/domain/watches/suggest.ts';
import type { WatchScope } from '../../../src/domain/watches/watch.ts';
import { nodeNamed, toolNamed } from '../../support/played.ts';

const configuration = (prompt: string | null, ...steps: string[]): AgentConfiguration => ({
  name: 'Front desk',
  language: null,
  prompt,
  firstMessage: null,
  model: null,
  voice: null,
  tools: [toolNamed('find_patient'), toolNamed('book_visit')],
  nodes: steps.map((text, at) => ({ ...nodeNamed(`n${at}`, `Step ${at}`), text })),
  startNodeId: null,
  variables: {},
});
const suggested = (prompt: string | null, ...steps: string[]) => suggestWatches(configuration(prompt, ...steps));

test.each<[WatchScope, string]>([
  [{ kind: 'all_calls' }, 'All calls'],
  [{ kind: 'tool_called', tool: 'book' }, 'Calls on which book was called'],
  [{ kind: 'tool_failed', tool: 'book' }, 'Calls on which book failed'],
  [{ kind: 'step_reached', step: 'Closing' }, 'Calls that came to "Closing"'],
  [{ kind: 'intent', intent: 'refund' }, 'Calls about refund'],
  [{ kind: 'outcome', outcome: 'unresolved' }, 'Calls that ended as unresolved'],
  [{ kind: 'caller_said', act: 'asks_for_person' }, 'Calls on which the caller asks for a person'],
  [{ kind: 'caller_said', text: 'refund' }, 'Calls on which the caller says "refund"'],
])('%j in words', (scope, words) => {
  expect(scopeInWords(scope)).toBe(words);
});

describe('watches that the text of an agent asks for', () => {
  test('name the line that they come from, of the prompt and of the steps', () => {
    const found = suggested('You are Ida.\n\n- Always call find_patient before book_visit.', 'Never call book_visit.');
    expect(found.map(({ name, lane, step, line }) => ({ name, lane, step, line }))).toEqual([
      { name: 'Calls find_patient before book_visit', lane: 'integrations', step: null, line: 3 },
      { name: 'Never calls book_visit', lane: 'integrations', step: 'Step 0', line: 1 },
    ]);
  });

  test('are left to a model where code can not decide them', () => {
    const [found, ...others] = suggested('Never be rude to a caller.');
    expect(others).toEqual([]);
    expect(found?.form).toMatchObject({
      expectation: { kind: 'judged' },
      polarity: 'must',
      scope: { kind: 'all_calls' },
    });
    expect(found?.expectationText).toContain('Never be rude');
  });

  test('are the same when their line moves, and another in another text', () => {
    const key = (prompt: string | null, ...steps: string[]) => suggested(prompt, ...steps).map((one) => one.sourceKey);
    const line = 'Never call book_visit.';
    expect(key(`Hello.\n${line}`)).toEqual(key(line));
    expect(key(null, line)).not.toEqual(key(line));
  });

  test('are not made twice of a line that stands there twice', () => {
    const line = 'Never call book_visit.';
    expect(suggested(`${line}\n${line}`)).toHaveLength(1);
    expect(suggested(line, line)).toHaveLength(2);
  });

  test.each([
    ['no text', null],
    ['no rule', 'You are Ida of the bakery.'],
  ])('are none in %s', (_, prompt) => {
    expect(suggested(prompt)).toEqual([]);
  });
});
