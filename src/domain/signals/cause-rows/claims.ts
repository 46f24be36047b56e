import { resultLeaves } from '../../calls/use-leaves.ts';
import { readLeaves } from '../../values/json-values.ts';
import { numberForm, type SpokenValue, sameValue } from '../../values/value.ts';
import type { CauseRow } from '../catalogue-entry.ts';
import { AGENT, PROMPT } from '../places.ts';
import type { CallReading } from '../reading.ts';
import { lineOn, sharesValue, valuesIn, valuesOfTurn } from './evidence.ts';
import { agentsOwn, recogniserUnsure, row } from './shared.ts';
import { lineSlug, theLine } from './variants.ts';

const HUNDRED = 100;

/** All values of the results before a turn, and of one tool alone. */
function resultValues(reading: CallReading, before: number, of: (name: string) => boolean): SpokenValue[] {
  return reading.tools
    .filter(
      (use) =>
        use.resultTurn !== null && use.resultTurn < before && use.ok !== false && of(use.definition?.id ?? use.name),
    )
    .flatMap(resultLeaves)
    .flatMap(({ value }): SpokenValue[] => {
      if (typeof value === 'number') return [{ kind: 'number', from: 0, to: 0, forms: [numberForm(value)] }];
      return typeof value === 'string' ? valuesIn(value) : [];
    });
}

const numbersOf = (values: readonly SpokenValue[]) =>
  values
    .filter(({ kind }) => kind === 'money' || kind === 'number')
    .flatMap(({ forms }) => forms.map(Number))
    .filter((value) => Number.isFinite(value) && value !== 0);

/** Plain numbers and times stand in every prompt; only an amount of money is told apart by itself. */
const moneyIn = (text: string) => valuesIn(text).filter(({ kind }) => kind === 'money');

/** An amount that stands in the agent's own text, and in no result. */
const PROMPT_SAYS_OTHERWISE = row(
  {
    code: 'prompt_holds_other_value',
    label: 'The agent’s own text holds another amount than the record',
    category: 'instruction_conflict',
    ...agentsOwn,
    recommendation: 'Take the value out of {target}, and let the agent tell what its tools answer.',
    target: theLine,
  },
  ({ turnIndex, quote }, reading) => {
    const told = moneyIn(quote);
    if (told.length === 0) return null;
    const known = resultValues(reading, turnIndex + 1, () => true);
    const own = told.filter((value) => sharesValue([value], known) === null);
    const line = own.length === 0 ? null : lineOn(reading, (text) => sharesValue(own, moneyIn(text)) !== null);
    return line === null
      ? null
      : { detail: `The value stands in the line "${line.slice(0, 160)}".`, variant: lineSlug(line) };
  },
);

export const RESULT_MISREPORTED: readonly CauseRow[] = [
  row(
    {
      code: 'other_units',
      label: 'The result counts in hundredths and the agent tells it as whole units',
      category: 'misread_tool_result',
      ...agentsOwn,
      recommendation: 'Let {place} answer in the units in which the agent speaks, with the unit in the field’s name.',
    },
    ({ turnIndex, quote, place }, reading) => {
      const told = numbersOf(valuesIn(quote));
      const given = numbersOf(resultValues(reading, turnIndex + 1, (id) => place.kind !== 'tool' || id === place.id));
      const off = told.find(
        (one) => !given.includes(one) && (given.includes(one * HUNDRED) || given.includes(one / HUNDRED)),
      );
      return off === undefined ? null : `What was told and what the result says are apart by a factor of ${HUNDRED}.`;
    },
  ),
  PROMPT_SAYS_OTHERWISE,
];

export const FACT_CONTRADICTS_SOURCE: readonly CauseRow[] = [PROMPT_SAYS_OTHERWISE];

export const CORRECTION_NOT_APPLIED: readonly CauseRow[] = [
  recogniserUnsure(({ turnIndex }) => turnIndex),
  row(
    {
      code: 'start_variable_kept',
      label: 'A variable set at the start of the call holds the old value',
      category: 'configuration',
      ...agentsOwn,
      recommendation: 'Let {place} take the value from the talk, not from the variable of the call.',
      target: (variant) => ({ ...AGENT, id: `variable:${variant}`, label: `the variable ${variant}` }),
    },
    ({ turnIndex, quote, place }, reading) => {
      const use = useAfter(reading, place.id, turnIndex);
      if (use === undefined) return null;
      const now = valuesIn(quote);
      const sent = readLeaves(use.args).flatMap(({ value }) => (typeof value === 'string' ? valuesIn(value) : []));
      const [name] =
        Object.entries(reading.call.variables ?? {}).find(([, value]) => {
          const held = valuesIn(value);
          return sharesValue(held, sent) !== null && sharesValue(held, now) === null;
        }) ?? [];
      return name === undefined
        ? null
        : { detail: `"${name}" came with the call and holds what was sent.`, variant: name };
    },
  ),
  row(
    {
      code: 'not_read_back',
      label: 'The agent acts on a corrected value without reading it back',
      category: 'instruction_gap',
      ...agentsOwn,
      recommendation:
        'Write into the prompt: after a correction, read the value back and wait for a yes before {place} is called.',
      target: () => PROMPT,
    },
    ({ turnIndex, place, quote }, reading) => {
      const use = useAfter(reading, place.id, turnIndex);
      if (place.kind !== 'tool' || use === undefined || use.effect === 'read') return null;
      const now = valuesIn(quote);
      const said = reading.agent.filter(({ index }) => index > turnIndex && index < (use.callTurn ?? 0));
      const isRead = said.some((turn) =>
        valuesOfTurn(turn).some((value) => now.some((one) => one.kind === value.kind || sameValue(one, value))),
      );
      return isRead ? null : `Nothing was read back between the correction and the call at turn ${use.callTurn}.`;
    },
  ),
];

function useAfter(reading: CallReading, toolId: string, turn: number) {
  return reading.tools.find((use) => (use.definition?.id ?? use.name) === toolId && (use.callTurn ?? -1) > turn);
}

export const TOOL_BESIDE_REQUEST: readonly CauseRow[] = [
  row(
    {
      code: 'example_taken_for_value',
      label: 'An example in the tool’s description is taken for a value',
      category: 'invalid_invocation',
      ...agentsOwn,
      recommendation:
        'Take the example out of the description of {place}, or say there that values come from the caller alone.',
    },
    ({ turnIndex }, reading) => {
      const use = reading.tools.find((one) => (one.resultTurn ?? one.callTurn) === turnIndex);
      const described =
        `${use?.definition?.description ?? ''} ${JSON.stringify(use?.definition?.parameters ?? '')}`.toLowerCase();
      const sent = readLeaves(use?.args ?? null).find(
        ({ value }) => typeof value === 'string' && value.length >= 4 && described.includes(value.toLowerCase()),
      );
      return sent === undefined ? null : `"${String(sent.value).slice(0, 80)}" stands in the description of the tool.`;
    },
  ),
];
