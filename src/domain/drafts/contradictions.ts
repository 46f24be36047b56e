import { canonicalText } from '../json-order.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { type SuggestedWatch, suggestWatches } from '../watches/suggest.ts';
import type { WatchForm } from '../watches/watch.ts';
import type { DraftUnderCheck, QuickFinding } from './check.ts';
import { stepPath } from './parts.ts';

/** Live watches of which the draft takes the line out, whose tool or step it does not have, or that it orders the opposite of. */
export function brokenWatches({ draft, watches }: DraftUnderCheck): QuickFinding[] {
  const told = rulesOf(draft);
  const text = [draft.prompt, ...draft.nodes.map((node) => node.text)].join('\n');
  return watches.flatMap(({ name, form, sourceText }): QuickFinding[] => {
    const opposite = told.find((rule) => opposes(rule.form, form));
    if (opposite) return [found(draft, opposite, `The live watch “${name}” expects the opposite of this line.`)];
    if (sourceText === null || text.replaceAll(/\*\*|__/g, '').includes(sourceText)) return [];
    const message = `The live watch “${name}” stands on a line that is gone: “${sourceText}”`;
    return [{ path: null, line: null, message }];
  });
}

/** Lines that the draft brings and that order the opposite of a line which stays. */
export function brokenRules({ base, draft }: DraftUnderCheck): QuickFinding[] {
  const known = new Set(rulesOf(base).map(({ sourceKey }) => sourceKey));
  const told = rulesOf(draft);
  return told
    .filter(({ sourceKey }) => !known.has(sourceKey))
    .flatMap((rule) => {
      const other = told.find((one) => opposes(one.form, rule.form));
      return other ? [found(draft, rule, `This line orders the opposite of “${other.text}”`)] : [];
    });
}

/** What only a model can judge says nothing that code could hold against something else. */
const rulesOf = (configuration: AgentConfiguration): SuggestedWatch[] =>
  suggestWatches(configuration).filter(({ form }) => form.expectation.kind !== 'judged');

function opposes(one: WatchForm, other: WatchForm): boolean {
  return (
    one.polarity !== other.polarity &&
    canonicalText(one.expectation) === canonicalText(other.expectation) &&
    (one.scope.kind === 'all_calls' ||
      other.scope.kind === 'all_calls' ||
      canonicalText(one.scope) === canonicalText(other.scope))
  );
}

function found({ nodes }: AgentConfiguration, { step, line }: SuggestedWatch, message: string): QuickFinding {
  const node = step === null ? null : nodes.find(({ label }) => label === step);
  return { path: node ? stepPath(node.id) : '/prompt', line, message };
}
