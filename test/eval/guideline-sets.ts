import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/domain/json.ts';
import { rowsOf } from './labels.ts';
import { partOf } from './parts.ts';
import { type LabelledRecord, type RecordSet, readConfiguration, readLines } from './records.ts';

/** Dialogues whose labels say which of the agent's turns break which line of its guideline. */
export const GUIDELINES = 'complibench';

/** A line of a guideline, as labels name it. */
export interface GuidelineLine {
  id: string;
  text: string;
}

/** One set an agent, since each has a guideline of its own. Empty where the folder has none. */
export function readGuidelineSets(folder: string): RecordSet[] {
  const path = join(folder, GUIDELINES);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) => {
      const lines = JSON.parse(readFileSync(join(path, name.replace('.jsonl', '.lines.json')), 'utf8')) as JsonObject;
      const agents = Map.groupBy(readLines(join(path, name)), ({ agent }) => String(agent));
      return [...agents].map(([agent, records]): RecordSet => {
        const known = rowsOf(lines[agent]).map((line) => ({ id: String(line['id']), text: String(line['text']) }));
        return {
          set: `${GUIDELINES} (${agent})`,
          measuredAs: GUIDELINES,
          configuration: readConfiguration(join(path, 'agents', `${agent}.agent.json`)),
          records: records.map((record) => recordOf(record, agent, known)),
        };
      });
    });
}

/** Intervals are drawn over agents, whose dialogues share a guideline. */
function recordOf(
  { labels, source: _, agent: __, ...record }: JsonObject,
  agent: string,
  lines: readonly GuidelineLine[],
): LabelledRecord {
  const id = String(record['id']);
  const known = { ...(labels as JsonObject), lines: lines.map((line) => ({ ...line })) };
  return { id, record, labels: known, group: agent, part: partOf(agent), places: null };
}
