import type { Platform } from '../../domain/vocabulary.ts';
import type { PollerInput } from '../../temporal/account-poller.ts';

/** What the poller of an account is started with. */
export function pollerOf(
  account: { workspaceId: string; connectionId: string; platform: Platform },
  { polls, pollSeconds }: { polls: boolean; pollSeconds: number },
): PollerInput {
  const { workspaceId, connectionId, platform } = account;
  return { workspaceId, connectionId, platform, pollSeconds: polls ? pollSeconds : null };
}
