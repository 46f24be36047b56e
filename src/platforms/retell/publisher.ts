import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { numberOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import type { PublishRequest, TextPublisher } from '../publisher.ts';
import { putRetellTexts } from './put-texts.ts';
import { readRetellEngine } from './read-engine.ts';
import { type ListedRetellVersion, readBindings, readVersions } from './versions.ts';

/**
 * A version that is not published yet is made of the live one, written, and published: until that last step nobody hears
 * it, so that whatever breaks off before has changed nothing for callers.
 */
export function createRetellPublisher(client: PlatformClient): TextPublisher {
  return {
    async publish(connection, asked) {
      const made = await findOwn(client, connection, asked);
      if (made?.published) return;
      const version = made?.version ?? (await makeVersion(client, connection, asked));
      await writeTexts(client, connection, asked, version);
      await client.send(connection, {
        method: 'POST',
        path: `/publish-agent-version/${encodeURIComponent(asked.providerAgentId)}`,
        json: { version, version_title: asked.title },
        doing: 'publishing a version',
        mayBeEmpty: true,
      });
    },
    async abandon(connection, asked) {
      const made = await findOwn(client, connection, asked);
      if (made === null || made.published) return;
      const id = encodeURIComponent(asked.providerAgentId);
      await client.send(connection, {
        method: 'DELETE',
        path: `/delete-agent-version/${id}?version=${made.version}`,
        doing: 'removing a version that was not published',
        mayBeEmpty: true,
      });
    },
  };
}

type Asked = Pick<PublishRequest, 'providerAgentId' | 'handle'>;

/**
 * The version that an earlier try made. Its number is noted once it is known; where the answer was lost, it is the one
 * unpublished version of the same base that is newer than what there was before.
 */
async function findOwn(
  client: PlatformClient,
  connection: PlatformConnection,
  { providerAgentId, handle }: Asked,
): Promise<ListedRetellVersion | null> {
  const [after, base, own] = [numberOf(handle?.after), numberOf(handle?.base), numberOf(handle?.version)];
  if (after === null) return null;
  const listed = await readVersions(client, connection, providerAgentId);
  if (own !== null) return listed.find(({ version }) => version === own) ?? null;
  const fresh = listed.filter((one) => one.version > after && !one.published && (one.base ?? base) === base);
  if (fresh.length > 1) {
    const message =
      'Several unpublished versions came up at once, so it can not be told which is ours. Nothing is live.';
    throw new PlatformError('rejected', message);
  }
  return fresh[0] ?? null;
}

async function makeVersion(
  client: PlatformClient,
  connection: PlatformConnection,
  { providerAgentId, baseVersion, note }: PublishRequest,
): Promise<number> {
  await refuseOtherBindings(client, connection, providerAgentId);
  const listed = await readVersions(client, connection, providerAgentId);
  const before: JsonObject = { after: listed.at(-1)?.version ?? baseVersion, base: baseVersion };
  await note(before);
  const answer = await client.send(connection, {
    method: 'POST',
    path: `/create-agent-version/${encodeURIComponent(providerAgentId)}`,
    json: { base_version: baseVersion },
    doing: 'making a version',
  });
  const version = isJsonObject(answer) ? numberOf(answer.version) : null;
  if (version === null) throw new PlatformError('bad_answer', 'Retell did not say which version is new.');
  await note({ ...before, version });
  return version;
}

async function writeTexts(
  client: PlatformClient,
  connection: PlatformConnection,
  { providerAgentId, texts }: PublishRequest,
  version: number,
): Promise<void> {
  const { body, updatePath } = await readRetellEngine(client, connection, { providerAgentId, version });
  const written = putRetellTexts(body, texts);
  const changed = Object.entries(written).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(body[name]),
  );
  if (changed.length === 0) return;
  const json = Object.fromEntries(changed);
  await client.send(connection, { method: 'PATCH', path: updatePath, json, doing: "writing the agent's text" });
}

/** A number on `latest` would be answered by a version that is not published; one on a fixed number never by ours. */
async function refuseOtherBindings(
  client: PlatformClient,
  connection: PlatformConnection,
  providerAgentId: string,
): Promise<void> {
  const other = (await readBindings(client, connection, providerAgentId)).find((one) => one !== 'latest_published');
  if (other === undefined) return;
  const message = `A phone number of the agent is bound to version "${other}". Bind it to latest_published at Retell first: only then does a publish decide what callers hear.`;
  throw new PlatformError('rejected', message);
}
