import { createParser } from 'eventsource-parser';
import { expect } from 'vitest';
import { readModelConfig } from '../../src/config.ts';
import { openModels } from '../../src/models/open-models.ts';
import { startTalkServer, type TalkServer } from './talk-server.ts';
import { createWorld, type Loose, type World } from './world.ts';

export interface Told {
  id: number;
  kind: string;
  data: Loose;
}

/** A world whose copilot asks a stand-in for a model. */
export interface CopilotWorld extends World {
  model: TalkServer;
  /** Of the world's agent. */
  copilot: string;
  /** A conversation of the admin. @returns its address. */
  converse(agentId?: string): Promise<string>;
  /** Asks, and reads the whole answer. */
  say(conversation: string, text: string, as?: string): Promise<Told[]>;
}

export async function createCopilotWorld(protocol: 'openai' | 'anthropic', env = {}): Promise<CopilotWorld> {
  const model = await startTalkServer();
  const config = readModelConfig({ ...model.settings(protocol), ...env });
  if (config.chat === null) throw new Error('no model');
  const opened = openModels({ ...config, chat: config.chat });
  const world = await createWorld({ ai: opened.ai });
  const copilotOf = (agentId: string) => `/app/agents/${agentId}/copilot`;
  return {
    ...world,
    model,
    copilot: copilotOf(world.agentId),
    async converse(agentId = world.agentId) {
      const made = await world.ask('POST', `${copilotOf(agentId)}/conversations`, { as: await world.token() });
      expect(made.status).toBe(200);
      return `${copilotOf(agentId)}/conversations/${made.body.id}`;
    },
    async say(conversation, text, as) {
      const asked = { as: as ?? (await world.token()), body: { text } };
      const answer = await world.ask('POST', `${conversation}/messages`, asked);
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('event: begin')]);
      return toldIn(answer.text);
    },
    async close() {
      await world.close();
      await opened.close();
      await model.close();
    },
  };
}

/** Events of a stream that has ended. */
export function toldIn(stream: string): Told[] {
  const told: Told[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => told.push({ id: Number(id), kind: event ?? '', data: JSON.parse(data) }),
  });
  parser.feed(stream);
  return told;
}

export const kindsOf = (told: readonly Told[]) => told.map(({ kind }) => kind);

/** The message that the last event carries. */
export const messageOf = (told: readonly Told[]): Loose => told.at(-1)?.data.message;

export const wordsOf = (told: readonly Told[]) =>
  told
    .filter(({ kind }) => kind === 'text')
    .map(({ data }) => data.text)
    .join('');
