import type { PublicationKind } from '../domain/vocabulary.ts';
import type { CoordinatorInput } from './agent-coordinator.ts';
import type { Patience } from './import-calls.ts';
import type { StartEntry } from './outbox-entry.ts';

/** The text of a draft is made live at the platform, or the text before it again. */
export const PUBLISH_DRAFT = 'publishDraft';

export interface PublishInput {
  draftId: string;
  revision: number;
  kind: PublicationKind;
  /** The coordinator of the agent, which groups anew where an issue is fixed by it. */
  coordinator: CoordinatorInput;
  /** Left out but in tests. */
  patience?: Patience;
}

/** Before anything is written it may be given up; afterwards it is tried for some hours, and found out what is live. */
export const CONFIRM_PATIENCE: Patience = { firstGapMs: 2_000, longestGapMs: 60_000, giveUpAfterMs: 900_000 };
export const WRITE_PATIENCE: Patience = { firstGapMs: 2_000, longestGapMs: 600_000, giveUpAfterMs: 21_600_000 };

export const publicationId = ({ draftId, revision, kind }: Pick<PublishInput, 'draftId' | 'revision' | 'kind'>) =>
  `${kind}/${draftId}/${revision}`;

export function publishEntry(input: PublishInput): StartEntry<typeof PUBLISH_DRAFT, PublishInput> {
  return { kind: 'start', workflow: PUBLISH_DRAFT, workflowId: publicationId(input), input };
}
