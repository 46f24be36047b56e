import type { EntityManager } from '../../src/db/database.ts';
import { loadAgentTerms } from '../../src/db/drafts/agent-terms.ts';
import { findDraft } from '../../src/db/drafts/drafts.ts';
import { loadPublication, movePublication, noteHandle, type Publication } from '../../src/db/drafts/publications.ts';
import { storeVersions } from '../../src/db/versions/versions.ts';
import { isToBeUndone, type Live, whatIsLive } from '../../src/domain/drafts/what-is-live.ts';
import { judgeDraft, readSurroundings } from '../../src/operations/drafts/present.ts';
import { startAutoRun } from '../../src/operations/runs/start-auto-run.ts';
import { numberOf } from '../../src/platforms/lenient.ts';
import { type CapturedVersion, PlatformError } from '../../src/platforms/port.ts';
import type { PublishRequest, TextPublisher } from '../../src/platforms/publisher.ts';
import { settleFailed, settlePublished } from '../../src/services/drafts/settle-publication.ts';
import { type PublishInput, publicationId } from '../../src/temporal/publish-draft.ts';
import type { ActivityDeps } from '../deps.ts';
import { suggestOfVersion } from '../import-calls/capture-versions.ts';
import { type AgentPlatform, openAgentPlatform } from '../shared/agent-platform.ts';
import { runModels } from '../shared/run-models.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

/** `reason` says why it may not go on; null where it is over already. */
export interface Confirmed {
  go: boolean;
  reason: string | null;
}

/**
 * A publish, step by step. What is done outside is written down before, and each step looks first at what is there: a step
 * that comes twice, or after a crash, does nothing twice.
 */
export function createPublishDraft(deps: ActivityDeps) {
  const step = <Result>(input: PublishInput, work: (open: Opened) => Promise<Result>): Promise<Result> =>
    withHeartbeat(
      () => ({}),
      async () => work(await openPublication(deps, input)),
    );

  return {
    /** Right before writing: the same text, its tests, and a platform that still says what the draft lies over. */
    confirmPublish: (input: PublishInput): Promise<Confirmed> =>
      step(input, async (open) => {
        if (open.publication.state !== 'begun') return { go: isOpen(open.publication), reason: null };
        const reason = await whyNot(open, input);
        if (reason !== null) return { go: false, reason };
        return { go: await movePublication(open.em, input, ['begun'], 'writing'), reason: null };
      }),

    writePublish: (input: PublishInput): Promise<void> =>
      step(input, async (open) => {
        const { texts, textsBefore, handle, baseVersion } = open.publication;
        if (await isLiveAlready(open)) return;
        await open.publisher.publish(open.platform.connection, {
          ...asked(open, input, 'handle'),
          requestId: publicationId(input),
          baseVersion,
          texts,
          before: textsBefore,
          handle,
        });
      }),

    /** Reads back what is live and, where that is what was to be, takes it as the new version. */
    settlePublish: (input: PublishInput): Promise<{ live: Live }> =>
      step(input, async ({ em, platform, publication }) => {
        const captured = await captureLive(platform);
        const live = whatIsLive(captured.configuration, publication);
        if (live !== 'target') return { live };
        await store(deps, em, publication, captured);
        const { graceDays } = await loadAgentTerms(em, publication.agentId);
        await settlePublished(em, { key: input, publication, coordinator: input.coordinator, graceDays });
        return { live };
      }),

    /** Writes back what was there before, where what is live came of this publish. */
    undoPublish: (input: PublishInput): Promise<void> =>
      step(input, async (open) => {
        const { texts, textsBefore, undoHandle } = open.publication;
        const live = await captureLive(open.platform);
        if (!isToBeUndone(live.configuration, open.publication, isOwnVersion(live, open.publication))) return;
        await movePublication(open.em, input, ['writing'], 'undoing');
        await open.publisher.publish(open.platform.connection, {
          ...asked(open, input, 'undoHandle'),
          requestId: `${publicationId(input)}/undo`,
          baseVersion: live.version ?? open.publication.baseVersion,
          texts: textsBefore,
          before: texts,
          handle: undoHandle,
        });
      }),

    /** Takes away what was made and is not live; a platform that does not let go of it keeps nothing from ending. */
    clearPublish: (input: PublishInput): Promise<void> =>
      step(input, async ({ platform, publisher, publication }) => {
        const { providerAgentId } = platform.source;
        await publisher.abandon(platform.connection, { providerAgentId, handle: publication.handle });
      }),
  };
}

