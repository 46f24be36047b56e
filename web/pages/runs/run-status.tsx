import { CircleCheck, CircleSlash, CircleX, Hand, Hourglass, LoaderCircle } from 'lucide-react';
import type { Schemas } from '../../client/api.ts';
import { type Looks, StateChip } from '../../ui/state-chip.tsx';

type Status = Schemas['Run']['status'];

const LOOKS: Looks<Status> = {
  queued: { tone: 'caution', icon: Hourglass },
  awaiting_approval: { tone: 'caution', icon: Hand },
  running: { tone: 'accent', icon: LoaderCircle },
  complete: { tone: 'neutral', icon: CircleCheck },
  refused: { tone: 'neutral', icon: CircleSlash },
  failed: { tone: 'bad', icon: CircleX },
};

export const RunStatus = ({ status }: { status: Status }) => <StateChip state={status} looks={LOOKS} />;
