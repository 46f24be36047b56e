import { afterAll, beforeAll, expect, test } from 'vitest';
import { examineModels } from '../../packages/embedded/examine-models.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

const env = () => ({ EARSHOT_MODEL_URL: server.url, EARSHOT_MODEL: 'small-one', EARSHOT_EMBEDDING_MODEL: 'vectors' });

test('without a model the doctor says that rules are complete alone', async () => {
  expect(await examineModels({})).toMatchObject({ state: 'absent', todo: null });
});

test('models that answer are told by name, and a missing price is said', async () => {
  server.answerWith(({ protocol }) => (protocol === 'embeddings' ? { vectors: [[1, 2]] } : { value: { ready: true } }));
  const found = await examineModels(env());
  expect(found.state).toBe('fine');
  expect(found.says).toBe(
    'small-one answers, vectors embeds; small-one has no price in EARSHOT_MODEL_PRICES, so it counts 0',
  );
  const priced = await examineModels({ ...env(), EARSHOT_MODEL_PRICES: '{"small-one": 1}' });
  expect(priced.says).toBe('small-one answers, vectors embeds');
});

test.each([
  ['refuses the key', { status: 401 }, 'does not accept the key'],
  ['answers in prose', { prose: 'Yes!' }, 'did not answer with JSON'],
])('a model that %s is wrong, with what to do', async (_, answer, says) => {
  server.answerWith(() => answer);
  const found = await examineModels(env());
  expect(found).toMatchObject({ state: 'wrong', todo: expect.stringContaining('EARSHOT_MODEL_KEY') });
  expect(found.says).toContain(says);
});

test('a setting that cannot be is named', async () => {
  const found = await examineModels({ EARSHOT_MODEL_URL: 'nowhere' });
  expect(found).toMatchObject({ state: 'wrong', says: expect.stringContaining('EARSHOT_MODEL_URL') });
});
