import { partsOf } from '../../domain/drafts/parts.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import type { PublishRequest, TextPublisher } from '../publisher.ts';
import { readAssistant } from './configuration.ts';
import { putVapiTexts } from './put-texts.ts';

/** Writing an assistant is publishing it, in one step. What is there is looked at just before. */
export function createVapiPublisher(client: PlatformClient): TextPublisher {
  return {
    async publish(connection, asked) {
      const path = `/assistant/${encodeURIComponent(asked.providerAgentId)}`;
      const live = await readLive(client, connection, path);
      if (isWritten(live, asked)) return;
      const written = putVapiTexts(live, asked.texts);
      const changed = Object.entries(written).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(live[name]),
      );
      const json = Object.fromEntries(changed);
      await client.send(connection, { method: 'PATCH', path, json, doing: "writing the assistant's text" });
    },
    async abandon() {},
  };
}

async function readLive(client: PlatformClient, connection: PlatformConnection, path: string): Promise<JsonObject> {
  const body = await client.send(connection, { method: 'GET', path, doing: 'reading the assistant' });
  if (isJsonObject(body)) return body;
  throw new PlatformError('bad_answer', 'The assistant that Vapi sent is no object.');
}

/** @throws PlatformError where the parts say neither what they said before nor what they are to say. */
function isWritten(live: JsonObject, { texts, before }: PublishRequest): boolean {
  const said = new Map(
    partsOf(readAssistant({ assistant: live, sharedTools: [] }, {})).map(({ path, text }) => [path, text]),
  );
  const paths = Object.keys(texts);
  if (paths.every((path) => said.get(path) === texts[path])) return true;
  if (paths.every((path) => said.get(path) === before[path])) return false;
  throw new PlatformError('rejected', 'Somebody has changed the assistant at Vapi in the meantime.');
}
