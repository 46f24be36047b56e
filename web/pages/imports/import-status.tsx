import { CircleCheck, CirclePause, CircleSlash, CircleX, Hourglass, LoaderCircle } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { type Looks, StateChip } from '../../ui/state-chip.tsx';

type Status = Schemas['Import']['status'];

const LOOKS: Looks<Status> = {
  queued: { tone: 'caution', icon: Hourglass },
  running: { tone: 'accent', icon: LoaderCircle },
  paused: { tone: 'caution', icon: CirclePause },
  complete: { tone: 'good', icon: CircleCheck },
  failed: { tone: 'bad', icon: CircleX },
  cancelled: { tone: 'neutral', icon: CircleSlash },
};

export const ImportStatus = ({ status }: { status: Status }) => <StateChip state={status} looks={LOOKS} />;
