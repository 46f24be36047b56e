import { z } from 'zod';
import { uuid } from './common.ts';
import { baseUrl, platformKey } from './connection.ts';
import { plainText } from './text.ts';

export const newAgentChat = z.strictObject({
  url: baseUrl
    .nullable()
    .describe('`/chat/completions` is added to it, such as `https://bot.example.com/v1`. Null takes the address away.'),
  apiKey: platformKey.optional(),
  model: plainText(1, 200).optional().describe("Sent as `model`; the agent's `providerAgentId` if left out."),
  handsToolsBack: z
    .literal(true)
    .optional()
    .describe(
      'Needed with a url: that the agent there makes no call of a tool itself, but hands each back as `tool_calls`.',
    ),
});

export const agentChat = z
  .strictObject({
    object: z.literal('agent_chat'),
    agentId: uuid,
    url: z.string().nullable().describe('Null: tests can not be played against this agent.'),
    model: z.string().nullable(),
    hasKey: z.boolean(),
  })
  .meta({ id: 'AgentChat' });
export type AgentChatResource = z.infer<typeof agentChat>;
