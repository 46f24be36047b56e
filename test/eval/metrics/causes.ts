import { isJsonObject } from '../../../src/domain/json.ts';
import type { Analysed } from '../analysed.ts';
import { share } from '../figures.ts';
import { numberOf } from '../labels.ts';
import { linesOf, type Metric } from '../line.ts';

/** The authors' categories in our words, with the class that the page of the sets gives them. */
const CATEGORIES: Record<string, { category: string; klass: string }> = {
  'Misinterpretation of Tool Output': { category: 'misread_tool_result', klass: 'content' },
  'Instruction Adherence Failure': { category: 'instruction_breach', klass: 'content' },
  'Intent Plan Misalignment': { category: 'intent_plan_misalignment', klass: 'flow' },
  'System Failure': { category: 'system_failure', klass: 'technical' },
  'Invalid Invocation': { category: 'invalid_invocation', klass: 'technical' },
};

/**
 * M11: right place, right cause, on the calls that people annotated. What the caller brought on themselves is never a finding, so
 * no root cause is the right answer there for class and party; a place is then not given, and counts as missed.
 */
export const causeLines: Metric = (set, calls) => {
  const rows = calls.flatMap(toRow);
  const { of } = linesOf('M11 cause', set);
  const hits = (is: (row: Row) => boolean) => (some: readonly Row[]) => share(some.filter(is).length, some.length);
  return [
    of(
      'root turn exact',
      rows,
      hits((row) => row.gap === 0),
      { floor: 0 },
    ),
    of(
      'root turn within two',
      rows,
      hits((row) => row.gap !== null && row.gap <= 2),
      { floor: 0.111 },
    ),
    of(
      'class',
      rows,
      hits((row) => row.klass),
      { floor: 0.444 },
    ),
    of(
      'failed party',
      rows,
      hits((row) => row.party),
      { floor: 0.667 },
    ),
    of(
      'category',
      rows,
      hits((row) => row.category),
      { floor: 0.333 },
    ),
  ];
};

interface Row {
  group: string;
  gap: number | null;
  klass: boolean;
  party: boolean;
  category: boolean;
}

function toRow(call: Analysed): Row[] {
  const label = call.labels['rootCause'];
  if (!isJsonObject(label)) return [];
  const truth = CATEGORIES[String(label['category'])] ?? { category: 'none', klass: 'behaviour' };
  const ours = call.analysis.rootCause;
  const turn = numberOf(label['turn']);
  return [
    {
      group: call.group,
      gap: ours === null || turn === null ? null : Math.abs(ours.turn - turn),
      klass: (ours?.klass ?? 'behaviour') === truth.klass,
      party: (ours?.party ?? 'caller') === (label['party'] === 'User' ? 'caller' : 'agent'),
      category: (ours?.category ?? 'none') === truth.category,
    },
  ];
}
