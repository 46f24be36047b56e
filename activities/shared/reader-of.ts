import type { EntityManager } from '../../src/db/database.ts';
import { findOwnModel, ownAccount } from '../../src/db/models/workspace-models.ts';
import { modelKeyPlace } from '../../src/db/secrets/sealed-places.ts';
import type { TokenPrice } from '../../src/domain/limits/model-cost.ts';
import type { ChatModel } from '../../src/models/port.ts';
import { type Models, openChat } from '../../src/models/registry.ts';
import type { Outbound } from '../../src/outbound/outbound.ts';
import type { Vault } from '../../src/secrets.ts';

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
  const own = await findOwnModel(em, workspaceId);
  const found = own === null ? operatorsOf(models) : openOwn(own);
  for (const [id, { atMs }] of known) if (nowMs - atMs >= FRESH_MS) known.delete(id);
  known.set(workspaceId, { atMs: nowMs, found });
  return found;

  function openOwn({ protocol, url, model, sealedKey, price }: NonNullable<typeof own>): WorkspaceReader {
    const key = sealedKey === null ? null : vault.open(sealedKey, modelKeyPlace(workspaceId));
    const reader = openChat(receivers, { protocol, url, key, model, account: ownAccount(workspaceId, url) });
    return { reader, price: price ?? undefined, isOwn: true };
  }
}

function operatorsOf({ reader, prices }: Models): WorkspaceReader | null {
  return reader && { reader, price: prices[reader.model], isOwn: false };
}
