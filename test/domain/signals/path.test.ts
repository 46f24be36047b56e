import { expect, test } from 'vitest';
import type { NormalisedCall } from '../../../src/domain/calls/call.ts';
import { analyseCall } from '../../../src/domain/signals/analyse-call.ts';
import { makeCall, turn } from '../../support/analysed-calls.ts';

const pathOf = (over: Partial<NormalisedCall>) =>
  analyseCall({ call: makeCall({ providerCallId: 'a', ...over }), configuration: null }, {}).path;
const at = (index: number, nodeId: string) => ({ ...turn(index, 'agent', 'Please go on.'), nodeId });

test('a call moves between steps as it entered them, each move once, and comes back to a step', () => {
  const turns = ['greet', 'collect', 'confirm', 'collect', 'confirm', 'end'].map((nodeId, index) => at(index, nodeId));
  expect(pathOf({ turns })).toEqual({
    moves: [
      ['node', 'collect', 'node', 'confirm'],
      ['node', 'confirm', 'node', 'collect'],
      ['node', 'confirm', 'node', 'end'],
      ['node', 'greet', 'node', 'collect'],
    ],
    loops: [
      ['node', 'collect'],
      ['node', 'confirm'],
    ],
  });
});

test('without steps a call goes from the start over its tools', () => {
  const use = (index: number, name: string) => ({
    ...turn(index, 'agent', 'One moment.'),
    toolCall: { id: `use ${index}`, name, args: {} },
  });
  expect(pathOf({ turns: [turn(0, 'agent', 'Hello.'), use(1, 'find'), use(2, 'book'), use(3, 'find')] })).toEqual({
    moves: [
      ['agent', 'start', 'tool', 'find'],
      ['tool', 'book', 'tool', 'find'],
      ['tool', 'find', 'tool', 'book'],
    ],
    loops: [['tool', 'find']],
  });
  expect(pathOf({})).toEqual({ moves: [], loops: [] });
});
