import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject } from '../../src/domain/json.ts';
import { rowsOf } from './labels.ts';
import { PARTS, type Part } from './parts.ts';
import { type LabelledRecord, type RecordSet, readConfiguration, readLines } from './records.ts';

/** Calls that people wrote for one voice agent each: one file an agent, imported rich and bare. */
export interface WrittenFolder {
  path: string;
  /** Part by domain; a domain that is not named is for judging. */
  parts: Readonly<Record<string, Part>>;
}

/** The two ways in which written calls are imported. */
export const VARIANTS: readonly string[] = ['rich', 'bare'];

export const OUR_OWN = fileURLToPath(new URL('written', import.meta.url));

/** Marks of the domains that lie beside the labelled sets, which have no index of their own. */
const FRESH: Record<string, Part> = { hotel: 'make', utility: 'make' };

export function writtenFolders(folder: string): WrittenFolder[] {
  const fresh = join(folder, 'fresh');
  return [
    ...(existsSync(fresh) ? [{ path: fresh, parts: FRESH }] : []),
    ...(existsSync(OUR_OWN) ? [{ path: OUR_OWN, parts: readIndex(OUR_OWN) }] : []),
  ];
}

/** The written calls that lie in this repository, which are there wherever it is checked. */
export const ownSets = () => readWritten({ path: OUR_OWN, parts: readIndex(OUR_OWN) });

function readIndex(path: string): Record<string, Part> {
  const index = JSON.parse(readFileSync(join(path, 'index.json'), 'utf8')) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(index).flatMap(([domain, mark]) => {
      const part = PARTS.find((one) => one === mark);
      return part === undefined ? [] : [[domain, part]];
    }),
  );
}

/** Two sets a domain: rich, with all fields and the agent's configuration, and bare, with words and start time only. */
export function readWritten({ path, parts }: WrittenFolder): RecordSet[] {
  const domains = readdirSync(path).flatMap((name) =>
    name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : [],
  );
  return domains.sort().flatMap((domain) => {
    const lines = readLines(join(path, `${domain}.jsonl`));
    const part = parts[domain] ?? 'judge';
    const configuration = readConfiguration(join(path, `${domain}.agent.json`));
    return [
      { set: `${domain} (rich)`, measuredAs: 'rich', configuration, records: lines.map((line) => richOf(line, part)) },
      {
        set: `${domain} (bare)`,
        measuredAs: 'bare',
        configuration: null,
        records: lines.map((line) => bareOf(line, part)),
      },
    ];
  });
}

function richOf({ labels, source: _, ...record }: JsonObject, part: Part): LabelledRecord {
  const id = String(record['id']);
  return { id, record, labels: isJsonObject(labels) ? labels : {}, group: id, part, places: null };
}

/** A turn that is not imported stands for the last one before it that is. */
function bareOf(line: JsonObject, part: Part): LabelledRecord {
  const turns: JsonObject[] = [];
  const places = rowsOf(line['turns']).map((turn) => {
    const text = typeof turn['text'] === 'string' ? turn['text'] : '';
    if (turn['role'] !== 'tool' && text.trim() !== '') turns.push({ role: turn['role'] ?? null, text });
    return Math.max(0, turns.length - 1);
  });
  const { labels, group, id } = richOf(line, part);
  return { id, record: { id, startedAt: line['startedAt'] ?? null, turns }, labels, group, part, places };
}
