import type { ActValue } from '../acts/act.ts';
import { compare } from '../acts/same-value.ts';
import { valuesOfText } from '../acts/values.ts';
import { isDone } from '../calls/ledger/record.ts';
import { usesBetween } from '../calls/stretch.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import { resultLeaves } from '../calls/use-leaves.ts';
import { type Leaf, readLeaves } from '../calls/values/json-values.ts';
import { numberForm } from '../calls/values/value.ts';
import type { CallReading } from './reading.ts';

/**
 * The tool uses within a stretch of the call whose arguments hold the old value and not the new one; of a write the day and
 * the time that it says it wrote count too, because what it was given may be a number of its own for them.
 */
export function usesWith(
  reading: CallReading,
  { after, before, old, now }: { after: number; before: number; old: ActValue; now: ActValue },
): ToolUse[] {
  return usesBetween(reading.tools, after, before).filter((use) => {
    if (use.callTurn === null) return false;
    const wrote = WRITTEN_AS.has(old.slot) && isDone(use) ? resultLeaves(use) : [];
    const leaves = [...readLeaves(use.args), ...wrote].filter((leaf) => isAbout(leaf, old));
    return (
      leaves.some((leaf) => holds(reading, leaf, old, now)) && !leaves.some((leaf) => holds(reading, leaf, now, old))
    );
  });
}

const WRITTEN_AS = new Set(['date', 'time']);

/** Arguments by whose name a number can be told: `guests: 2` counts people. */
const COUNTED: Record<string, RegExp> = {
  'count:people': /guest|people|person|party|adult|passenger|cover|size|seats/i,
  'count:nights': /night|length|stay|duration/i,
};

function isAbout(leaf: Leaf, value: ActValue): boolean {
  if (!value.slot.startsWith('count')) return true;
  const unit = value.slot.slice('count:'.length);
  return COUNTED[value.slot]?.test(leaf.name) ?? (unit !== '' && leaf.name.toLowerCase().includes(unit.slice(0, -1)));
}

function holds(reading: CallReading, leaf: Leaf, wanted: ActValue, other: ActValue): boolean {
  if (typeof leaf.value === 'number') return wanted.forms.includes(numberForm(leaf.value));
  if (typeof leaf.value !== 'string' || leaf.value.length > LEAF_AT_MOST) return false;
  if (wanted.slot === 'name')
    return leaf.value
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .includes(wanted.forms[0] ?? '');
  return valuesOfText(leaf.value, reading.language ?? 'en').some(
    (value) => compare(value, wanted) === 'same' && compare(value, other) !== 'same',
  );
}

const LEAF_AT_MOST = 200;
