import { sentenceTextAt } from '../../acts/sentences.ts';
import { cutText } from '../../text.ts';
import { readValues } from '../../values/read-values.ts';
import { numberForm, type SpokenValue, sameValue } from '../../values/value.ts';
import type { Claim } from '../claim.ts';
import type { ToolUse } from '../tool-uses.ts';
import type { LedgerFinding } from './finding.ts';
import type { CallRecord } from './record.ts';

const READ_OUT = ['money', 'date', 'time', 'code'] as const;
const CLAIMS_AT_MOST = 8;
const LEAVES_AT_MOST = 300;
const LEAF_AT_MOST = 60;
const QUOTE_AT_MOST = 240;

/**
 * The amounts, times, dates and codes that the agent reads out after a write, each tied to the result or the arguments that hold the
 * same value; and what the ledger found to differ, as contradicted. A value that nothing holds is no claim by itself: it may be the
 * agent's own knowledge.
 */
export function readValueClaims(record: CallRecord, findings: readonly LedgerFinding[]): Claim[] {
  const claims = findings.flatMap(asClaim);
  for (const turn of record.reading.agent) {
    const writes = record.writesBefore(turn.index);
    if (writes.length === 0) continue;
    const known = writes.map((use) => ({ use, values: valuesOf(record, use) }));
    let count = 0;
    for (const value of turn.values) {
      const kind = READ_OUT.find((one) => one === value.kind);
      if (kind === undefined || value.denied || count >= CLAIMS_AT_MOST) continue;
      const said = { kind, forms: value.forms };
      const source = known.find(({ values }) => values.some((one) => sameValue(one, said)));
      const sentence = sentenceTextAt(turn, value.from).trim();
      if (source === undefined || sentence.endsWith('?')) continue;
      count += 1;
      claims.push({
        turn: turn.index,
        text: cutText(sentence, QUOTE_AT_MOST),
        kind,
        backedBy: source.use.resultTurn,
        verdict: 'backed',
      });
    }
  }
  return claims;
}

/** The values of a write's result and arguments in the forms in which they compare with what is said. */
function valuesOf(record: CallRecord, use: ToolUse): Comparable[] {
  const leaves = [...record.results(use), ...record.args(use)].slice(0, LEAVES_AT_MOST);
  return leaves.flatMap((leaf): Comparable[] => {
    if (typeof leaf.value === 'number') return [{ kind: 'money', forms: [numberForm(Math.abs(leaf.value))] }];
    return typeof leaf.value === 'string' && leaf.value.length <= LEAF_AT_MOST ? readValues(leaf.value) : [];
  });
}

type Comparable = Pick<SpokenValue, 'kind' | 'forms'>;

function asClaim(finding: LedgerFinding): Claim[] {
  const told = finding.code === 'result_misreported' || finding.code === 'fact_contradicts_source';
  if (!told || finding.quote === '') return [];
  const kind = finding.rule === 'total_differs' ? 'money' : 'record';
  const { turn, quote, use } = finding;
  return [{ turn, text: quote, kind, backedBy: use?.resultTurn ?? null, verdict: 'contradicted' }];
}
