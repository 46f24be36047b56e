import { CircleCheck, CirclePause, CircleSlash, CircleX, Hourglass, LoaderCircle } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

type Status = Schemas['Import']['status'];

const LOOKS: Record<Status, { tone: Tone; icon: typeof CircleX }> = {
  queued: { tone: 'caution', icon: Hourglass },
  running: { tone: 'accent', icon: LoaderCircle },
  paused: { tone: 'caution', icon: CirclePause },
  complete: { tone: 'good', icon: CircleCheck },
  failed: { tone: 'bad', icon: CircleX },
  cancelled: { tone: 'neutral', icon: CircleSlash },
};

export function ImportStatus({ status }: { status: Status }) {
  const { tone, icon: Icon } = LOOKS[status];
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden />
      {words(status)}
    </Chip>
  );
}
