import type { AgentResource } from '../src/contract/agent.ts';
import type { StartedImport } from '../src/contract/import.ts';
import type { RecordsPreview } from '../src/contract/records-preview.ts';
import { counted } from '../src/domain/counted.ts';
import { TURN_ROLES } from '../src/domain/vocabulary.ts';
import { PROGRAM } from '../src/layout.ts';
import { configurationInWords, readAgentConfiguration } from './agent-configuration.ts';
import { matching } from './choose-agent.ts';
import { readList } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import { faultsInWords, filesAt, nameOfPath, type RefusedLine, readRecords, type SourceLine } from './read-records.ts';
import { progressOf, watchReading } from './reading.ts';
import type { Session } from './session.ts';
import {
  gapLines,
  namesInWords,
  redactedInWords,
  type Sent,
  waitForImports,
  warningLines,
} from './wait-for-imports.ts';

export interface ImportOptions {
  agent?: string;
  agentConfig?: string;
  dryRun?: boolean;
  /** `field=Column name` of tables. */
  column?: string[];
  /** `Name=role` of speakers. */
  role?: string[];
  /** Of times without one. */
  timeZone?: string;
}

const RECORDS_AN_IMPORT = 1000;
const BYTES_AN_IMPORT = 60 * 1024 * 1024;

/**
 * Uploads the records of a file or folder, in as many imports as they need, and waits until they are analysed.
 * @returns the exit code: 1 when some record did not become an analysed call.
 */
export async function importCalls(session: Session, path: string, options: ImportOptions): Promise<number> {
  const { print, json } = session;
  const configuration = options.agentConfig === undefined ? null : await readAgentConfiguration(options.agentConfig);
  const refused: RefusedLine[] = [];
  const records = readRecords(await filesAt(path), {
    columns: options.column ?? [],
    roles: rolesOf(options.role ?? []),
    timeZone: options.timeZone ?? null,
    refused,
    note: print.note,
  });
  const first = await records.next();
  if (first.done) {
    for (const text of faultsInWords(refused)) print.note(text);
    throw new Problem(`${path} holds no records.`, EXIT.failed);
  }
  if (options.dryRun === true) {
    if (configuration !== null) print.note(configurationInWords(configuration));
    return (await import('./preview-records.ts')).previewRecords(session, records, first.value, refused);
  }
  const { known, all } = await someReadable(session, options.agent ?? nameOfPath(path), first.value, records, refused);
  const agent = known ?? (await makeAgent(session, options.agent ?? nameOfPath(path)));
  if (configuration !== null)
    await session.client.person('PUT', `/app/agents/${agent.id}/configuration`, configuration);
  const sent = await sendAll(session, agent, all, await all.next());
  const result = await waitForImports(session, agent.id, sent);
  const reading = result.stored > 0 ? await watchReading(session, agent.id) : null;
  if (json) {
    const badLines = [...refused, ...result.badLines];
    print.json({ ...result, badLines, ...(reading && { modelReading: reading }) });
  } else {
    const faults = [...refused, ...result.badLines.map((one) => ({ ...one, field: null }))];
    for (const text of faultsInWords(faults)) print.note(text);
    const again = result.unchanged > 0 ? `, ${result.unchanged} already known` : '';
    print.line(
      `${agent.name}: ${counted(result.stored, 'call')} stored${again}, ${result.waiting} waiting, ${result.failed} failed.`,
    );
    if (reading) print.line(progressOf(reading));
    for (const text of warningLines(result.warnings)) print.line(text);
    for (const text of gapLines(result.notComputable)) print.line(text);
    const redacted = redactedInWords(result.redacted);
    if (redacted !== null) print.line(redacted);
    if (result.namesWaiting > 0 && reading?.calls.waiting) print.line(namesInWords(result.namesWaiting));
    print.line(`See what was found: ${PROGRAM} issues --agent ${agent.id}`);
  }
  return result.failed > 0 || result.waiting > 0 || refused.length > 0 ? EXIT.failed : EXIT.done;
}

function rolesOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.lastIndexOf('=');
      const role = text
        .slice(at + 1)
        .trim()
        .toLowerCase();
      if (at < 1 || !TURN_ROLES.some((one) => one === role)) {
        throw new Problem(`--role ${text}: give name=role, where the role is one of ${TURN_ROLES.join(', ')}.`);
      }
      return [text.slice(0, at).trim(), role];
    }),
  );
}

async function findAgent({ client }: Session, wanted: string): Promise<AgentResource | null> {
  const agents = await readList<AgentResource>(client, '/v1/agents');
  const [found, second] = matching(agents, wanted).filter((agent) => agent.provider === 'file');
  if (found && !second) return found;
  const [other] = matching(agents, wanted);
  if (second) throw new Problem(`Several agents are called ${wanted}: use the id with --agent.`, EXIT.failed);
  if (other) {
    throw new Problem(
      `The calls of ${other.name} come from ${other.provider}: choose another name with --agent.`,
      EXIT.failed,
    );
  }
  return null;
}

async function makeAgent({ client, print }: Session, wanted: string): Promise<AgentResource> {
  const made = await client.person<AgentResource>('POST', '/app/agents', {
    platform: 'file',
    providerAgentId: wanted,
    name: wanted,
  });
  print.note(`Created the agent ${made.name} (${made.id}).`);
  return made;
}

/** So many records are looked at before an agent is made for them. */
const LOOKED_AT = 50;

/**
 * No agent is made for records of which none can be read.
 * @returns the agent where there is one, and all records.
 */
async function someReadable(
  session: Session,
  wanted: string,
  first: SourceLine,
  records: AsyncGenerator<SourceLine>,
  refused: readonly RefusedLine[],
): Promise<{ known: AgentResource | null; all: AsyncGenerator<SourceLine> }> {
  const known = await findAgent(session, wanted);
  const head = [first];
  while (known === null && head.length < LOOKED_AT) {
    const next = await records.next();
    if (next.done) break;
    head.push(next.value);
  }
  if (known === null && head.length < LOOKED_AT) {
    const lines = async function* () {
      for (const { text } of head) yield `${text}\n`;
    };
    const preview = await session.client.upload<RecordsPreview>('/app/records/preview', lines());
    if (preview.readable === 0) {
      const faults = preview.refused.map((fault) => ({
        ...(head[fault.line - 1] ?? first),
        ...fault,
        line: head[fault.line - 1]?.line ?? 0,
      }));
      const told = faultsInWords([...refused, ...faults]).join('\n');
      throw new Problem(`${told}\nNo record could be read, so no agent was created.`, EXIT.failed);
    }
  }
  const all = async function* () {
    yield* head;
    yield* records;
  };
  return { known, all: all() };
}

/** Cuts the records into imports; within one, the n-th line sent is remembered by its place in the file. */
async function sendAll(
  { client, print }: Session,
  agent: AgentResource,
  records: AsyncGenerator<SourceLine>,
  first: IteratorResult<SourceLine>,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  let next = first;
  while (!next.done) {
    const places: { file: string; line: number }[] = [];
    const part = async function* (): AsyncGenerator<string> {
      let bytes = 0;
      while (!next.done && places.length < RECORDS_AN_IMPORT && bytes < BYTES_AN_IMPORT) {
        const record: SourceLine = next.value;
        places.push({ file: record.file, line: record.line });
        bytes += Buffer.byteLength(record.text) + 1;
        yield `${record.text}\n`;
        next = await records.next();
      }
    };
    const started = await client.upload<StartedImport>(`/app/agents/${agent.id}/imports`, part());
    sent.push({ importId: started.id, places });
    print.note(`Sent ${counted(places.length, 'record')}.`);
  }
  return sent;
}
