import type { DeliveryState } from '../../../src/domain/vocabulary.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

const TONES: Record<DeliveryState, Tone> = {
  pending: 'caution',
  delivered: 'good',
  failed: 'bad',
  dropped: 'neutral',
};

export const DeliveryChip = ({ state }: { state: DeliveryState }) => <Chip tone={TONES[state]}>{state}</Chip>;
