import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { canonicalDocument } from '../canonical.ts';
import { textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { readAgent } from './agents.ts';
import { type CapturedAssistant, readAssistant, readSquad } from './configuration.ts';
import { vapiMember, vapiModel, vapiSquad } from './payloads.ts';
import { VAPI_RECIPE } from './recipe.ts';
import { numberOfVersion } from './version-label.ts';

const MEMBERS_AT_MOST = 50;
const SHARED_TOOLS_AT_MOST = 100;

/** What is live at this moment. Older versions can't be read on Vapi, so each is captured while it is current. */
export interface VapiSnapshot {
  /** Null for a squad, and for an assistant without a published version: such versions are counted by their content. */
  version: number | null;
  providerRef: string | null;
  changedAt: string | null;
  document: JsonObject;
  configuration: AgentConfiguration;
}

export async function captureVapi(
  client: PlatformClient,
  connection: PlatformConnection,
  providerAgentId: string,
  digestSecret: (secret: string) => string,
): Promise<VapiSnapshot> {
  const reader = { client, connection };
  const { kind, body } = await readAgent(client, connection, providerAgentId);
  if (kind === 'squad') return captureSquad(reader, body, digestSecret);
  const captured = await withTools(reader, body);
  const document = canonicalDocument({ assistant: body, sharedTools: captured.sharedTools }, VAPI_RECIPE, digestSecret);
  const label = textOf(body.latestVersion);
  return {
    version: numberOfVersion(label),
    providerRef: label,
    changedAt: isoOf(body.updatedAt),
    document,
    configuration: readAssistant(captured, document),
  };
}

interface Reader {
  client: PlatformClient;
  connection: PlatformConnection;
}

async function captureSquad(
  reader: Reader,
  squad: JsonObject,
  digestSecret: (secret: string) => string,
): Promise<VapiSnapshot> {
  const members: CapturedAssistant[] = [];
  for (const entry of (vapiSquad.parse(squad).members ?? []).slice(0, MEMBERS_AT_MOST)) {
    const member = vapiMember.safeParse(entry);
    if (!member.success) continue;
    const { assistantId, assistant } = member.data;
    if (assistantId !== null) members.push(await withTools(reader, await readOne(reader, 'assistant', assistantId)));
    else if (assistant !== null) members.push(await withTools(reader, assistant));
  }
  const whole = {
    squad,
    assistants: members.map(({ assistant }) => assistant),
    sharedTools: members.flatMap(({ sharedTools }) => sharedTools),
  };
  const document = canonicalDocument(whole, VAPI_RECIPE, digestSecret);
  const changes = [squad, ...whole.assistants].map(({ updatedAt }) => isoOf(updatedAt)).filter((at) => at !== null);
  return {
    version: null,
    providerRef: null,
    changedAt: changes.toSorted().at(-1) ?? null,
    document,
    configuration: readSquad(squad, members, document),
  };
}

/** A tool without a pin follows its newest version, so its body belongs to what is captured. One that is gone is left out. */
async function withTools(reader: Reader, assistant: JsonObject): Promise<CapturedAssistant> {
  const model = vapiModel.parse(isJsonObject(assistant.model) ? assistant.model : {});
  const pinned = (model.toolRefs ?? []).filter(isJsonObject).map(({ toolId }) => textOf(toolId));
  const ids = [...(model.toolIds ?? []).map(textOf), ...pinned].filter((id) => id !== null);
  const sharedTools: JsonObject[] = [];
  for (const id of [...new Set(ids)].slice(0, SHARED_TOOLS_AT_MOST)) {
    try {
      sharedTools.push(await readOne(reader, 'tool', id));
    } catch (error) {
      if (!(error instanceof PlatformError && error.kind === 'not_found')) throw error;
    }
  }
  return { assistant, sharedTools };
}

async function readOne({ client, connection }: Reader, noun: 'assistant' | 'tool', id: string): Promise<JsonObject> {
  const path = `/${noun}/${encodeURIComponent(id)}`;
  const body = await client.send(connection, { method: 'GET', path, doing: `reading the ${noun}` });
  if (isJsonObject(body)) return body;
  throw new PlatformError('bad_answer', `The ${noun} that Vapi sent is no object.`);
}

function isoOf(value: unknown): string | null {
  const timeMs = Date.parse(textOf(value) ?? '');
  return Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : null;
}
