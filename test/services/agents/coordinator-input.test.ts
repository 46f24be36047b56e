import { expect, test } from 'vitest';
import { PLATFORMS } from '../../../src/domain/vocabulary.ts';
import { coordinatorOf } from '../../../src/services/agents/coordinator-input.ts';

const agent = { agentId: 'an agent', workspaceId: 'a workspace', name: 'Front desk' };

test('an agent is polled as often as the installation says, where its platform can be asked for calls', () => {
  const polled = PLATFORMS.filter(
    (provider) => coordinatorOf({ ...agent, provider }, { polls: true, pollSeconds: 60 }).pollSeconds === 60,
  );
  expect(polled.toSorted()).toEqual(['demo', 'elevenlabs', 'retell', 'vapi']);
});

test('none is polled where calls are sent, or where the installation polls nothing', () => {
  for (const provider of PLATFORMS) {
    expect(coordinatorOf({ ...agent, provider }, { polls: false, pollSeconds: 60 }).pollSeconds).toBeNull();
  }
  expect(coordinatorOf({ ...agent, provider: 'file' }, { polls: true, pollSeconds: 60 })).toEqual({
    agentId: 'an agent',
    workspaceId: 'a workspace',
    agentName: 'Front desk',
    pollSeconds: null,
  });
});
