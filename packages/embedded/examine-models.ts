import { ConfigError, readModelConfig } from '../../src/config.ts';
import { ModelError } from '../../src/models/port.ts';
import { ANSWERS_WITHIN_MS, checkModel } from '../../src/models/readiness.ts';
import { createModels, type Models } from '../../src/models/registry.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import type { Finding } from './finding.ts';

const NAME = 'Models';

/** Asks each configured model one question of a few tokens, to see that it answers in the form that Earshot needs. */
export async function examineModels(env: NodeJS.ProcessEnv): Promise<Finding> {
  try {
    const config = readModelConfig(env);
    if (config.chat === null && config.embedding === null) {
      const says = 'none configured: calls are read by rules alone, which is complete without one';
      return { name: NAME, state: 'absent', says, todo: null };
    }
    const trustedOrigins = [config.chat?.url, config.embedding?.url].filter((url) => url !== undefined);
    const outbound = createOutbound({ allow: [], trustedOrigins });
    try {
      const answers = await askEach(createModels(outbound, config));
      const priced = config.chat === null || Object.hasOwn(config.prices, config.chat.model);
      const prices = priced ? '' : `; ${config.chat?.model} has no price in EARSHOT_MODEL_PRICES, so it counts 0`;
      return { name: NAME, state: 'fine', says: `${answers.join(', ')}${prices}`, todo: null };
    } finally {
      await outbound.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) {
      return { name: NAME, state: 'wrong', says: error.message, todo: 'correct the variable' };
    }
    if (!(error instanceof ModelError)) throw error;
    const todo = 'correct EARSHOT_MODEL_URL, EARSHOT_MODEL_KEY and EARSHOT_MODEL; without a model rules go on';
    return { name: NAME, state: 'wrong', says: error.message, todo };
  }
}

async function askEach({ reader, embedder }: Models): Promise<string[]> {
  const answers: string[] = [];
  if (reader) {
    await checkModel(reader);
    answers.push(`${reader.model} answers`);
  }
  if (embedder) {
    await embedder.embed(['ready'], AbortSignal.timeout(ANSWERS_WITHIN_MS));
    answers.push(`${embedder.model} embeds`);
  }
  return answers;
}
