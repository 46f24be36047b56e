import type { PlannedKind } from './plan.ts';

/** What the configuration of a later version has, beside what the newest planned version says. */
export type Traits = ReadonlySet<string>;
export const NO_TRAITS: Traits = new Set();

/** Versions that somebody has the platform publish after the planned ones. */
export interface LaterVersions {
  /** Each later version gains the next trait, and once round loses the next: so every version differs from its neighbour. */
  traits: readonly string[];
  /** The calls on a version with these traits. */
  kinds(traits: Traits): readonly Omit<PlannedKind, 'versions'>[];
}

/** @param nth which later version, from 1. */
export function traitsOf({ traits }: LaterVersions, nth: number): Traits {
  const turned = (trait: number) => Math.floor((nth - 1 - trait) / traits.length) + 1;
  return new Set(traits.filter((_, trait) => turned(trait) % 2 === 1));
}
