import { z } from 'zod';
import { loadPlayedById } from '../../db/runs/attempts.ts';
import type { Turn } from '../../domain/calls/call.ts';
import { embeddedJson } from '../../domain/parse-json.ts';
import { fixtureFor, fixturesLeft } from '../../domain/runs/fixtures.ts';
import { NOT_AVAILABLE } from '../../domain/runs/not-available.ts';
import { readFixtureToken } from '../../services/runs/fixture-address.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';
import { readDocument } from './read-document.ts';
import type { InboundEvent } from './take-event.ts';

const CALLS_AT_MOST = 50;

const asked = z.looseObject({
  message: z.looseObject({
    toolCallList: z
      .array(
        z.looseObject({
          id: z.string().max(200),
          function: z.looseObject({ name: z.string().max(200), arguments: z.json().optional() }),
        }),
      )
      .max(CALLS_AT_MOST),
  }),
});

interface ToolsRequest extends Pick<InboundEvent, 'headers' | 'readBody'> {
  /** As it stands in the address. */
  token: string;
}

/**
 * Answers tools of a simulated call by the test's fixtures, where the platform asks for them itself.
 * @throws Failure 404 for an address that is none of ours or whose call is over, 400 for what can't be read
 */
export async function answerTools(
  { vault, database }: Services,
  { token, headers, readBody }: ToolsRequest,
): Promise<{ results: { toolCallId: string; name: string; result: string }[] }> {
  const owner = readFixtureToken(vault, token);
  const attempt = owner && (await loadPlayedById(database.within(owner.workspaceId), owner.agentId, owner.attemptId));
  if (attempt?.state !== 'playing')
    throw new Failure('attempt_not_found', 'No call that is being played has this address.');
  const read = asked.safeParse(readDocument(headers, await readBody()));
  if (!read.success) throw new Failure('invalid_body', 'The body holds no list of tool calls.');
  const turns: Pick<Turn, 'toolCall'>[] = [...attempt.played.turns];
  const results = read.data.message.toolCallList.map(({ id, function: { name, arguments: given } }) => {
    const call = { id, name, args: embeddedJson(given ?? {}) };
    const fixture = fixtureFor(fixturesLeft(attempt.spec.fixtures, turns), call);
    turns.push({ toolCall: call });
    return { toolCallId: id, name, result: JSON.stringify(fixture?.respond ?? NOT_AVAILABLE) };
  });
  return { results };
}
