import { Agent, request } from 'undici';
import type { Speakers } from './speakers.ts';
import { CALLER_TURNS, callersWords, openingFor } from './words.ts';

/** The same questions over kept connections, one conversation after the other in each lane, and nothing stored: the floor. */
export async function playBare(
  speakers: Speakers,
  { orders, atOnce }: { orders: readonly number[]; atOnce: number },
): Promise<number> {
  const dispatcher = new Agent({ connections: 2 * atOnce });
  const ask = async (path: string, json: unknown): Promise<string> => {
    const answer = await request(`${speakers.url}${path}`, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    return answer.body.text();
  };
  const start = performance.now();
  let next = 0;
  const lane = async () => {
    for (let order = orders[next]; order !== undefined; order = orders[next]) {
      next += 1;
      await converse(ask, order);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, orders.length) }, lane));
  const ms = performance.now() - start;
  await dispatcher.close();
  return ms;
}

async function converse(ask: (path: string, json: unknown) => Promise<string>, order: number): Promise<void> {
  const messages: unknown[] = [];
  const agent = async () => {
    const answer = await ask('/agent-playground-completion/agent_stand_in?version=1', { messages, tool_mocks: [] });
    messages.push(...(JSON.parse(answer) as { messages: unknown[] }).messages);
  };
  await agent();
  for (let turn = 0; turn < CALLER_TURNS; turn += 1) {
    if (turn > 0)
      await ask('/v1/chat/completions', { messages, response_format: { json_schema: { name: 'caller_line' } } });
    messages.push({ role: 'user', content: turn === 0 ? openingFor(order) : callersWords(order) });
    await agent();
  }
}
