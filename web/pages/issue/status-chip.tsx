import { CircleCheck, CircleDot, Hourglass, RotateCcw, Search, Wrench } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

type Status = Schemas['Issue']['status'];

const LOOKS: Record<Status, { tone: Tone; icon: typeof Search }> = {
  discovered: { tone: 'neutral', icon: CircleDot },
  investigating: { tone: 'accent', icon: Search },
  fix_deployed: { tone: 'accent', icon: Wrench },
  measuring: { tone: 'caution', icon: Hourglass },
  resolved: { tone: 'good', icon: CircleCheck },
  regressed: { tone: 'bad', icon: RotateCcw },
};

export function StatusChip({ status }: { status: Status }) {
  const { tone, icon: Icon } = LOOKS[status];
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden />
      {words(status)}
    </Chip>
  );
}
