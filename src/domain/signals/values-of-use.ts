import { isDone } from '../calls/ledger/record.ts';
import { usesBetween } from '../calls/stretch.ts';
import type { ToolUse } from '../calls/tool-uses.ts';
import { resultLeaves } from '../calls/use-leaves.ts';
import { type Leaf, readLeaves } from '../values/json-values.ts';
import { compare } from '../values/same-value.ts';
import { valuesOfText } from '../values/turn-values.ts';
import { type ActValue, numberForm } from '../values/value.ts';
import { COUNTED_FIELDS } from '../words/tools/names.ts';
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

function isAbout(leaf: Leaf, value: ActValue): boolean {
  if (!value.slot.startsWith('count')) return true;
  const unit = value.slot.slice('count:'.length);
  return (
    COUNTED_FIELDS[value.slot]?.test(leaf.name) ?? (unit !== '' && leaf.name.toLowerCase().includes(unit.slice(0, -1)))
  );
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
