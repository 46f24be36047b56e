import { day, words } from '../../format.ts';
import type { CallFilters } from './filters.ts';

const SAYINGS: { [Name in keyof Required<CallFilters>]: (value: Required<CallFilters>[Name]) => string } = {
  outcome: (value) => words(value),
  version: (value) => `version ${value}`,
  signal: (value) => words(value),
  intent: (value) => words(value),
  issueId: () => 'this issue',
  step: (value) => `through ${value}`,
  nextStep: (value) => `on to ${value}`,
  startedFrom: (value) => `from ${day(value)}`,
  startedBefore: (value) => `before ${day(value)}`,
  filter: (value) => value,
};

/** A filter as words: "version 7", "from 24 Oct". */
export function describeFilter(name: keyof CallFilters, filters: CallFilters): string {
  const value = filters[name];
  const say = SAYINGS[name] as (value: unknown) => string;
  return value === undefined ? '' : say(value);
}
