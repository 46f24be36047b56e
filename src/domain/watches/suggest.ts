import { sha256Hex } from '../digest.ts';
import { cutText } from '../text.ts';
import { promptLines } from '../versions/brief.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { Lane } from '../vocabulary.ts';
import { scopeInWords } from './in-words.ts';
import { laneOf } from './lane-of.ts';
import { nameOf } from './name-of.ts';
import { type ReadRule, readRule } from './read-rule.ts';
import type { WatchForm } from './watch.ts';

/** A watch that a line of the agent's own text asks for. */
export interface SuggestedWatch {
  name: string;
  lane: Lane;
  scopeText: string;
  expectationText: string;
  form: WatchForm;
  /** By the words of the line, so that a line which only moved is the same one. */
  sourceKey: string;
  /** The step's label; null for the prompt. */
  step: string | null;
  /** Counted from 1 in the text of the prompt or of the step. */
  line: number;
  text: string;
}

const SUGGESTED_AT_MOST = 200;
const TEXT_AT_MOST = 2000;

/** Every rule-like line of the prompt and of the steps, sentence by sentence: in a form for code, else for a model. */
export function suggestWatches(configuration: AgentConfiguration): SuggestedWatch[] {
  const all = textsOf(configuration).flatMap(({ stepId, step, text }) =>
    promptLines({ prompt: text }).flatMap(({ line, text: words }) =>
      formsOf(words, configuration).map(({ form, sentence }, at) => ({
        name: nameOf(form),
        lane: laneOf(form.expectation),
        scopeText: scopeInWords(form.scope),
        expectationText: cutText(sentence, TEXT_AT_MOST),
        form,
        sourceKey: sha256Hex(JSON.stringify([stepId, words, at])),
        step,
        line,
        text: cutText(words, TEXT_AT_MOST),
      })),
    ),
  );
  // The same line twice in one text says nothing twice.
  return [...new Map(all.map((one) => [one.sourceKey, one])).values()].slice(0, SUGGESTED_AT_MOST);
}

function textsOf({ prompt, nodes }: AgentConfiguration) {
  return [
    { stepId: null, step: null, text: prompt },
    ...nodes.map(({ id, label, text }) => ({ stepId: id, step: label, text })),
  ];
}

function formsOf(words: string, configuration: AgentConfiguration): ReadRule['forms'] {
  const { forms, unread } = readRule(words, configuration);
  const judged = unread.map((sentence): ReadRule['forms'][number] => {
    const expectation = { kind: 'judged', text: cutText(sentence, TEXT_AT_MOST) } as const;
    return { form: { scope: { kind: 'all_calls' }, expectation, polarity: 'must' }, sentence };
  });
  return [...forms, ...judged];
}
