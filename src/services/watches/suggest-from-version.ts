import type { Analyser } from '../../analyser/analyser.ts';
import type { EntityManager } from '../../db/database.ts';
import { currentConfiguration } from '../../db/versions/versions.ts';
import { storeSuggestions } from '../../db/watches/suggestions.ts';

/**
 * Suggests a watch for each rule-like line of what the live version is told, which is read in a process of the analyser.
 * Doing it again changes nothing. @throws AnalysisFailed where the text can't be read there.
 */
export async function suggestFromVersion(
  em: EntityManager,
  analyser: Analyser,
  owner: { workspaceId: string; agentId: string },
): Promise<void> {
  const configuration = await currentConfiguration(em, owner.agentId);
  if (configuration === null) return;
  await storeSuggestions(em, owner, await analyser.suggestWatches(owner.workspaceId, configuration));
}
