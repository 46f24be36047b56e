import type { CallReading } from '../signals/reading.ts';
import type { Observation } from '../signals/signal.ts';
import { cutText } from '../text.ts';
import { promptLines } from '../versions/brief.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { evaluate } from './evaluate.ts';
import { readRule } from './read-rule.ts';
import type { WatchForm } from './watch.ts';

interface OwnRule {
  id: string;
  text: string;
  form: WatchForm;
}

const OBSERVED_AT_MOST = 10;
const LABEL_AT_MOST = 400;

/** Lines of the agent's own text, checked on a call by code: what broke first, then what held. Other lines say nothing. */
export function conformanceOf(reading: CallReading): Observation[] {
  const { configuration } = reading;
  if (configuration === null || reading.agent.length === 0) return [];
  const observed: Record<'broken' | 'held', Observation[]> = { broken: [], held: [] };
  for (const { id, text, form } of ownRules(configuration)) {
    const verdict = evaluate(form, { reading, intent: null, outcome: reading.outcome().outcome });
    if (verdict.state !== 'broken' && verdict.state !== 'held') continue;
    const detail = `${verdict.state === 'held' ? 'Kept' : 'Broken'}: ${verdict.because}`;
    const { turn: turnIndex } = verdict;
    observed[verdict.state].push({ rule: id, kind: 'conformance', label: text, turnIndex, detail, basis: 'checked' });
  }
  return [...observed.broken, ...observed.held].slice(0, OBSERVED_AT_MOST);
}

/** Text does not change within a version, so it is read once for each captured configuration. */
const KNOWN = new WeakMap<AgentConfiguration, OwnRule[]>();

function ownRules(configuration: AgentConfiguration): OwnRule[] {
  const known = KNOWN.get(configuration);
  if (known !== undefined) return known;
  const rules = promptLines(configuration).flatMap(({ line, text }) =>
    readRule(text, configuration).forms.map(({ form }, at) => ({
      id: `prompt:${line}${at === 0 ? '' : `.${at + 1}`}`,
      text: cutText(text, LABEL_AT_MOST),
      form,
    })),
  );
  KNOWN.set(configuration, rules);
  return rules;
}
