import { Context } from '@temporalio/activity';
import { type AgentSource, loadAgentSource } from '../../src/db/agents/agent-source.ts';
import { loadSoundToHear, noteUnheard, soundsToHear, storeSound } from '../../src/db/sound/sounds.ts';
import { newId } from '../../src/ids.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import type { FoundRecording } from '../../src/platforms/recordings.ts';
import { addToOutbox } from '../../src/services/outbox/add-to-outbox.ts';
import { SoundError } from '../../src/sound/sound-error.ts';
import { regroupEntry } from '../../src/temporal/agent-coordinator.ts';
import type { HearOutcome } from '../../src/temporal/sound-reader.ts';
import type { ActivityDeps } from '../deps.ts';
import { openConnectionKey } from '../shared/agent-platform.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

export interface HearRequest {
  workspaceId: string;
  agentId: string;
  callId: string;
}

const RETRY_MS = 60_000;

/** Fetches the recording of one call, measures it, and keeps what was heard. Doing it again changes nothing. */
export function createHearRecording(deps: ActivityDeps) {
  return async function hearRecording(request: HearRequest): Promise<HearOutcome> {
    return withHeartbeat(
      () => ({ callId: request.callId }),
      async () => {
        const em = deps.database.within(request.workspaceId);
        const [source, call] = await Promise.all([
          loadAgentSource(em, request.agentId),
          loadSoundToHear(em, request.agentId, request.callId),
        ]);
        if (source === null || call === null) return { state: 'gone' };
        if (source.liveLimitedForMs > 0) {
          return { state: 'waits', reason: "the platform's rate limit", retryMs: source.liveLimitedForMs };
        }
        const { payloadDigest, turns } = call;
        const tries = call.tries + 1;
        const note = (state: 'none' | 'unreadable' | 'away', reason: string) =>
          noteUnheard(em, request, { payloadDigest, state, reason, tries, retryMs: RETRY_MS * 4 ** (tries - 1) });
        const found = await open(source, call.providerCallId);
        if (found.kind === 'none') {
          await note('none', 'The platform has no recording of this call.');
          return { state: 'unheard' };
        }
        if (found.kind === 'unavailable') {
          await note('away', found.reason);
          return { state: 'unheard' };
        }
        try {
          const { heard, bands } = await deps.listener.hear(untilCancelled(found.recording.body), turns);
          const sound = { heard, bands: bands.map((band) => Buffer.from(band).toString('base64')) };
          return { state: (await storeSound(em, request, { payloadDigest, sound })) ? 'heard' : 'gone' };
        } catch (error) {
          if (Context.current().cancellationSignal.aborted) throw error;
          if (error instanceof SoundError) await note('unreadable', error.message);
          else await note('away', 'The recording broke off while it was fetched.');
          return { state: 'unheard' };
        }
      },
    );
  };

  async function open(source: AgentSource, providerCallId: string): Promise<FoundRecording> {
    try {
      return await deps.recordings.open({
        platform: source.provider,
        baseUrl: source.baseUrl,
        apiKey: openConnectionKey(deps, source),
        providerCallId,
        range: null,
        channels: 'separate',
      });
    } catch (error) {
      if (error instanceof PlatformError) return { kind: 'unavailable', reason: error.message };
      throw error;
    }
  }
}

async function* untilCancelled(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { cancellationSignal } = Context.current();
  for await (const piece of body) {
    cancellationSignal.throwIfAborted();
    yield piece;
  }
}

export interface OpenSoundsRequest {
  workspaceId: string;
  agentId: string;
  limit: number;
  /** Whether anything was heard since the workflow began. */
  isChanged: boolean;
}

/** Short statements on the record, each safe to repeat. */
export function createSoundProgress({ database }: Pick<ActivityDeps, 'database'>) {
  return {
    /** Calls to hear now; without any, how long until the next may be tried, or null for none at all. */
    async openSounds(request: OpenSoundsRequest): Promise<{ callIds: string[]; waitMs: number | null }> {
      const { workspaceId, agentId, limit, isChanged } = request;
      const em = database.within(workspaceId);
      const { callIds, nextTryAt } = await soundsToHear(em, agentId, limit);
      if (callIds.length > 0) return { callIds, waitMs: null };
      // What was heard is in the sums by now; the board follows with the next grouping.
      if (isChanged) {
        const coordinator = { agentId, workspaceId, pollSeconds: null };
        const entry = regroupEntry(coordinator, { messageId: newId(), mode: 'incremental' });
        await addToOutbox(em, { entry, workspaceId, agentId });
      }
      return { callIds, waitMs: nextTryAt === null ? null : Math.max(1_000, Date.parse(nextTryAt) - Date.now()) };
    },
  };
}
