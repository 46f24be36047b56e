import { expect, test } from 'vitest';
import { PLATFORMS } from '../../../src/domain/vocabulary.ts';
import { coordinatorOf } from '../../../src/services/agents/coordinator-input.ts';

const agent = { agentId: 'an agent', workspaceId: 'a workspace', name: 'Front desk' };

test('an agent is looked after by the poller of its account, where its platform can be asked for calls', () => {
  const polled = PLATFORMS.filter((provider) => coordinatorOf({ ...agent, provider }, { polls: true }).polledByAccount);
  expect(polled.toSorted()).toEqual(['demo', 'elevenlabs', 'retell', 'vapi']);
});

test('nobody looks for calls where they are sent, or where the installation polls nothing', () => {
  for (const provider of PLATFORMS) {
    expect(coordinatorOf({ ...agent, provider }, { polls: false }).polledByAccount).toBeUndefined();
  }
  expect(coordinatorOf({ ...agent, provider: 'file' }, { polls: true })).toEqual({
    agentId: 'an agent',
    workspaceId: 'a workspace',
    agentName: 'Front desk',
    pollSeconds: null,
  });
});
