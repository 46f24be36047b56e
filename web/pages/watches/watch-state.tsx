import { CirclePause, CircleSlash, Eye, Hourglass, LoaderCircle, Pencil } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

type State = Schemas['Watch']['state'];

const LOOKS: Record<State, { tone: Tone; icon: typeof Eye; label: string }> = {
  draft: { tone: 'neutral', icon: Pencil, label: 'Draft' },
  backtesting: { tone: 'accent', icon: LoaderCircle, label: 'Backtesting' },
  review: { tone: 'caution', icon: Hourglass, label: 'To review' },
  live: { tone: 'good', icon: Eye, label: 'Live' },
  paused: { tone: 'caution', icon: CirclePause, label: 'Paused' },
  rejected: { tone: 'neutral', icon: CircleSlash, label: 'Rejected' },
};

export const watchStateLabel = (state: State) => LOOKS[state].label;

export function WatchStateChip({ state }: { state: State }) {
  const { tone, icon: Icon, label } = LOOKS[state];
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden />
      {label}
    </Chip>
  );
}
