import type { TokenPrice } from '../domain/limits/model-cost.ts';
import type { ModelProtocol } from '../domain/vocabulary.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { createAnthropicChat } from './anthropic.ts';
import { createAnthropicBatch } from './anthropic-batch.ts';
import { createAnthropicTalk } from './anthropic-talk.ts';
import type { BatchModel } from './batch-port.ts';
import { createOpenAiBatch } from './openai-batch.ts';
import { createOpenAiChat, createOpenAiEmbedder } from './openai-compatible.ts';
import { createOpenAiTalk } from './openai-talk.ts';
import type { ChatModel, Embedder, ModelAccount, TalkModel } from './port.ts';

export interface ChatEndpoint {
  protocol: ModelProtocol;
  url: string;
  key: string | null;
  model: string;
  account: ModelAccount;
}

/** Where the models are, as the configuration names them. */
export interface ModelsConfig {
  chat: ChatEndpoint | null;
  embedding: { url: string; key: string | null; model: string } | null;
  judge: string | null;
  simulator: string | null;
  prices: ModelPrices;
  slots: number;
  /** Backfills are asked through the provider's batch interface. */
  batches?: boolean;
}

/** By model. */
export type ModelPrices = Record<string, TokenPrice>;

/** The models of this process. Null: none is configured, and what needs one is left out. */
export interface Models {
  reader: ChatModel | null;
  /** The reader's way for backfills; null: they are asked one by one. */
  batches: BatchModel | null;
  judge: ChatModel | null;
  simulator: ChatModel | null;
  /** Talks with people. */
  copilot: TalkModel | null;
  embedder: Embedder | null;
  prices: ModelPrices;
  /** Questions asked at the same time. */
  slots: number;
}

export function createModels(outbound: Outbound, config: ModelsConfig): Models {
  const { chat, embedding } = config;
  const open = (model: string | null): ChatModel | null =>
    chat && openChat(outbound, { ...chat, model: model ?? chat.model });
  return {
    reader: open(null),
    batches: chat && config.batches ? openBatches(outbound, chat) : null,
    judge: open(config.judge),
    simulator: open(config.simulator),
    copilot: chat && openTalk(outbound, chat),
    embedder: embedding && createOpenAiEmbedder(outbound, embedding),
    prices: config.prices,
    slots: config.slots,
  };
}

export function openChat(outbound: Outbound, { protocol, key, ...endpoint }: ChatEndpoint): ChatModel {
  return protocol === 'openai'
    ? createOpenAiChat(outbound, { ...endpoint, key })
    : createAnthropicChat(outbound, { ...endpoint, key: key ?? '' });
}

const openBatches = (outbound: Outbound, chat: ChatEndpoint): BatchModel =>
  chat.protocol === 'openai'
    ? createOpenAiBatch(outbound, chat)
    : createAnthropicBatch(outbound, { ...chat, key: chat.key ?? '' });

const openTalk = (outbound: Outbound, chat: NonNullable<ModelsConfig['chat']>): TalkModel =>
  chat.protocol === 'openai'
    ? createOpenAiTalk(outbound, chat)
    : createAnthropicTalk(outbound, { ...chat, key: chat.key ?? '' });

/** A process without models: everything is read by rules alone. */
export const NO_MODELS: Models = {
  reader: null,
  batches: null,
  judge: null,
  simulator: null,
  copilot: null,
  embedder: null,
  prices: {},
  slots: 1,
};
