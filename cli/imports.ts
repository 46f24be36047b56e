import type { ImportResource, ImportWithFailures } from '../src/contract/import.ts';
import { PROGRAM } from '../src/layout.ts';
import { agentFlag, chooseAgent } from './choose-agent.ts';
import { type Found, findAnywhere, notFound } from './find-anywhere.ts';
import { readAll } from './lists.ts';
import { EXIT, Problem } from './problem.ts';
import type { Session } from './session.ts';
import { openClock } from './times.ts';
import { gapLines, warningLines } from './wait-for-imports.ts';

interface Options {
  agent?: string;
}

const SHOWN = 25;

export async function showImports(session: Session, options: Options): Promise<void> {
  const { print, json } = session;
  const agent = await chooseAgent(session, options.agent);
  const imports = await readImports(session, agent.id, SHOWN);
  if (json) return print.json(imports);
  if (imports.length === 0) return print.line('No imports.');
  const clock = openClock();
  print.table(
    ['', clock.head('Began'), 'Kind', 'Status', 'Listed', 'Stored', 'Analysed', 'Waiting', 'Failed'],
    imports.map(({ createdAt, kind, status, listed, stored, analysed, waiting, failed }, at) => [
      String(at + 1),
      clock.minute(createdAt),
      kind.replaceAll('_', ' '),
      status.replaceAll('_', ' '),
      ...[listed, stored, analysed, waiting, failed].map(String),
    ]),
    imports.map(({ waitsFor, reason }) => [waitsFor === null ? '' : `waits for ${waitsFor}`, reason ?? '']),
  );
  print.note(`More of the first one: ${PROGRAM} imports show 1${agentFlag(agent, options.agent)}`);
}

export async function showImport(session: Session, wanted: string, options: Options): Promise<void> {
  const { print, json } = session;
  const { thing } = await findImport(session, wanted, options);
  if (json) return print.json(thing);
  print.line(`Import ${thing.id}, ${thing.status.replaceAll('_', ' ')}, try ${thing.attempt}`);
  print.line(figuresOf(thing));
  if (thing.readBackTo !== null) print.line(`Read back to ${thing.readBackTo.slice(0, 10)}`);
  if (thing.waitsFor !== null) print.line(`Waits for ${thing.waitsFor}`);
  if (thing.reason !== null) print.line(thing.reason);
  for (const { calls, reason } of thing.reasons) print.line(`  ${calls} × ${reason}`);
  for (const text of [...warningLines(thing.warnings), ...gapLines(thing.notComputable)]) print.line(text);
  for (const { ref, reason } of thing.failures) print.line(`  ${ref}: ${reason}`);
  if (thing.failed > 0) print.note(`Take them up again: ${PROGRAM} imports retry ${thing.id}`);
}

/** What was listed, and what became of it, as far as it is above zero. */
function figuresOf({
  listed,
  stored,
  unchanged,
  stillFailed,
  ongoing,
  gone,
  analysed,
  waiting,
  failed,
}: ImportResource) {
  const parts: [number, string][] = [
    [stored, 'stored'],
    [unchanged, 'unchanged'],
    [stillFailed, 'failed before'],
    [ongoing, 'still going on'],
    [gone, 'deleted at the platform'],
    [failed, 'failed'],
    [analysed, 'analysed'],
    [waiting, 'waiting'],
  ];
  const shown = parts.filter(([calls]) => calls > 0).map(([calls, what]) => `${calls} ${what}`);
  return [`${listed} listed`, ...shown].join(', ');
}

/** `path` is what the API calls the message. */
export async function messageImport(session: Session, wanted: string, path: string, options: Options): Promise<void> {
  await post(session, await findImport(session, wanted, options), path, {});
}

export async function skipCall(
  session: Session,
  wanted: string,
  call: string,
  options: Options & { reason: string },
): Promise<void> {
  const found = await findImport(session, wanted, options);
  await post(session, found, 'skip', { providerCallId: call, reason: options.reason });
}

async function post(session: Session, found: Found<ImportResource>, path: string, body: object): Promise<void> {
  const { client, print, json } = session;
  const { agent, thing } = found;
  const asked = await client.person<ImportResource>(
    'POST',
    `/app/agents/${agent.id}/imports/${thing.id}/${path}`,
    body,
  );
  if (json) return print.json(asked);
  print.line(`The import was told. See how it goes: ${PROGRAM} imports show ${thing.id}`);
}

const readImports = ({ client }: Session, agentId: string, most: number) =>
  readAll<ImportResource>((path) => client.person('GET', path), `/app/agents/${agentId}/imports`, most);

/** @param wanted its number in the list, or its id, of whichever agent. */
async function findImport(session: Session, wanted: string, options: Options): Promise<Found<ImportWithFailures>> {
  const id = /^[1-9]\d{0,3}$/.test(wanted) ? await idOfNumber(session, Number(wanted), options) : wanted;
  const found = await findAnywhere(session, options.agent, (agent) =>
    session.client.person<ImportWithFailures>('GET', `/app/agents/${agent.id}/imports/${encodeURIComponent(id)}`),
  );
  if (!found) throw notFound('import', wanted, options.agent);
  return found;
}

async function idOfNumber(session: Session, number: number, options: Options): Promise<string> {
  const agent = await chooseAgent(session, options.agent);
  const imports = await readImports(session, agent.id, number);
  const one = imports[number - 1];
  if (!one) throw new Problem(`The list has ${imports.length} imports.`, EXIT.failed);
  return one.id;
}
