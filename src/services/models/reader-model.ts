import type { EntityManager } from '../../db/database.ts';
import { findOwnModel, type OwnModel, ownAccount } from '../../db/models/workspace-models.ts';
import type { TokenPrice } from '../../domain/limits/model-cost.ts';
import type { ModelAccount } from '../../models/port.ts';

/** A model that reads calls, as whoever does not ask it itself knows of it. */
export interface ReaderModel {
  model: string;
  account: ModelAccount;
  /** Undefined: it has none, and counts 0. */
  price: TokenPrice | undefined;
  /** It is the workspace's own, and no part of what the operator allows. */
  isOwn: boolean;
}

/** The model that reads a workspace's calls: its own, else the operator's; null where there is neither. */
export async function readerModelOf(
  em: EntityManager,
  { reader }: { reader: ReaderModel | null },
  workspaceId: string,
): Promise<ReaderModel | null> {
  return (await findReader(em, reader, workspaceId))?.reader ?? null;
}

/** The same for whoever asks it. @returns `own`: how the workspace's own is reached; null: it is the operator's. */
export async function findReader(
  em: EntityManager,
  operators: ReaderModel | null,
  workspaceId: string,
): Promise<{ reader: ReaderModel; own: OwnModel | null } | null> {
  const own = await findOwnModel(em, workspaceId);
  if (own === null) return operators && { reader: operators, own };
  const { model, url, price } = own;
  return { reader: { model, account: ownAccount(workspaceId, url), price: price ?? undefined, isOwn: true }, own };
}
