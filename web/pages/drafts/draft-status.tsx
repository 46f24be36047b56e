import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

type Status = Schemas['Draft']['status'];

const TONES: Record<Status, Tone> = {
  draft: 'neutral',
  testing: 'accent',
  publishing: 'caution',
  published: 'good',
  discarded: 'neutral',
};

export const DraftStatus = ({ status }: { status: Status }) => <Chip tone={TONES[status]}>{words(status)}</Chip>;
