import type { EntityManager } from '../../db/database.ts';
import { findOwnModel, ownAccount } from '../../db/models/workspace-models.ts';
import type { ReaderModel, Services } from '../services.ts';

/** The model that reads a workspace's calls: its own, else the operator's; null where there is neither. */
export async function readerModelOf(
  em: EntityManager,
  { reader }: Pick<Services, 'reader'>,
  workspaceId: string,
): Promise<ReaderModel | null> {
  const own = await findOwnModel(em, workspaceId);
  if (own === null) return reader;
  const { model, url, price } = own;
  return { model, account: ownAccount(workspaceId, url), price: price ?? undefined, isOwn: true };
}
