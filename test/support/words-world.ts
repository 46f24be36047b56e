import { readModelConfig } from '../../src/config.ts';
import { openModels } from '../../src/models/open-models.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { createWorld, type World } from './world.ts';

/** The API with a model over HTTP that words what rules found. */
export interface WordsWorld {
  world: World;
  model: ModelServer;
  close(): Promise<void>;
}

export async function createWordsWorld(): Promise<WordsWorld> {
  const model = await startModelServer();
  const { chat, ...config } = readModelConfig({ EARSHOT_MODEL_URL: model.url, EARSHOT_MODEL: 'words-1' });
  if (chat === null) throw new Error('no model');
  const opened = openModels({ ...config, chat });
  const world = await createWorld({ ai: opened.ai });
  return {
    world,
    model,
    async close() {
      await world.close();
      await opened.close();
      await model.close();
    },
  };
}
