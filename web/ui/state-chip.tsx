import type { LucideIcon } from 'lucide-react';
import { words } from '../format.ts';
import { Chip, type Tone } from './chip.tsx';

/** How each state of something looks. */
export type Looks<State extends string> = Record<State, { tone: Tone; icon: LucideIcon }>;

export function StateChip<State extends string>({ state, looks }: { state: State; looks: Looks<State> }) {
  const { tone, icon: Icon } = looks[state];
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden />
      {words(state)}
    </Chip>
  );
}
