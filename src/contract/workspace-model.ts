import { z } from 'zod';
import { MODEL_PROTOCOLS } from '../domain/vocabulary.ts';
import { platformKey } from './connection.ts';
import { plainText } from './text.ts';

const usdPerMillion = z.number().min(0).max(10_000);

export const ownModel = z.strictObject({
  protocol: z
    .enum(MODEL_PROTOCOLS)
    .describe('`openai`: any OpenAI-compatible address. `anthropic`: Anthropic messages.'),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .describe('Where it is asked: https, at a public address; with its `/v1` for `openai`.'),
  model: plainText(1, 200),
  apiKey: platformKey
    .nullable()
    .optional()
    .describe(
      'Stored encrypted and never shown again. Left out: the key that is stored, as long as the address stays the same. Null: the address takes none.',
    ),
  price: z
    .strictObject({
      input: usdPerMillion,
      output: usdPerMillion,
      cachedInput: usdPerMillion.optional(),
      cacheWrite: usdPerMillion.optional(),
    })
    .nullable()
    .optional()
    .describe('USD a million tokens. Null or left out: what it costs is not known, and no budget can hold it.'),
});

export const workspaceModel = z
  .strictObject({
    object: z.literal('workspace_model'),
    own: z
      .strictObject({
        protocol: z.enum(MODEL_PROTOCOLS),
        url: z.string(),
        model: z.string(),
        hasKey: z.boolean(),
        price: z
          .strictObject({ input: z.number(), output: z.number(), cachedInput: z.number(), cacheWrite: z.number() })
          .nullable(),
      })
      .nullable()
      .describe('Null: the workspace has none.'),
    operators: z
      .strictObject({ model: z.string(), host: z.string() })
      .nullable()
      .describe('The model of the installation, which reads calls where the workspace has none; null: there is none.'),
  })
  .meta({ id: 'WorkspaceModel' });
export type WorkspaceModelResource = z.infer<typeof workspaceModel>;
