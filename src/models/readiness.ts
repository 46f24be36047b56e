import { z } from 'zod';
import type { ChatModel } from './port.ts';

export const ANSWERS_WITHIN_MS = 20_000;

/** Asks for a few tokens, in the form that Earshot needs. @throws ModelError */
export async function checkModel(model: ChatModel): Promise<void> {
  await model.complete({
    instructions: 'Answer with {"ready": true}.',
    context: null,
    material: 'Are you ready?',
    schema: z.strictObject({ ready: z.boolean() }),
    name: 'readiness',
    maxOutputTokens: 200,
    timeoutMs: ANSWERS_WITHIN_MS,
  });
}
