import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { Hint } from '../../ui/hint.tsx';
import type { Citation } from './answer.ts';

/** A thing that an answer stands on, or that came of a proposal. */
export interface Cited {
  kind: Citation['kind'] | 'draft' | 'goal';
  id: string;
  turn?: number | null;
}

const PAGES = {
  call: 'calls',
  issue: 'issues',
  test: 'tests',
  watch: 'watches',
  run: 'runs',
  draft: 'drafts',
  goal: 'goals',
} as const satisfies Record<Cited['kind'], string>;

/** Where it is shown, for a link of the router. */
export function placeOf(agentId: string, { kind, id, turn }: Cited) {
  const hash = turn === null || turn === undefined ? {} : { hash: `turn-${turn}` };
  return { to: `/a/${agentId}/${PAGES[kind]}/${id}`, ...hash };
}

const Mark = createLink((props: ComponentProps<'a'>) => (
  <a
    {...props}
    className="mx-0.5 inline-grid min-w-5 place-items-center rounded-control bg-accent-soft px-1 align-baseline text-xs leading-5 font-medium text-accent hover:underline"
  />
));

export function CitationMark({ agentId, citation }: { agentId: string; citation: Citation }) {
  const { number, label, turn } = citation;
  const name = turn === null ? label : `${label}, turn ${turn}`;
  return (
    <Hint text={name}>
      <Mark {...placeOf(agentId, citation)} aria-label={`${number}: ${name}`}>
        {number}
      </Mark>
    </Hint>
  );
}
