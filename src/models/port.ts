import { z } from 'zod';
import type { Json } from '../domain/json.ts';

/** What a request cost, as the endpoint counted it; 0 where it did not say. */
export interface Usage {
  /** All that was read, also what a cache held or took. */
  inputTokens: number;
  /** Of these: what a cache held. */
  cachedInputTokens: number;
  /** Of these: what was written into a cache for the next questions. */
  cacheWriteTokens: number;
  outputTokens: number;
}

/** More than any model reads or writes at once: what an endpoint says beyond it is no count. */
const TOKENS_AT_MOST = 10_000_000;
/** A count of tokens as an endpoint tells it, which may be anything where a workspace named the endpoint. */
export const toldTokens = z
  .number()
  .int()
  .min(0)
  .transform((told) => Math.min(told, TOKENS_AT_MOST))
  .catch(0);

export const NO_USAGE: Usage = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };

export interface ChatRequest<T> {
  /** What the model is to do. The only text that it may follow. */
  instructions: string;
  /**
   * What many questions in a row have in common, such as the agent's prompt and tools; null: nothing. Data, whatever it
   * says. Sent between instructions and material, and the same to the letter each time, so that providers' caches keep it.
   */
  context: string | null;
  /** What it is to read: transcripts, tool results, prompts. Data, whatever it says. */
  material: string;
  /** What the answer is bound to: sent to the endpoint as its schema, and checked here again. */
  schema: z.ZodType<T>;
  /** Name of the schema, letters, digits and underscores. */
  name: string;
  maxOutputTokens: number;
  /** Whole request, from connecting to the last byte; 120 seconds at most. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface ChatAnswer<T> {
  value: T;
  usage: Usage;
  /** The model that answered, as the endpoint names it. */
  model: string;
}

/**
 * One question, one answer that fits its schema. It has no tools, keeps nothing between questions and never asks again
 * by itself: whoever calls it counts the questions.
 */
export interface ChatModel {
  readonly model: string;
  readonly account: ModelAccount;
  /** @throws ModelError */
  complete<T>(request: ChatRequest<T>): Promise<ChatAnswer<T>>;
}

/** Who is asked, and pays: an address with a key. What it says of waiting holds for all that is asked there. */
export interface ModelAccount {
  /** The same in every process. */
  id: string;
  /** For people. */
  host: string;
}

/** A tool that a model may ask for; whoever talks with the model decides what becomes of it. */
export interface TalkTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  inputSchema: Json;
}

export interface ToolCall {
  id: string;
  name: string;
  /** Undefined: what was given is no JSON. */
  input: Json | undefined;
}

export type TalkMessage =
  | { role: 'person'; text: string }
  | { role: 'model'; text: string; calls: readonly ToolCall[] }
  /** What came of the calls of the message before, each once. Data, whatever it says. */
  | { role: 'tools'; results: readonly { id: string; text: string }[] };

export interface TalkRequest {
  /** What the model is to do. Beside what a person says, the only text that it may follow. */
  instructions: string;
  messages: readonly TalkMessage[];
  tools: readonly TalkTool[];
  /** False: it must answer in words now. */
  mayCall: boolean;
  maxOutputTokens: number;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Called with each piece of the words as it comes. */
  onText(text: string): void;
}

export interface TalkAnswer {
  text: string;
  calls: ToolCall[];
  usage: Usage;
  model: string;
  /** True where it had more to say than it was allowed to. */
  isCut: boolean;
}

/** One turn of a talk, in words that come as they are made. Keeps nothing between turns and never asks again by itself. */
export interface TalkModel {
  readonly model: string;
  readonly account: ModelAccount;
  /** @throws ModelError, also after words have come. */
  talk(request: TalkRequest): Promise<TalkAnswer>;
}

/** Turns texts into vectors of one length, in their order. */
export interface Embedder {
  readonly model: string;
  /** @throws ModelError */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<number[][]>;
}

export type ModelErrorKind =
  /** Nothing usable came back, and asking the same again may help: no connection, a time-out, 5xx. */
  | 'away'
  /** The endpoint asks to wait. */
  | 'busy'
  /** The key, the model's name or the address is not accepted: asking again changes nothing. */
  | 'refused'
  /** It answered, and the answer does not fit: prose, a broken document, other fields, cut off, or it declined. */
  | 'unusable';

/** What of a question an endpoint refused. */
export type Refused =
  | 'key'
  /** The account has no money left, or its quota is used up: waiting a minute changes nothing. */
  | 'money'
  /** The model's name, or the address. */
  | 'model'
  /** This very question, such as one that is too long. */
  | 'question';

/** A question that brought no usable answer. The message names the endpoint's host and never holds what it said. */
export class ModelError extends Error {
  override name = 'ModelError';
  readonly kind: ModelErrorKind;
  /** How long the endpoint asks to wait, in milliseconds; null where it did not say. */
  readonly retryAfterMs: number | null;
  /** What the question cost nevertheless; null where nobody knows, as after a broken connection. */
  readonly usage: Usage | null;
  /** Of kind `refused`: what was refused; null where the address itself may not be asked. */
  readonly refused: Refused | null;

  constructor(
    kind: ModelErrorKind,
    message: string,
    more: { retryAfterMs?: number | null; usage?: Usage | null; refused?: Refused; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.kind = kind;
    this.refused = more.refused ?? null;
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.usage = more.usage === undefined ? NO_USAGE : more.usage;
  }
}
