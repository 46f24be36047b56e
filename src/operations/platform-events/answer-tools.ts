import { z } from 'zod';
import { loadPlayedById } from '../../db/runs/attempts.ts';
import type { Turn } from '../../domain/calls/call.ts';
import type { Json } from '../../domain/json.ts';
import { fixtureFor, fixturesLeft } from '../../domain/runs/fixtures.ts';
import { NOT_AVAILABLE } from '../../domain/runs/not-available.ts';
import { readFixtureToken } from '../../services/runs/fixture-address.ts';
import { Failure } from '../failure.ts';
import { deeperThan } from '../json-body.ts';
import type { Services } from '../services.ts';

const CALLS_AT_MOST = 50;
const DEPTH_LIMIT = 64;

const asked = z.looseObject({
  message: z.looseObject({
    toolCallList: z
      .array(
        z.looseObject({
          id: z.string().max(200),
          function: z.looseObject({ name: z.string().max(200), arguments: z.unknown() }),
        }),
      )
      .max(CALLS_AT_MOST),
  }),
});

/**
 * Answers tools of a simulated call by the test's fixtures, where the platform asks for them itself.
 * @throws Failure 404 for an address that is none of ours or whose call is over, 400 for what can't be read
 */
export async function answerTools(
  { vault, database }: Services,
  token: string,
  body: Uint8Array,
): Promise<{ results: { toolCallId: string; name: string; result: string }[] }> {
  const owner = readFixtureToken(vault, token);
  const attempt = owner && (await loadPlayedById(database.within(owner.workspaceId), owner.agentId, owner.attemptId));
  if (attempt?.state !== 'playing')
    throw new Failure('attempt_not_found', 'No call that is being played has this address.');
  const read = asked.safeParse(readJson(body));
  if (!read.success) throw new Failure('invalid_body', 'The body holds no list of tool calls.');
  const turns: Pick<Turn, 'toolCall'>[] = [...attempt.played.turns];
  const results = read.data.message.toolCallList.map(({ id, function: { name, arguments: given } }) => {
    const call = { id, name, args: argumentsOf(given) };
    const fixture = fixtureFor(fixturesLeft(attempt.spec.fixtures, turns), call);
    turns.push({ toolCall: call });
    return { toolCallId: id, name, result: JSON.stringify(fixture?.respond ?? NOT_AVAILABLE) };
  });
  return { results };
}

function readJson(body: Uint8Array): unknown {
  if (deeperThan(body, DEPTH_LIMIT)) return null;
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

/** An object, or the text of one. */
function argumentsOf(given: unknown): Json {
  if (typeof given !== 'string') return (given ?? {}) as Json;
  try {
    return JSON.parse(given) as Json;
  } catch {
    return given;
  }
}
