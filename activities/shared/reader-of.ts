import type { EntityManager } from '../../src/db/database.ts';
import { modelKeyPlace } from '../../src/db/secrets/sealed-places.ts';
import type { TokenPrice } from '../../src/domain/limits/model-cost.ts';
import type { ChatModel } from '../../src/models/port.ts';
import { type Models, openChat } from '../../src/models/registry.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import type { Vault } from '../../src/secrets.ts';
import { findOwnReader } from '../../src/services/models/reader-model.ts';

/** A model with who pays for it. */
export interface PaidModel {
  model: ChatModel;
  /** Undefined: it has none, and counts 0. */
  price: TokenPrice | undefined;
  /** The workspace's, and no part of what the operator allows it. */
  isOwn: boolean;
}

export interface ReaderDeps {
  models: Models;
  vault: Vault;
  /** The way to addresses that people enter. */
  receivers: Outbound;
}

/** A change of the model is asked for after so long, so that a question costs no statement more. */
const FRESH_MS = 10_000;
const kept = new WeakMap<Models, Map<string, { atMs: number; own: PaidModel | null }>>();

/** What reads a workspace's calls: its own model, else the operator's; null where there is neither. */
export const readerOf = (deps: ReaderDeps, em: EntityManager, workspaceId: string): Promise<PaidModel | null> =>
  ownElse(deps, em, workspaceId, deps.models.reader);

/** What judges its calls: the model that reads them, but for the operator's, who may name another. */
export const judgeOf = (deps: ReaderDeps, em: EntityManager, workspaceId: string): Promise<PaidModel | null> =>
  ownElse(deps, em, workspaceId, deps.models.judge);

/** A model of the operator's as what is charged. */
export const operators = ({ prices }: Pick<Models, 'prices'>, model: ChatModel): PaidModel => ({
  model,
  price: prices[model.model],
  isOwn: false,
});

async function ownElse(
  deps: ReaderDeps,
  em: EntityManager,
  workspaceId: string,
  model: ChatModel | null,
): Promise<PaidModel | null> {
  return (await ownOf(deps, em, workspaceId)) ?? (model && operators(deps.models, model));
}

async function ownOf(
  { models, vault, receivers }: ReaderDeps,
  em: EntityManager,
  workspaceId: string,
): Promise<PaidModel | null> {
  const known = kept.get(models) ?? new Map();
  kept.set(models, known);
  const nowMs = Date.now();
  const before = known.get(workspaceId);
  if (before && nowMs - before.atMs < FRESH_MS) return before.own;
  const found = await findOwnReader(em, workspaceId);
  const own = found && opened(found);
  for (const [id, { atMs }] of known) if (nowMs - atMs >= FRESH_MS) known.delete(id);
  known.set(workspaceId, { atMs: nowMs, own });
  return own;

  function opened({ reader, own }: NonNullable<typeof found>): PaidModel {
    const { protocol, url, model, sealedKey } = own;
    const key = sealedKey === null ? null : vault.open(sealedKey, modelKeyPlace(workspaceId));
    const chat = openChat(receivers, { protocol, url, key, model, account: reader.account });
    return { model: chat, price: reader.price, isOwn: true };
  }
}
