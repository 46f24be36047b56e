import type { Database } from '../../db/database.ts';
import {
  countBefore,
  KEY_COLUMNS,
  replaceSealed,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedValue,
  sealedBefore,
} from '../../db/secrets/sealed-columns.ts';
import { installationKeyPlace } from '../../db/secrets/sealed-places.ts';
import { installationKeysBefore, replaceInstallationKey } from '../../db/system/installation-keys.ts';
import { listWorkspaceIds } from '../../db/system/workspaces.ts';
import type { Vault } from '../../secrets.ts';

const AT_ONCE = 200;

export interface SealedAnew {
  /** Values that are under the present secret since. */
  sealed: number;
  /** Values that no known secret opens. */
  unreadable: number;
  /** Values that are still under an earlier secret, under none that is known, or for no place. */
  left: number;
}

/**
 * Seals everything under the present secret, each for its place, that is under an earlier one or for none, a few hundred
 * values a transaction. Which those are is told by the values themselves, so that it goes on wherever it was broken off,
 * beside processes that work.
 */
export async function sealAnew(
  database: Database,
  vault: Vault,
  onProgress: (sealed: number) => void = () => {},
): Promise<SealedAnew> {
  const counts = { sealed: 0, unreadable: 0 };
  for (const { name, sealed: from } of await installationKeysBefore(database.unscoped(), vault.sealedBegins.text)) {
    const place = installationKeyPlace(name);
    await replaceInstallationKey(database.unscoped(), { name, from, to: vault.seal(vault.open(from, place), place) });
    counts.sealed += 1;
  }
  for (const { workspaceId, of } of await everyColumn(database)) {
    for (let after: string | null = null; ; ) {
      const em = database.within(workspaceId);
      const page: SealedValue[] = await sealedBefore(em, workspaceId, of, {
        begins: vault.sealedBegins,
        after,
        limit: AT_ONCE,
      });
      const changes = page.flatMap((each) => renewed(vault, each));
      counts.sealed += changes.length === 0 ? 0 : await replaceSealed(em, of, changes);
      counts.unreadable += page.length - changes.length;
      onProgress(counts.sealed);
      after = page.at(-1)?.place ?? null;
      if (page.length < AT_ONCE) break;
    }
  }
  return { ...counts, left: await countLeft(database, vault) };
}

/**
 * Binds keys and secrets to their places that were sealed for none: before the second form of sealed values, one that was
 * moved in the database opened elsewhere. Only what is under the present secret, as values under earlier ones may be asked
 * for by processes that do not know this one yet. @returns how many.
 */
export async function bindKeys(database: Database, vault: Vault): Promise<number> {
  const unbound = vault.sealedBegins.text.replace(/^v2/, 'v1');
  let bound = 0;
  for (const { workspaceId, of } of await everyColumn(database, KEY_COLUMNS)) {
    const em = database.within(workspaceId);
    for (let after: string | null = null; ; ) {
      const page: SealedValue[] = await sealedBefore(em, workspaceId, of, {
        begins: vault.sealedBegins,
        after,
        limit: AT_ONCE,
      });
      const changes = page
        .filter(({ value }) => typeof value === 'string' && value.startsWith(unbound))
        .flatMap((each) => renewed(vault, each));
      bound += changes.length === 0 ? 0 : await replaceSealed(em, of, changes);
      after = page.at(-1)?.place ?? null;
      if (page.length < AT_ONCE) break;
    }
  }
  return bound;
}

/** How many values are not under the present secret for their place. */
export async function countLeft(database: Database, vault: Pick<Vault, 'sealedBegins'>): Promise<number> {
  let left = (await installationKeysBefore(database.unscoped(), vault.sealedBegins.text)).length;
  for (const { workspaceId, of } of await everyColumn(database)) {
    left += await countBefore(database.within(workspaceId), workspaceId, of, vault.sealedBegins);
  }
  return left;
}

async function everyColumn(
  database: Database,
  columns: readonly SealedColumn[] = SEALED_COLUMNS,
): Promise<{ workspaceId: string; of: SealedColumn }[]> {
  const workspaces = await listWorkspaceIds(database.unscoped());
  return workspaces.flatMap((workspaceId) => columns.map((of) => ({ workspaceId, of })));
}

function renewed(vault: Vault, { place, value: from, belongsTo }: SealedValue) {
  try {
    const to =
      typeof from === 'string'
        ? vault.seal(vault.open(from, belongsTo), belongsTo)
        : vault.sealBytes(vault.openBytes(from, belongsTo), belongsTo);
    return [{ place, from, to }];
  } catch {
    return [];
  }
}
