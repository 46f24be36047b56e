import type { LucideIcon } from 'lucide-react';
import { words } from '../format.ts';
import { Chip, type Tone } from './chip.tsx';

/** How each state of something looks, and what it is called where its own name says too little. */
export type Looks<State extends string> = Record<State, { tone: Tone; icon: LucideIcon; label?: string }>;

export function StateChip<State extends string>({ state, looks }: { state: State; looks: Looks<State> }) {
  const { tone, icon: Icon, label = words(state) } = looks[state];
  return (
    <Chip tone={tone}>
      <Icon size={12} aria-hidden />
      {label}
    </Chip>
  );
}
