import { CircleCheck, CircleSlash, CircleX, Hand, Hourglass, LoaderCircle } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

type Status = Schemas['Run']['status'];

const LOOKS: Record<Status, { tone: Tone; icon: typeof CircleX }> = {
  queued: { tone: 'caution', icon: Hourglass },
  awaiting_approval: { tone: 'caution', icon: Hand },
  running: { tone: 'accent', icon: LoaderCircle },
  complete: { tone: 'neutral', icon: CircleCheck },
  refused: { tone: 'neutral', icon: CircleSlash },
  failed: { tone: 'bad', icon: CircleX },
};

export function RunStatus({ status }: { status: Status }) {
  const { tone, icon: Icon } = LOOKS[status];
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden />
      {words(status)}
    </Chip>
  );
}
