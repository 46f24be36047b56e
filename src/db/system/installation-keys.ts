import type { EntityManager } from '../database.ts';
import { db } from '../db.ts';

/** Keeps a key where there is none of this name. @returns the one that is kept. */
export async function keepInstallationKey(em: EntityManager, name: string, sealed: string): Promise<string> {
  await db(em)
    .insertInto('installation_keys')
    .values({ name, sealed })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const kept = db(em).selectFrom('installation_keys').where('name', '=', name).select('sealed');
  return (await kept.executeTakeFirstOrThrow()).sealed;
}

/** Those that are sealed under another key than this. */
export async function installationKeysBefore(
  em: EntityManager,
  prefix: string,
): Promise<{ name: string; sealed: string }[]> {
  return db(em)
    .selectFrom('installation_keys')
    .where(({ not, fn, ref, val, eb }) => not(eb(fn<boolean>('starts_with', [ref('sealed'), val(prefix)]), '=', true)))
    .select(['name', 'sealed'])
    .execute();
}

export async function replaceInstallationKey(
  em: EntityManager,
  { name, from, to }: { name: string; from: string; to: string },
): Promise<void> {
  await db(em)
    .updateTable('installation_keys')
    .where('name', '=', name)
    .where('sealed', '=', from)
    .set({ sealed: to })
    .execute();
}
