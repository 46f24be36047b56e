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
  return (await findOwnReader(em, workspaceId))?.reader ?? reader;
}

/** The workspace's own, with how it is reached; null where it has none. */
export async function findOwnReader(
  em: EntityManager,
  workspaceId: string,
): Promise<{ reader: ReaderModel; own: OwnModel } | null> {
  const own = await findOwnModel(em, workspaceId);
  if (own === null) return null;
  const { model, url, price } = own;
  return { reader: { model, account: ownAccount(workspaceId, url), price: price ?? undefined, isOwn: true }, own };
}

/** What people read of calls that wait for a batch. */
export function inABatch({ calls, since }: { calls: number; since: string }, { host }: ModelAccount): string {
  const at = `${since.slice(0, 16).replace('T', ' ')} UTC`;
  return `${calls} calls wait for the batch interface of ${host} since ${at}, which answers within a day at half the price.`;
}
