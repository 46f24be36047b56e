import { createOutbound } from '../outbound/outbound.ts';
import type { ChatModel, TalkModel } from './port.ts';
import { checkModel } from './readiness.ts';
import { createModels, type ModelPrices, type ModelsConfig } from './registry.ts';

/** The models that an API process asks itself. */
export interface OpenModels {
  ai: { talk: TalkModel; words: ChatModel; prices: ModelPrices };
  /** Whether the model answers: costs a few tokens. @throws ModelError */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** With a way of their own to where the operator has them. */
export function openModels(config: ModelsConfig & { chat: NonNullable<ModelsConfig['chat']> }): OpenModels {
  const outbound = createOutbound({ allow: [], trustedOrigins: [config.chat.url] });
  const { copilot, reader, prices } = createModels(outbound, { ...config, embedding: null });
  if (!copilot || !reader) throw new Error('A model that is configured was not opened.');
  return {
    ai: { talk: copilot, words: reader, prices },
    check: () => checkModel(reader),
    close: () => outbound.close(),
  };
}
