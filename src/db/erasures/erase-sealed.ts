import type { Json } from '../../domain/json.ts';
import type { SealedPlace, Vault } from '../../secrets.ts';
import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';
import { anyId } from '../expressions.ts';
import { OF_RECORDS } from '../imports/imports.ts';
import { failurePlace, uploadedLinePlace } from '../secrets/sealed-places.ts';
import type { RemovedRows } from './removed.ts';

const AT_ONCE = 100;
/** A shorter number stands within texts that have nothing to do with the caller. */
const FEWEST_WITHIN = 8;

/** Whether a record names a caller, however the number is written: in a value of it, of which a short number is all. */
export function namesCaller(record: string, number: string): boolean {
  const sought = bare(number);
  if (sought === '') return false;
  const values = valuesOf(jsonOrText(record));
  if (sought.length >= FEWEST_WITHIN) return values.some((value) => bare(String(value)).includes(sought));
  return values.some((value) => typeof value === 'string' && bare(value) === sought);
}

const bare = (text: string) => text.toLowerCase().replaceAll(/[\s().+\-/]/g, '');

function jsonOrText(record: string): Json {
  try {
    return JSON.parse(record);
  } catch {
    return record;
  }
}

function valuesOf(json: Json): (string | number | boolean | null)[] {
  if (json === null || typeof json !== 'object') return [json];
  return Object.values(json).flatMap(valuesOf);
}

/**
 * Removes records of a caller that are kept sealed and have no key: those that could not become a call, and uploaded lines
 * that no import has read yet. Each is opened and looked through.
 */
export async function eraseSealed(
  em: EntityManager,
  vault: Pick<Vault, 'open'>,
  { number, ...owner }: Owner & { number: string },
  removed: RemovedRows,
): Promise<void> {
  const names = (sealed: string, place: SealedPlace) => {
    const record = openedOrNull(vault, sealed, place);
    return record !== null && namesCaller(record, number);
  };
  await eraseFailures(em, owner, names, removed);
  await eraseLines(em, owner, names, removed);
}

interface Owner {
  workspaceId: string;
  agentId: string;
}

type Names = (sealed: string, place: SealedPlace) => boolean;

async function eraseFailures(em: EntityManager, owner: Owner, names: Names, removed: RemovedRows): Promise<void> {
  const { workspaceId, agentId } = owner;
  for (let after: string | null = null; ; ) {
    let failures = db(em)
      .selectFrom('import_failures')
      .where('agentId', '=', agentId)
      .where('sealedPayload', 'is not', null)
      .select(['id', 'ref', 'sealedPayload']);
    if (after !== null) failures = failures.where('id', '>', after);
    const page: { id: string; ref: string; sealedPayload: string | null }[] = await failures
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    const ids = page.flatMap(({ id, ref, sealedPayload }) =>
      sealedPayload !== null && names(sealedPayload, failurePlace(workspaceId, agentId, ref)) ? [id] : [],
    );
    const gone = await db(em).deleteFrom('import_failures').where('id', '=', anyId(ids)).executeTakeFirst();
    removed.add('import_failures', gone.numDeletedRows);
    after = page.at(-1)?.id ?? null;
    if (page.length < AT_ONCE) return;
  }
}

async function eraseLines(em: EntityManager, owner: Owner, names: Names, removed: RemovedRows): Promise<void> {
  const { workspaceId, agentId } = owner;
  const imports = await db(em)
    .selectFrom('imports')
    .where('agentId', '=', agentId)
    .where('kind', 'in', OF_RECORDS)
    .where('finishedAt', 'is', null)
    .select('id')
    .execute();
  for (const { id: importId } of imports) {
    for (let after = 0; ; ) {
      const page: { line: number; sealedPayload: string }[] = await db(em)
        .selectFrom('uploaded_records')
        .where('importId', '=', importId)
        .where('line', '>', after)
        .select(['line', 'sealedPayload'])
        .orderBy('line')
        .limit(AT_ONCE)
        .execute();
      const lines = page
        .filter(({ line, sealedPayload }) => names(sealedPayload, uploadedLinePlace(workspaceId, importId, line)))
        .map(({ line }) => line);
      if (lines.length > 0) {
        const ofCaller = db(em).deleteFrom('uploaded_records').where('importId', '=', importId);
        removed.add('uploaded_records', (await ofCaller.where('line', 'in', lines).executeTakeFirst()).numDeletedRows);
      }
      after = page.at(-1)?.line ?? after;
      if (page.length < AT_ONCE) break;
    }
  }
}

/** What was sealed under a secret that is gone says nothing to anybody. */
function openedOrNull(vault: Pick<Vault, 'open'>, sealed: string, place: SealedPlace): string | null {
  try {
    return vault.open(sealed, place);
  } catch {
    return null;
  }
}
