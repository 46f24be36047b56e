import type { EntityManager } from '../../db/database.ts';
import { openDraftRevision } from '../../db/drafts/drafts.ts';
import {
  liveVersionOf,
  movePublication,
  OPEN_PUBLICATION_STATES,
  type Publication,
  type PublicationKey,
  setNotPublished,
  setPublished,
  setRolledBack,
} from '../../db/drafts/publications.ts';
import { loadRevision } from '../../db/drafts/revisions.ts';
import { publishEvent } from '../../db/events/events.ts';
import type { CoordinatorInput } from '../../temporal/agent-coordinator.ts';
import { recordFix, withdrawFixes } from '../issues/record-fix.ts';

export interface Settling {
  key: PublicationKey;
  publication: Publication;
  coordinator: CoordinatorInput;
  graceDays: number;
}

/** What was to be live is live and captured: draft, version and issue are linked, in one step. */
export async function settlePublished(em: EntityManager, settling: Settling): Promise<{ version: number }> {
  const { key, publication, coordinator, graceDays } = settling;
  const { agentId, issueId, title, requestedBy } = publication;
  return em.transactional(async (tx) => {
    const live = await liveVersionOf(tx, agentId);
    const version = live?.version ?? publication.baseVersion;
    if (!(await movePublication(tx, key, OPEN_PUBLICATION_STATES, 'done'))) return { version };
    if (key.kind === 'rollback') {
      const taken = await setRolledBack(tx, key.draftId, version);
      if (taken !== null && taken !== version) {
        const back = { version: taken, liveVersion: version, personId: requestedBy, graceDays };
        await withdrawFixes(tx, coordinator, back);
      }
    } else {
      await setPublished(tx, key.draftId, { version, hash: live?.hash ?? null, by: requestedBy });
      const reason = `Published from the draft “${title}”.`;
      if (issueId !== null) {
        await recordFix(tx, coordinator, { issueId, version, personId: requestedBy, reason, graceDays });
      }
    }
    await publishEvent(tx, { agentId, kind: 'draft.changed', ref: key.draftId });
    return { version };
  });
}

/**
 * It came to nothing. The draft gets another revision with the same text, because a revision is published, and taken
 * back, once; what was tested stays tested.
 */
export async function settleFailed(em: EntityManager, key: PublicationKey, reason: string): Promise<void> {
  await em.transactional(async (tx) => {
    if (!(await movePublication(tx, key, OPEN_PUBLICATION_STATES, 'failed', reason))) return;
    const text = await loadRevision(tx, key);
    if (text === null) return;
    await openDraftRevision(tx, { ...text, id: key.draftId }, text);
    await setNotPublished(tx, key, reason);
    await publishEvent(tx, { agentId: text.agentId, kind: 'draft.changed', ref: key.draftId });
  });
}
