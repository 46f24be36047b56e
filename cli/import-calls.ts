import { readFile } from 'node:fs/promises';
import type { AgentResource } from '../src/contract/agent.ts';
import type { StartedImport } from '../src/contract/import.ts';
import { TURN_ROLES } from '../src/domain/vocabulary.ts';
import { PROGRAM } from '../src/layout.ts';
import { matching } from './choose-agent.ts';
import { readList } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import { filesAt, inWords, nameOfPath, type RefusedLine, readRecords, type SourceLine } from './read-records.ts';
import { progressOf, watchReading } from './reading.ts';
import type { Session } from './session.ts';
import { gapLines, redactedInWords, type Sent, waitForImports } from './wait-for-imports.ts';

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
    for (const one of refused) print.note(inWords(one));
    throw new Problem(`${path} holds no records.`, EXIT.failed);
  }
  if (options.dryRun === true) {
    return (await import('./preview-records.ts')).previewRecords(session, records, first.value, refused);
  }
  const agent = await findOrMakeAgent(session, options.agent ?? nameOfPath(path));
  if (options.agentConfig !== undefined) await setConfiguration(session, agent, options.agentConfig);
  const sent = await sendAll(session, agent, records, first);
  const result = await waitForImports(session, agent.id, sent);
  const reading = result.stored > 0 ? await watchReading(session, agent.id) : null;
  if (json) {
    const badLines = [...refused, ...result.badLines];
    print.json({ ...result, badLines, ...(reading && { modelReading: reading }) });
  } else {
    for (const one of refused) print.note(inWords(one));
    for (const { file, line, reason } of result.badLines) print.note(`${file}, line ${line}: ${reason}`);
    const again = result.unchanged > 0 ? `, ${result.unchanged} known already` : '';
    print.line(
      `${agent.name}: ${result.stored} calls stored${again}, ${result.waiting} waiting, ${result.failed} failed.`,
    );
    if (reading) print.line(progressOf(reading));
    for (const text of gapLines(result.notComputable)) print.line(text);
    const redacted = redactedInWords(result.redacted);
    if (redacted !== null) print.line(redacted);
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

async function findOrMakeAgent({ client, print }: Session, wanted: string): Promise<AgentResource> {
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
  const made = await client.person<AgentResource>('POST', '/app/agents', {
    platform: 'file',
    providerAgentId: wanted,
    name: wanted,
  });
  print.note(`Made the agent ${made.name} (${made.id}).`);
  return made;
}

async function setConfiguration({ client }: Session, agent: AgentResource, file: string): Promise<void> {
  let given: unknown;
  try {
    given = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new Problem(`${file} is not a readable JSON file.`);
  }
  await client.person('PUT', `/app/agents/${agent.id}/configuration`, given);
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
    print.note(`Sent ${places.length} records.`);
  }
  return sent;
}
