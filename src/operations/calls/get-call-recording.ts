import { type AgentSource, loadAgentSource } from '../../db/agents/agent-source.ts';
import { connectionKeyPlace } from '../../db/secrets/sealed-places.ts';
import type { FoundRecording } from '../../platforms/recordings.ts';
import { UnknownSecretError, type Vault } from '../../secrets.ts';
import { Failure } from '../failure.ts';
import { type Context, defineMedia } from '../operation.ts';
import { callParent } from './parent.ts';

const ONE_RANGE = /^bytes=(\d{1,15}-\d{0,15}|-\d{1,15})$/;

export const getCallRecording = defineMedia({
  id: 'getCallRecording',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/calls/{callId}/recording',
  scope: 'person',
  tag: 'Calls',
  summary: 'Play the recording of a call',
  description:
    'The sound as the platform keeps it, whole or the one range of bytes that the header `Range` asks for. It passes through: nothing is stored, and the address is never shown. The platform is asked each time, so a recording that it deleted is gone here too.',
  parents: [callParent],
  refuses: ['recording_not_found', 'recording_unavailable'],
  async run(context) {
    const found = await open(context);
    if (found.kind === 'found') return found.recording;
    if (found.kind === 'none') {
      throw new Failure('recording_not_found', 'The platform has no recording of this call.');
    }
    throw new Failure('recording_unavailable', found.reason);
  },
});

async function open(context: Context): Promise<FoundRecording> {
  const { recordings, vault } = context.services;
  const source = await loadAgentSource(context.em, context.agent.id);
  if (source === null || recordings === null) return { kind: 'none' };
  const { provider: platform, baseUrl } = source;
  if (source.liveLimitedForMs > 0)
    return { kind: 'unavailable', reason: 'The platform is rate limiting this account for now.' };
  return recordings.open({
    platform,
    baseUrl,
    apiKey: openKey(vault, source),
    providerCallId: context.parent(callParent).providerCallId,
    // Anything else asks for the whole, as the standard has it.
    range: context.range !== null && ONE_RANGE.test(context.range) ? context.range : null,
    channels: 'mixed',
  });
}

function openKey(vault: Vault, { workspaceId, connectionId, sealedKey }: AgentSource): string {
  if (sealedKey === null || connectionId === null) return '';
  try {
    return vault.open(sealedKey, connectionKeyPlace(workspaceId, connectionId));
  } catch (error) {
    if (!(error instanceof UnknownSecretError)) throw error;
    const message =
      'The key of the platform was sealed under another EARSHOT_SECRET. Give the connection its key anew, or name that secret in EARSHOT_SECRET_EARLIER.';
    throw new Failure('recording_unavailable', message);
  }
}
