import { Readable } from 'node:stream';
import { chooseAgent } from '../choose-agent.ts';
import { patiently, tellOnce } from '../patiently.ts';
import { Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import {
  beginning,
  type Cursor,
  digestOf,
  EXPORTED_KINDS,
  type ExportedKind,
  readCursor,
  writeCursor,
} from './cursor.ts';
import { type Source, sourcesOf } from './sources.ts';
import { type WriteOptions, writeLines } from './write-lines.ts';

const CHANGES = ['new', 'changed', 'removed'] as const;
type Change = (typeof CHANGES)[number];

interface Line {
  kind: ExportedKind;
  change: Change;
  id: string;
  /** Null where it was removed. */
  data: unknown;
}

interface Options extends WriteOptions {
  agent?: string;
  since: string;
}

/** For each answer. */
const PATIENT_FOR_MS = 600_000;

/**
 * Tells what is new, changed or gone since the export that wrote the cursor, one JSON object a line, and moves the cursor
 * on once all of it is written. The digests decide, so that whatever changed what a thing says is told, and nothing twice.
 */
export async function exportChanges(session: Session, { since, ...options }: Options): Promise<void> {
  const before = await readCursor(since);
  const agent = await chooseAgent(session, options.agent ?? before?.agentId);
  if (before !== null && before.agentId !== agent.id) throw new Problem(`${since} is of another agent.`);
  const sources = sourcesOf(patientlyFrom(session), agent.id);
  const after = beginning(agent.id);
  const counts = { new: 0, changed: 0, removed: 0 };
  const lines = Readable.from(linesOf(sources, before ?? beginning(agent.id), after, counts));
  await writeLines(lines, options);
  await writeCursor(since, after);
  session.print.note(
    `${CHANGES.map((change) => `${counts[change]} ${change}`).join(', ')}. ${since} says where the next export goes on.`,
  );
}

/** A server that restarts, or asks for patience, ends no export. */
function patientlyFrom({ client, print }: Session) {
  const say = tellOnce(print.note);
  return <T>(path: string) =>
    patiently(() => client.read<T>(path), { untilMs: performance.now() + PATIENT_FOR_MS, say });
}

async function* linesOf(
  sources: Record<ExportedKind, Source>,
  before: Cursor,
  after: Cursor,
  counts: Record<Change, number>,
): AsyncGenerator<string> {
  for (const kind of EXPORTED_KINDS) {
    for await (const line of changesOf(kind, sources[kind], before.told[kind], after.told[kind])) {
      counts[line.change] += 1;
      yield `${JSON.stringify(line)}\n`;
    }
  }
}

/** @param after is filled with what is there now. */
async function* changesOf(
  kind: ExportedKind,
  source: Source,
  before: Map<string, string>,
  after: Map<string, string>,
): AsyncGenerator<Line> {
  const told = async (thing: { id: string }): Promise<Line[]> => {
    const { id } = thing;
    const digest = digestOf(thing);
    // What moves in a list while it is walked may be met twice.
    const known = after.get(id) ?? before.get(id);
    after.set(id, digest);
    if (known === digest) return [];
    return [{ kind, change: known === undefined ? 'new' : 'changed', id, data: await source.dataOf(thing) }];
  };
  for await (const thing of source.all()) yield* await told(thing);
  for (const id of before.keys()) {
    if (after.has(id)) continue;
    const thing = await source.find(id);
    if (thing === null) yield { kind, change: 'removed', id, data: null };
    else yield* await told(thing);
  }
}
