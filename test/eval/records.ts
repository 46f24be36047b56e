import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import { createFileReader } from '../../src/platforms/file/reader.ts';

/** A labelled record: the call that the analysis sees, and the labels that it never does. */
export interface LabelledCall {
  id: string;
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  labels: JsonObject;
}

const reader = createFileReader(() => Date.UTC(2030, 0, 1));

/** Reads one set; null where its file is absent. */
export function readSet(folder: string, set: string): LabelledCall[] | null {
  const path = pathOf(folder, set);
  if (path === null) return null;
  const configuration = readAgent(folder, set);
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const record = JSON.parse(line) as JsonObject;
      const labels = isJsonObject(record['labels']) ? record['labels'] : {};
      return { id: String(record['id']), call: reader.normalise(record), configuration, labels };
    });
}

/** `<set>.dev.jsonl`, or the half that the folder holds under another word (`<set>.test.jsonl`, `<set>.jsonl`). */
function pathOf(folder: string, set: string): string | null {
  if (!existsSync(folder)) return null;
  const halves = readdirSync(folder).filter((name) => name.startsWith(`${set}.`) && name.endsWith('.jsonl'));
  const name = halves.find((half) => half === `${set}.dev.jsonl`) ?? halves.sort()[0];
  return name === undefined ? null : join(folder, name);
}

const AGENTS: Record<string, string> = {
  tau_airline: 'tau_airline',
  tau_retail: 'tau_retail',
  eva_progression: 'eva_airline',
  eva_faithfulness: 'eva_airline',
};

function readAgent(folder: string, set: string): AgentConfiguration | null {
  const name = AGENTS[set];
  const path = name === undefined ? '' : join(folder, 'agents', `${name}.json`);
  if (path === '' || !existsSync(path)) return null;
  const agent = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
  const listed = Array.isArray(agent['tools']) ? agent['tools'].filter(isJsonObject) : [];
  // Some sources wrap each tool, as the model's interface does: {type: "function", function: {name, …}}.
  const tools = listed.map((tool) => (isJsonObject(tool['function']) ? tool['function'] : tool));
  return {
    name: name ?? set,
    language: null,
    prompt: typeof agent['prompt'] === 'string' ? agent['prompt'] : null,
    firstMessage: null,
    model: null,
    voice: null,
    tools: tools.map((tool) => ({
      id: String(tool['name']),
      name: String(tool['name']),
      description: String(tool['description'] ?? ''),
      kind: String(tool['name']).startsWith('transfer') ? 'transfer' : 'other',
      parameters: tool['parameters'] ?? null,
      timeoutMs: null,
      speaksDuring: null,
    })),
    nodes: [],
    startNodeId: null,
    variables: {},
  };
}
