import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileConfiguration, fileConfiguration } from '../../src/contract/agent-settings.ts';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import { type Part, partOf } from './parts.ts';

/** A labelled record: what is imported, and the labels that the analysis never sees. */
export interface LabelledRecord {
  id: string;
  record: JsonObject;
  labels: JsonObject;
  /** What intervals are drawn over and parts are cut by: calls of one group are not independent. */
  group: string;
  part: Part;
  /** Place of each turn that the labels count, in the turns that are imported; null where they are the same. */
  places: readonly number[] | null;
}

export interface RecordSet {
  /** Name of the set, with its variant where it has several. */
  set: string;
  /** What is measured on it: the name of the set, or the kind of its labels. */
  measuredAs: string;
  configuration: FileConfiguration | null;
  records: LabelledRecord[];
}

/** The label that names the group of a set; a set that is not here is cut by its records. */
const GROUP_LABEL: Record<string, string> = {
  star: 'callerId',
  tau_airline: 'taskId',
  tau_retail: 'callerId',
  eva_progression: 'scenario',
  eva_faithfulness: 'scenario',
  evi: 'callerId',
  tm4_thumbs: 'opening',
};

const AGENTS: Record<string, string> = {
  tau_airline: 'tau_airline',
  tau_retail: 'tau_retail',
  eva_progression: 'eva_airline',
  eva_faithfulness: 'eva_airline',
};

/** Reads one of the sets that others labelled; null where its file is absent. */
export function readSet(folder: string, set: string): RecordSet | null {
  const path = pathOf(folder, set);
  if (path === null) return null;
  const records = readLines(path).map((line): LabelledRecord => {
    const { labels, ...record } = line;
    const known = isJsonObject(labels) ? labels : {};
    const id = String(record['id']);
    const group = String(known[GROUP_LABEL[set] ?? ''] ?? id);
    return { id, record, labels: known, group, part: partOf(group), places: null };
  });
  const agent = AGENTS[set];
  const configuration = agent === undefined ? null : readConfiguration(join(folder, 'agents', `${agent}.json`));
  return { set, measuredAs: set, configuration, records };
}

/** `<set>.dev.jsonl`, or the half that the folder holds under another word (`<set>.test.jsonl`, `<set>.jsonl`). */
function pathOf(folder: string, set: string): string | null {
  if (!existsSync(folder)) return null;
  const halves = readdirSync(folder).filter((name) => name.startsWith(`${set}.`) && name.endsWith('.jsonl'));
  const name = halves.find((half) => half === `${set}.dev.jsonl`) ?? halves.sort()[0];
  return name === undefined ? null : join(folder, name);
}

export function readLines(path: string): JsonObject[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as JsonObject);
}

/** Prompt and tools of an agent's file, in the shape that `earshot import --agent-config` takes. */
export function readConfiguration(path: string): FileConfiguration | null {
  if (!existsSync(path)) return null;
  const { prompt, tools } = JSON.parse(readFileSync(path, 'utf8')) as JsonObject;
  const listed = Array.isArray(tools) ? tools.filter(isJsonObject) : [];
  return fileConfiguration.parse({ prompt: prompt ?? null, tools: listed.map(toolOf) });
}

/** Some sources wrap each tool, as the model's interface does, and some say more of it than the interface knows. */
function toolOf(tool: JsonObject): JsonObject {
  const { name, description, parameters } = isJsonObject(tool['function']) ? tool['function'] : tool;
  return { name: name ?? '', description: description ?? '', parameters: parameters ?? null };
}
