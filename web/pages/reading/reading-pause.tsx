import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import type { Reading } from './use-reading.ts';

interface ReadingPauseProps {
  agentId: string;
  reading: Reading;
  unless: string | null;
}

/** Why nothing is asked for now, and the button that has one call tried; nothing where it does not pause. */
export function ReadingPause({ agentId, reading, unless }: ReadingPauseProps) {
  const change = useChange();
  const tryNow = api.useMutation('post', '/app/agents/{agentId}/model-reading/try-now');
  const { pause } = reading;
  if (pause === null) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 text-sm">
      <p className="min-w-0 flex-1 basis-72">
        Paused: {pause.reason}{' '}
        {pause.until && (
          <>
            It resumes by itself; next try <Time at={pause.until} short />.
          </>
        )}
      </p>
      <Button
        unless={unless}
        busy={tryNow.isPending}
        onClick={() => void change(tryNow.mutateAsync({ params: { path: { agentId } } }))}
      >
        Try now
      </Button>
      <RefusalNote error={tryNow.error} />
    </div>
  );
}
