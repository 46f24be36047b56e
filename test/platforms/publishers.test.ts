import { afterEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/json.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { PublishRequest } from '../../src/platforms/publisher.ts';
import { createPlatforms } from '../../src/platforms/registry.ts';
import { type ElevenLabsWorkshop, startElevenLabsWorkshop } from '../support/elevenlabs-workshop.ts';
import { type RetellWorkshop, startRetellWorkshop, startVapiWorkshop, type Trouble } from '../support/workshops.ts';

const ENGINE: JsonObject = {
  general_prompt: 'Be kind.',
  begin_message: 'Hello.',
  general_tools: [{ type: 'custom', name: 'look_up', headers: { key: 'secret' } }],
};
const ASSISTANT: JsonObject = {
  id: 'a1',
  name: 'Vets',
  firstMessage: 'Hello.',
  server: { url: 'https://example.com', secret: 'kept' },
  model: { model: 'gpt-4.1', messages: [{ role: 'system', content: 'Be kind.' }], toolIds: ['t1'] },
};

const outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
const platforms = createPlatforms({ outbound, demoUrl: null });
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A publish that may be asked for again: what it notes is what the next try is given. */
function publishing(
  platform: 'retell' | 'vapi' | 'elevenlabs',
  url: string,
  providerAgentId: string,
  over: Partial<PublishRequest> = {},
) {
  const publisher = platforms.publisher(platform);
  if (publisher === null) throw new Error('It has a publisher.');
  const connection = { baseUrl: url, apiKey: 'key' };
  let handle: JsonObject | null = null;
  const asked = (): PublishRequest => ({
    providerAgentId,
    requestId: 'publish/1',
    title: 'Quicker',
    baseVersion: 1,
    texts: { '/prompt': 'Be quick.' },
    before: { '/prompt': 'Be kind.' },
    handle,
    async note(noted) {
      handle = noted;
    },
    ...over,
  });
  return {
    once: () => publisher.publish(connection, asked()),
    abandon: () => publisher.abandon(connection, asked()),
  };
}

/** Asks again until it is done, as the workflow does. */
async function untilDone(once: () => Promise<void>): Promise<number> {
  for (let tries = 1; tries < 10; tries += 1) {
    try {
      await once();
      return tries;
    } catch {
      // The next try looks at what is there.
    }
  }
  throw new Error('It was never done.');
}

describe('a publish on Retell', () => {
  async function begin(): Promise<{ workshop: RetellWorkshop } & ReturnType<typeof publishing>> {
    const workshop = await startRetellWorkshop(ENGINE);
    open.push(workshop);
    return { workshop, ...publishing('retell', workshop.url, 'agent_1') };
  }

  test('makes a version, writes the text alone, and publishes it', async () => {
    const { workshop, once } = await begin();
    await once();
    expect(workshop.versions).toEqual([
      { version: 1, published: true, base: null, engine: ENGINE },
      { version: 2, published: true, base: 1, engine: { ...ENGINE, general_prompt: 'Be quick.' } },
    ]);
    expect(workshop.writes).toEqual([
      'POST /create-agent-version',
      'PATCH /update-retell-llm',
      'POST /publish-agent-version',
    ]);
  });

  const STEPS = [0, 1, 2];
  const TROUBLES: Trouble[] = ['away', 'cut', 'lost', 'garbage'];
  test.each(STEPS.flatMap((step) => TROUBLES.map((trouble) => [step, trouble] as const)))(
    'whose step %i is %s is done by the next try, once',
    async (step, trouble) => {
      const { workshop, once } = await begin();
      workshop.troubles = [...STEPS.slice(0, step).map(() => null), trouble];
      await untilDone(once);
      expect(workshop.versions.map(({ version, published }) => [version, published])).toEqual([
        [1, true],
        [2, true],
      ]);
      expect(workshop.live()).toEqual({ ...ENGINE, general_prompt: 'Be quick.' });
    },
  );

  test('that is done does nothing more', async () => {
    const { workshop, once } = await begin();
    await once();
    workshop.writes.length = 0;
    await once();
    expect(workshop.writes).toEqual([]);
  });

  test('that is given up leaves nothing behind, and callers have heard nothing of it', async () => {
    const { workshop, once, abandon } = await begin();
    workshop.troubles = [null, null, 'refused'];
    await expect(once()).rejects.toThrow('did not accept');
    expect(workshop.live()).toEqual(ENGINE);
    await abandon();
    await abandon();
    expect(workshop.versions.map(({ version }) => version)).toEqual([1]);
  });

  test.each(['latest', 7])('is refused while a phone number is bound to %s', async (binding) => {
    const { workshop, once } = await begin();
    workshop.binding = binding;
    await expect(once()).rejects.toThrow(`bound to version "${binding}"`);
    expect(workshop.writes).toEqual([]);
  });

  test('takes no version for its own that somebody else may have made', async () => {
    const { workshop, once } = await begin();
    workshop.troubles = ['lost'];
    await expect(once()).rejects.toThrow('Retell');
    workshop.versions.push({ version: 3, published: false, base: 1, engine: ENGINE });
    await expect(once()).rejects.toThrow('can not be told which is ours');
    expect(workshop.live()).toEqual(ENGINE);
  });
});

describe('a publish on Vapi', () => {
  async function begin(over: Partial<PublishRequest> = {}) {
    const workshop = await startVapiWorkshop(ASSISTANT);
    open.push(workshop);
    return { workshop, ...publishing('vapi', workshop.url, 'a1', over) };
  }
  const promptOf = (assistant: JsonObject) => JSON.stringify(assistant.model);

  test('writes the part that changed, whole, and nothing else', async () => {
    const { workshop, once } = await begin();
    await once();
    expect(workshop.assistant).toEqual({
      ...ASSISTANT,
      latestVersion: 'v1',
      model: { model: 'gpt-4.1', messages: [{ role: 'system', content: 'Be quick.' }], toolIds: ['t1'] },
    });
  });

  test.each<Trouble>(['away', 'cut', 'lost', 'garbage'])(
    'whose write is %s is done by the next try, once',
    async (trouble) => {
      const { workshop, once } = await begin();
      workshop.troubles = [trouble];
      await untilDone(once);
      expect(workshop.assistant.latestVersion).toBe('v1');
      expect(promptOf(workshop.assistant)).toContain('Be quick.');
    },
  );

  test('over what somebody else has written is refused', async () => {
    const { workshop, once } = await begin();
    workshop.assistant = { ...ASSISTANT, model: { messages: [{ role: 'system', content: 'Mine.' }] } };
    await expect(once()).rejects.toThrow('Somebody has changed');
    expect(workshop.writes).toEqual([]);
  });
});

describe('a publish on ElevenLabs', () => {
  const AGENT: JsonObject = {
    name: 'Vets',
    conversation_config: {
      agent: { first_message: 'Hello.', prompt: { prompt: 'Be kind.', llm: 'gpt-4.1', tool_ids: ['t1'] } },
      tts: { voice_id: 'v1' },
    },
  };
  async function begin(): Promise<{ workshop: ElevenLabsWorkshop } & ReturnType<typeof publishing>> {
    const workshop = await startElevenLabsWorkshop(AGENT);
    open.push(workshop);
    return { workshop, ...publishing('elevenlabs', workshop.url, 'agent_1') };
  }
  const promptsOf = ({ versions }: ElevenLabsWorkshop) =>
    versions.map(({ agent }) => JSON.stringify(agent).match(/"prompt":"([^"]*)"/)?.[1]);

  test('commits a version of the branch that takes the calls, with the text alone changed and what it is for', async () => {
    const { workshop, once } = await begin();
    await once();
    await once();
    expect(promptsOf(workshop)).toEqual(['Be kind.', 'Be quick.']);
    expect(workshop.versions[1]).toMatchObject({
      description: 'Quicker',
      agent: { conversation_config: { agent: { first_message: 'Hello.' }, tts: { voice_id: 'v1' } } },
    });
  });

  test.each<Trouble>(['away', 'cut', 'lost', 'garbage'])(
    'whose write is %s is done by the next try, once',
    async (trouble) => {
      const { workshop, once } = await begin();
      workshop.troubles = [trouble];
      await untilDone(once);
      expect(promptsOf(workshop)).toEqual(['Be kind.', 'Be quick.']);
    },
  );

  test('over what somebody else has written is refused', async () => {
    const { workshop, once } = await begin();
    const [first] = workshop.versions;
    if (first) first.agent = { ...AGENT, conversation_config: { agent: { prompt: { prompt: 'Mine.' } } } };
    await expect(once()).rejects.toThrow('Somebody has changed Vets');
    expect(workshop.writes).toEqual([]);
  });
});