/** How a publish ends in the record without one: on the control queue, whatever the platform does. */
export function createPublishRecord({ database }: Pick<ActivityDeps, 'database'>) {
  return {
    async failPublish(request: { input: PublishInput; reason: string }): Promise<void> {
      const { input, reason } = request;
      await settleFailed(database.within(input.coordinator.workspaceId), input, reason);
    },
  };
}

interface Opened {
  em: EntityManager;
  platform: AgentPlatform;
  publisher: TextPublisher;
  publication: Publication;
}

async function openPublication(deps: ActivityDeps, input: PublishInput): Promise<Opened> {
  const em = deps.database.within(input.coordinator.workspaceId);
  const publication = await loadPublication(em, input);
  if (publication === null) throw new PlatformError('not_found', 'The draft was deleted.');
  const platform = await openAgentPlatform(deps, em, publication.agentId);
  const publisher = deps.platforms.publisher(platform.source.provider);
  if (publisher === null)
    throw new PlatformError('rejected', 'Nothing can be published on the platform of this agent.');
  return { em, platform, publisher, publication };
}

const isOpen = ({ state }: Publication) => state === 'writing' || state === 'undoing';

function asked(
  { em, platform, publication }: Opened,
  input: PublishInput,
  which: 'handle' | 'undoHandle',
): Pick<PublishRequest, 'providerAgentId' | 'title' | 'note'> {
  return {
    providerAgentId: platform.source.providerAgentId,
    title: publication.title,
    note: (handle) => noteHandle(em, input, which, handle),
  };
}

/** Asked before each write, because tries may be hours apart. @throws PlatformError where others have written since. */
async function isLiveAlready({ platform, publication }: Opened): Promise<boolean> {
  const captured = await captureLive(platform);
  const live = whatIsLive(captured.configuration, publication);
  if (live === 'other') throw new PlatformError('rejected', 'The agent has changed at the platform in the meantime.');
  return live === 'target';
}

/** Where the platform has versions, the one that was made is noted. */
const isOwnVersion = ({ version }: CapturedVersion, { handle, undoHandle }: Publication): boolean =>
  version !== null && [handle, undoHandle].some((noted) => numberOf(noted?.version) === version);

/** Why nothing is written; null where it may be. */
async function whyNot(open: Opened, input: PublishInput): Promise<string | null> {
  const captured = await captureLive(open.platform);
  if (whatIsLive(captured.configuration, open.publication) === 'other') {
    return 'The agent has changed at the platform since the draft began. Nothing was written.';
  }
  return input.kind === 'publish' ? whyNotTested(open, input) : null;
}

async function whyNotTested({ em, publication, platform }: Opened, input: PublishInput): Promise<string | null> {
  const { agentId, workspaceId } = publication;
  const draft = await findDraft(em, { workspaceId, agentIds: [agentId] }, input.draftId);
  if (draft?.revision !== input.revision) return 'The draft has another text by now. Nothing was written.';
  const agent = { id: agentId, provider: platform.source.provider };
  const around = await readSurroundings({ em, agent, mode: 'ran' }, [draft]);
  const { gate } = judgeDraft(draft, around);
  return gate.ok ? null : `${gate.detail ?? 'Its tests have not run on this text.'} Nothing was written.`;
}

async function captureLive({ adapter, connection, source }: AgentPlatform): Promise<CapturedVersion> {
  const listed = await adapter.listVersions(connection, source.providerAgentId);
  const live = listed.find(({ isCurrent }) => isCurrent);
  if (!live) throw new PlatformError('bad_answer', 'The platform names no version that is live.');
  return adapter.captureVersion(connection, source.providerAgentId, live);
}

async function store(
  deps: ActivityDeps,
  em: EntityManager,
  { workspaceId, agentId }: Publication,
  captured: CapturedVersion,
): Promise<void> {
  const wentLive = (tx: EntityManager, version: number) =>
    startAutoRun(tx, agentId, version, runModels(deps), deps.isNamed);
  await storeVersions(em, { workspaceId, agentId }, [captured], wentLive);
  await suggestOfVersion(deps, em, { workspaceId, agentId });
}
