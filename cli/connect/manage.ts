import type { ConnectionResource } from '../../src/contract/connection.ts';
import type { IngestTokenResource, NewIngestToken } from '../../src/contract/ingest-token.ts';
import { PROGRAM } from '../../src/layout.ts';
import { readAll } from '../lists.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import { openClock } from '../times.ts';

const CONNECTIONS = '/app/connections';

/** `earshot connections`: each with its agents and its tokens. */
export async function showConnections(session: Session): Promise<void> {
  const { print, json } = session;
  const all = await readConnections(session);
  const listed = await Promise.all(all.map(async (one) => ({ ...one, tokens: await readTokens(session, one.id) })));
  if (json) return print.json(listed);
  if (listed.length === 0) return print.line(`No connections. Make one: ${PROGRAM} connect --help`);
  const clock = openClock();
  print.table(
    ['Platform', 'Status', clock.head('Made'), 'Id'],
    listed.map(({ platform, status, createdAt, id }) => [platform, status, clock.minute(createdAt), id]),
    listed.map(({ agents, tokens, message }) => [
      agents.flatMap(({ name, agentId }) => (agentId === null ? [] : [name])).join(', '),
      ...tokens.map((token) => tokenInWords(token, clock)),
      message ?? '',
    ]),
  );
}

const tokenInWords = (
  { name, prefix, id, lastUsedAt }: IngestTokenResource,
  { minute }: ReturnType<typeof openClock>,
) => `token ${prefix}… (${name}, ${lastUsedAt === null ? 'never used' : `used ${minute(lastUsedAt)}`}) ${id}`;

/** Makes another token for the agent of one, then revokes it. The new value is shown once. */
export async function renewToken(session: Session, wanted: string): Promise<void> {
  const { client, print, json } = session;
  const { id, connectionId, agentId, name } = await findToken(session, wanted);
  const made = await client.person<NewIngestToken>('POST', `${CONNECTIONS}/${connectionId}/tokens`, { agentId, name });
  await client.person('DELETE', `${CONNECTIONS}/${connectionId}/tokens/${id}`);
  if (json) return print.json(made);
  print.line(`The new token, shown this once: ${made.token}`);
  print.line('The one before is refused from now on.');
}

export async function revokeToken(session: Session, wanted: string): Promise<void> {
  const { client, print, json } = session;
  const { id, connectionId, prefix } = await findToken(session, wanted);
  const revoked = await client.person<IngestTokenResource>('DELETE', `${CONNECTIONS}/${connectionId}/tokens/${id}`);
  if (json) return print.json(revoked);
  print.line(`The token ${prefix}… is refused from now on.`);
}

export async function removeConnection(session: Session, connectionId: string): Promise<void> {
  const { client, print, json } = session;
  const removed = await client.person<ConnectionResource>('DELETE', `${CONNECTIONS}/${connectionId}`);
  if (json) return print.json(removed);
  print.line(`Removed the connection ${removed.id} (${removed.platform}), with its key and its tokens.`);
}

const readConnections = ({ client }: Session) =>
  readAll<ConnectionResource>((path) => client.person('GET', path), CONNECTIONS);

const readTokens = ({ client }: Session, connectionId: string) =>
  readAll<IngestTokenResource>((path) => client.person('GET', path), `${CONNECTIONS}/${connectionId}/tokens`);

/** By its id, or by its first ten characters. */
async function findToken(session: Session, wanted: string): Promise<IngestTokenResource> {
  const prefix = wanted.slice(0, 10);
  for (const { id } of await readConnections(session)) {
    const found = (await readTokens(session, id)).find((token) => token.id === wanted || token.prefix === prefix);
    if (found) return found;
  }
  throw new Problem(`There is no token ${wanted}. See: ${PROGRAM} connections`, EXIT.failed);
}
