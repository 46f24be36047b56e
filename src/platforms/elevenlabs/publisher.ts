import { partsOf } from '../../domain/drafts/parts.ts';
import type { JsonObject } from '../../domain/json.ts';
import { textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import { PlatformError } from '../port.ts';
import type { PublishRequest, TextPublisher } from '../publisher.ts';
import { readConfiguration } from './configuration.ts';
import { putElevenLabsTexts } from './put-texts.ts';
import { liveBranch, readObject } from './versions.ts';

const WRITTEN = ['conversation_config', 'workflow'] as const;

/** Writing the branch that takes the calls commits a version of it, live at once. What is there is looked at just before. */
export function createElevenLabsPublisher(client: PlatformClient): TextPublisher {
  return {
    async publish(connection, asked) {
      const agentPath = `/v1/convai/agents/${encodeURIComponent(asked.providerAgentId)}`;
      const branchId = await liveBranch(client, connection, asked.providerAgentId);
      const path = branchId === null ? agentPath : `${agentPath}?branch_id=${encodeURIComponent(branchId)}`;
      const live = await readObject(client, connection, path, 'the agent');
      if (isWritten(live, asked)) return;
      const written = putElevenLabsTexts(live, asked.texts);
      const changed = WRITTEN.filter((name) => JSON.stringify(written[name]) !== JSON.stringify(live[name]));
      const json = {
        ...Object.fromEntries(changed.map((name) => [name, written[name] ?? null])),
        version_description: asked.title.slice(0, 200),
      };
      await client.send(connection, { method: 'PATCH', path, json, doing: "writing the agent's text" });
    },
    async abandon() {},
  };
}

/** @throws PlatformError where the parts say neither what they said before nor what they are to say. */
function isWritten(live: JsonObject, { texts, before }: PublishRequest): boolean {
  const parts = partsOf(readConfiguration({ agent: live, tools: [] }, {}));
  const said = new Map(parts.map(({ path, text }) => [path, text]));
  const paths = Object.keys(texts);
  if (paths.every((path) => said.get(path) === texts[path])) return true;
  if (paths.every((path) => said.get(path) === before[path])) return false;
  const name = textOf(live.name) ?? 'the agent';
  throw new PlatformError('rejected', `Somebody has changed ${name} at ElevenLabs in the meantime.`);
}
