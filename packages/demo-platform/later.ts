import type { JsonObject } from '../../src/domain/json.ts';
import type { PlannedKind } from './plan.ts';

/** What the configuration of a later version has, beside what the newest planned version says. */
export type Traits = ReadonlySet<string>;
export const NO_TRAITS: Traits = new Set();

/** Versions that somebody has the platform publish after the planned ones. */
export interface LaterVersions {
  /** Each later version gains the next trait, and once round loses the next: so every version differs from its neighbour. */
  traits: readonly string[];
  /** Traits that stand in words of the agent's text: of a text that somebody wrote, they are read from it. */
  told: Readonly<Record<string, (text: string) => boolean>>;
  /** The calls on a version with these traits. */
  kinds(traits: Traits): readonly Omit<PlannedKind, 'versions'>[];
}

/** What an engine that somebody wrote makes of the agent; what no words tell stays as it was. */
export function traitsOfText({ told }: LaterVersions, engine: JsonObject, before: Traits): Traits {
  const text = JSON.stringify(engine);
  const traits = new Set(before);
  for (const [trait, isTold] of Object.entries(told)) {
    if (isTold(text)) traits.add(trait);
    else traits.delete(trait);
  }
  return traits;
}

/** @param nth which later version, from 1. */
export function traitsOf({ traits }: LaterVersions, nth: number): Traits {
  const turned = (trait: number) => Math.floor((nth - 1 - trait) / traits.length) + 1;
  return new Set(traits.filter((_, trait) => turned(trait) % 2 === 1));
}
