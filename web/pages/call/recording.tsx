import { Headphones } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { percent } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import type { Player } from './use-player.ts';

const MS = 1000;

/** The sound of the call, once the reader asks for it: it is fetched from the platform and kept nowhere. */
export function Recording({ player, timing }: { player: Player; timing: Schemas['CallWithTranscript']['timing'] }) {
  const agent = useAgent();
  const { address, share, error, audio, head, load, onReady } = player;
  if (address === null) {
    return (
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Button busy={share !== null} onClick={load}>
          <Headphones size={14} aria-hidden />
          {share === null ? 'Listen to the call' : `Loading the recording, ${percent(share)}`}
        </Button>
        <RefusalNote error={error} />
      </div>
    );
  }
  return (
    <div className="sticky top-0 z-20 mb-3 flex flex-wrap items-center gap-x-4 gap-y-1 bg-canvas py-2">
      <audio
        ref={audio}
        src={address}
        controls
        aria-label="Recording of the call"
        className="h-10 w-full max-w-xl"
        onLoadedMetadata={onReady}
        onTimeUpdate={({ currentTarget }) => head.set(currentTarget.currentTime * MS)}
      />
      <p className="text-sm text-ink-2">
        {timing === 'approx'
          ? 'A turn plays when it is chosen. Its times are approximate, so it may begin a little before or after.'
          : 'A turn plays when it is chosen; the space bar plays and pauses.'}
        {agent.source === 'demo' && ' The demo’s calls are invented: each word is a tone.'}
      </p>
    </div>
  );
}
