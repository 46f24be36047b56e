import type { EntityManager } from '../../db/database.ts';
import { readStorage } from '../../db/system/storage.ts';
import { passesStorage, storageSentence } from '../../domain/limits/storage.ts';
import { Failure } from '../failure.ts';
import type { Services } from '../services.ts';

/** Before calls are stored that somebody sends. @throws Failure `storage_full` */
export async function keepWithinStorage(
  em: EntityManager,
  { storageMib }: Pick<Services, 'storageMib'>,
  { workspaceId, bytes }: { workspaceId: string; bytes: number },
): Promise<void> {
  const storage = await readStorage(em, workspaceId, storageMib);
  if (passesStorage(storage, bytes)) throw new Failure('storage_full', storageSentence(storage));
}
