import type { EntityManager } from '../../src/db/database.ts';
import { modelKeyPlace } from '../../src/db/secrets/sealed-places.ts';
import type { TokenPrice } from '../../src/domain/limits/model-cost.ts';
import type { ChatModel } from '../../src/models/port.ts';
import { type Models, openChat } from '../../src/models/registry.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import type { Vault } from '../../src/secrets.ts';
import { findReader, type ReaderModel } from '../../src/services/models/reader-model.ts';

/** The model that reads a workspace's calls. */
export interface WorkspaceReader {
  reader: ChatModel;
  /** Undefined: it has none, and counts 0. */
  price: TokenPrice | undefined;
  /** The workspace's, and not the operator's. */
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
const kept = new WeakMap<Models, Map<string, { atMs: number; found: WorkspaceReader | null }>>();

/** The workspace's own model, else the operator's; null where there is neither. */
export async function readerOf(
  { models, vault, receivers }: ReaderDeps,
  em: EntityManager,
  workspaceId: string,
): Promise<WorkspaceReader | null> {
  const known = kept.get(models) ?? new Map();
  kept.set(models, known);
  const nowMs = Date.now();
  const before = known.get(workspaceId);
  if (before && nowMs - before.atMs < FRESH_MS) return before.found;
  const asked = await findReader(em, operatorsOf(models), workspaceId);
  const found = asked && opened(asked);
  for (const [id, { atMs }] of known) if (nowMs - atMs >= FRESH_MS) known.delete(id);
  known.set(workspaceId, { atMs: nowMs, found });
  return found;

  function opened({ reader: { account, price, isOwn }, own }: NonNullable<typeof asked>): WorkspaceReader | null {
    if (own === null) return models.reader && { reader: models.reader, price, isOwn };
    const { protocol, url, model, sealedKey } = own;
    const key = sealedKey === null ? null : vault.open(sealedKey, modelKeyPlace(workspaceId));
    return { reader: openChat(receivers, { protocol, url, key, model, account }), price, isOwn };
  }
}

const operatorsOf = ({ reader, prices }: Models): ReaderModel | null =>
  reader && { model: reader.model, account: reader.account, price: prices[reader.model], isOwn: false };
