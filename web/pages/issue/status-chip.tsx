import { CircleCheck, CircleDot, Hourglass, RotateCcw, Search, Wrench } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { type Looks, StateChip } from '../../ui/state-chip.tsx';

type Status = Schemas['Issue']['status'];

const LOOKS: Looks<Status> = {
  discovered: { tone: 'neutral', icon: CircleDot },
  investigating: { tone: 'accent', icon: Search },
  fix_deployed: { tone: 'accent', icon: Wrench },
  measuring: { tone: 'caution', icon: Hourglass },
  resolved: { tone: 'good', icon: CircleCheck },
  regressed: { tone: 'bad', icon: RotateCcw },
};

export const StatusChip = ({ status }: { status: Status }) => <StateChip state={status} looks={LOOKS} />;
