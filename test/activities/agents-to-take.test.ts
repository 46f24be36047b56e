import { expect, test } from 'vitest';
import { agentsToTake } from '../../activities/poll-account/take-changed-versions.ts';

const HOUR_S = 3_600;
const account = (agents: number, versionsTakenAgoS: number | null = HOUR_S) =>
  Array.from({ length: agents }, (_, at) => ({
    providerAgentId: `agent_${at}`,
    versionMark: 'one',
    versionsTakenAgoS,
  }));
const marked = (agents: number, mark = 'one') =>
  new Map(Array.from({ length: agents }, (_, at) => [`agent_${at}`, mark] as const));

test('nothing that the platform shows as it was is looked at within the hour', () => {
  expect(agentsToTake(account(20, HOUR_S - 1), marked(20))).toEqual([]);
});

test('what changed comes first, then what waited longest', () => {
  const agents = account(8).map((agent, at) => ({ ...agent, versionsTakenAgoS: HOUR_S + at }));
  const marks = new Map([...marked(8), ['agent_2', 'two']]);
  const taken = agentsToTake(agents, marks).map(({ providerAgentId }) => providerAgentId);
  expect(taken).toEqual(['agent_2', 'agent_7', 'agent_6', 'agent_5', 'agent_4']);
});

test('an agent that was never looked at comes before all that were', () => {
  const never = { providerAgentId: 'agent_new', versionMark: 'one', versionsTakenAgoS: null };
  expect(agentsToTake([...account(8), never], new Map([...marked(8), ['agent_new', 'one']]))[0]).toBe(never);
});

test.each([
  [1_000, marked(1_000), 60],
  [1_000, null, 15],
  [40, null, 15],
])('each of %i agents has its turn in time at a look a minute', (count, marks, looks) => {
  let agents = account(count);
  for (let look = 0; look < looks; look += 1) {
    const taken = new Set(agentsToTake(agents, marks));
    agents = agents.map((agent) => (taken.has(agent) ? { ...agent, versionsTakenAgoS: 0 } : agent));
  }
  expect(agents.filter(({ versionsTakenAgoS }) => versionsTakenAgoS !== 0)).toEqual([]);
});
