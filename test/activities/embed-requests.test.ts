import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { embedWith } from '../../activities/recompute-issues/embed-requests.ts';
import { createOpenAiEmbedder } from '../../src/models/openai-compatible.ts';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

let server: ModelServer;
let outbound: Outbound;
beforeAll(async () => {
  server = await startModelServer();
  outbound = createOutbound({ allow: [], trustedOrigins: [server.origin] });
});
afterAll(async () => {
  await outbound.close();
  await server.close();
});
beforeEach(() => {
  server.asked.length = 0;
});

const embed = (texts: string[]) =>
  embedWith(createOpenAiEmbedder(outbound, { url: server.url, key: 'secret-key', model: 'embedder-1' }))?.(texts);

describe('vectors of what callers asked for', () => {
  test('come in the order of the texts, and a call that asked for nothing has none', async () => {
    server.answerWith(({ body }) => ({ vectors: body.input.map((text: string) => [text.length, 1]) }));
    expect(await embed(['book', '', 'cancel it'])).toEqual({
      vectors: [[4, 1], null, [9, 1]],
      model: 'embedder-1',
      note: null,
    });
  });

  test('are asked of the first thousand characters alone', async () => {
    server.answerWith(({ body }) => ({ vectors: body.input.map(() => [1]) }));
    await embed(['x'.repeat(5000)]);
    expect(server.asked[0]?.body.input[0]).toHaveLength(1000);
  });

  test.each([
    ['is away', 'cut' as const],
    ['refuses the key', { status: 401 }],
    ['answers with too few', { vectors: [[1, 2]] }],
    ['answers with vectors of different lengths', { vectors: [[1], [1, 2]] }],
  ])('are left out, and the note says why without the key, where the model %s', async (_, answer) => {
    server.answerWith(() => answer);
    const answered = await embed(['book', 'cancel']);
    expect(answered?.vectors).toBeNull();
    expect(answered?.note).toMatch(/^The embedding model gave no vectors, so words alone decided: /);
    expect(answered?.note).not.toContain('secret-key');
  });

  test('are not asked for where no model is configured', () => {
    expect(embedWith(null)).toBeNull();
  });
});
