import type { Turn } from '../calls/call.ts';
import { isJsonObject, type Json } from '../json.ts';

/** What a tool without a fixture answers, always the same, so that it can be recognised. */
export const NOT_AVAILABLE = { error: 'not_available', message: 'This tool is not available in a test call.' } as const;

/** Tools that answered so in these turns, each once. */
export function toolsWithoutFixture(turns: readonly Turn[]): string[] {
  return [
    ...new Set(turns.flatMap(({ toolResult }) => (isNotAvailable(toolResult?.body) ? [toolResult?.name ?? ''] : []))),
  ];
}

const isNotAvailable = (body: Json | undefined) =>
  isJsonObject(body) && body.error === NOT_AVAILABLE.error && body.message === NOT_AVAILABLE.message;
