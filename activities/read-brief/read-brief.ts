import { AnalysisFailed } from '../../src/analyser/analyser.ts';
import { noteBrief, storeBrief } from '../../src/db/agents/briefs.ts';
import { currentConfiguration } from '../../src/db/versions/versions.ts';
import { DECIDE_WITHOUT_BRIEF } from '../../src/domain/vocabulary.ts';
import type { ActivityDeps } from '../deps.ts';

interface BriefOwner {
  workspaceId: string;
  agentId: string;
  read: number;
}

/** Short statements about an agent's brief, each safe to repeat. */
export function createReadBrief({ analyser, database }: ActivityDeps) {
  return {
    async noteBrief({ workspaceId, ...note }: BriefOwner & { message: string }): Promise<void> {
      await noteBrief(database.within(workspaceId), note);
    },
    /** From the configuration of the version that is live, or of the newest one that could be read. */
    async draftBrief({ workspaceId, agentId, read }: BriefOwner): Promise<void> {
      const em = database.within(workspaceId);
      const configuration = await currentConfiguration(em, agentId);
      if (configuration === null) {
        const message = `The platform returned no configuration for this agent, or one that is too large to read. ${DECIDE_WITHOUT_BRIEF}`;
        await noteBrief(em, { agentId, read, message });
        return;
      }
      try {
        await storeBrief(em, { agentId, read, brief: await analyser.readBrief(workspaceId, configuration) });
      } catch (error) {
        if (!(error instanceof AnalysisFailed)) throw error;
        const message = `No brief could be read from the configuration. ${error.message} ${DECIDE_WITHOUT_BRIEF}`;
        await noteBrief(em, { agentId, read, message });
      }
    },
  };
}
