import type { EntityManager } from '../../db/database.ts';
import { type DemoVersion, versionsOfUndraftedDemo } from '../../db/drafts/demo-versions.ts';
import { writtenHash } from '../../db/drafts/draft-base.ts';
import { insertDraft } from '../../db/drafts/drafts.ts';
import { notePublished } from '../../db/drafts/publications.ts';
import { draftHashOf } from '../../domain/drafts/apply-changes.ts';
import { textsBetween, withoutUnfilled } from '../../domain/drafts/between-versions.ts';
import type { DraftTexts } from '../../domain/drafts/parts.ts';
import { EARSHOT } from '../../domain/runs/shown-trigger.ts';

/**
 * Gives a demo agent a published draft, which is what its newest version changed of the texts of the one before, and an
 * open one over the live version, once its versions are captured. Doing it again changes nothing.
 */
export async function ensureDemoDrafts(em: EntityManager, agentId: string): Promise<void> {
  await em.transactional(async (tx) => {
    const versions = await versionsOfUndraftedDemo(tx, agentId);
    const [before, live] = [versions.at(-2), versions.at(-1)];
    if (!before || !live) return;
    const published = textsBetween(before.configuration, live.configuration);
    if (Object.keys(published).length > 0) {
      const draftId = await insert(tx, agentId, before, `What version ${live.version} says otherwise`, published);
      await notePublished(tx, draftId, { version: live.version, hash: live.configHash, at: live.detectedAt });
    }
    await insert(tx, agentId, live, 'Leave out what no variable fills', withoutUnfilled(live.configuration));
  });
}

function insert(
  tx: EntityManager,
  agentId: string,
  { workspaceId, version, configHash, configuration }: DemoVersion,
  title: string,
  texts: DraftTexts,
): Promise<string> {
  const baseHash = writtenHash(configHash);
  return insertDraft(tx, {
    workspaceId,
    agentId,
    title,
    rationale: '',
    newCaseIds: [],
    issueId: null,
    comparisonId: null,
    targetPath: null,
    baseVersion: version,
    baseHash,
    base: configuration,
    texts,
    changes: Object.entries(texts).map(([path, text]) => ({ path, text })),
    draftHash: draftHashOf(baseHash, texts),
    createdBy: EARSHOT,
  });
}
