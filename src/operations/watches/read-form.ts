import type { z } from 'zod';
import type { watchWords } from '../../contract/watch.ts';
import { listIntents } from '../../db/intents/read-intents.ts';
import { currentConfiguration } from '../../db/versions/versions.ts';
import type { WatchView, WrittenForm } from '../../db/watches/watches.ts';
import { type FormProblem, problemOf } from '../../domain/watches/check-form.ts';
import { formInWords, scopeInWords } from '../../domain/watches/in-words.ts';
import type { WatchForm } from '../../domain/watches/watch.ts';
import { readerModelOf } from '../../services/models/reader-model.ts';
import { Failure } from '../failure.ts';
import { orRefused } from '../imports/read-lines.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

type Words = Partial<z.infer<typeof watchWords>>;

export interface ReadForm extends WrittenForm {
  unread: string[];
  nearest: WatchForm | null;
  problem: FormProblem | null;
  /** Whether a model judges here what code does not. */
  isJudgedHere: boolean;
}

const INTENTS_AT_MOST = 500;

/** What rules make of the words, and what is wrong with it. @param before what stands where the words are silent. */
export async function readForm(
  { em, agent, services }: Context,
  words: Words,
  before: WatchView | null,
): Promise<ReadForm> {
  const configuration = await currentConfiguration(em, agent.id);
  const intents = await listIntents(em, scopeOf(agent), 'intent', { after: null, limit: INTENTS_AT_MOST });
  const scope = scopeGiven(words, before);
  const expectation = expectationGiven(words, before);
  const { tools = [], nodes = [] } = configuration ?? {};
  const named = { tools, nodes: nodes.map(({ id, label }) => ({ id, label })) };
  const known = { configuration: named, intents: intents.slice(0, INTENTS_AT_MOST) };
  const read = await orRefused(services.analyser.readWords(agent.workspaceId, { scope, expectation }, known));
  const slugs = intents.flatMap(({ slug, aliases }) => [slug, ...aliases]);
  const problem = problemOf(read.form, { configuration, intents: slugs.length === 0 ? null : slugs });
  const reader = await readerModelOf(em, services, agent.workspaceId);
  const isJudgedHere = services.models.judge !== null || reader !== null;
  return { scopeText: scope.text, expectationText: expectation.text, ...read, problem, isJudgedHere };
}

function scopeGiven({ scope }: Words, before: WatchView | null) {
  if (scope === undefined && before) return { text: before.scopeText, code: before.scopeCode };
  const code = scope?.code ?? (scope?.text === undefined ? ({ kind: 'all_calls' } as const) : null);
  return { text: scope?.text ?? (code === null ? '' : scopeInWords(code)), code };
}

function expectationGiven({ expectation }: Words, before: WatchView | null) {
  if (expectation) {
    const { text, polarity, code } = expectation;
    return { text, polarity: polarity ?? null, code: code ?? null };
  }
  return {
    text: before?.expectationText ?? '',
    polarity: before?.polarity ?? null,
    code: before?.expectationCode ?? null,
  };
}

/** @throws Failure 400 for what could never say anything, and for words of which code would leave some out and no model judges the whole. */
export function refuseUnusable({ form, unread, problem, nearest, isJudgedHere, expectationText }: ReadForm): void {
  if (problem) throw new Failure('invalid_parameter', `${problem.param}: ${problem.message}`, { param: problem.param });
  const isJudged = form.expectation.kind === 'judged';
  // Words of which code reads nothing are a model's from the start, and wait for one.
  const isInPart = nearest !== null || (isJudged && unread.some((text) => text !== expectationText.trim()));
  if (!isInPart || (isJudged && isJudgedHere)) return;
  const words = unread.map((text) => `"${text}"`).join(', ');
  const rest =
    nearest === null
      ? 'What code reads of the rest would say something else, and no model is there to judge the whole. Leave these words out, or configure a model.'
      : `Without it, code decides this: ${formInWords(nearest)} Say that alone, or what is left as a watch of its own.`;
  const message = `Not read: ${words}. ${rest}`;
  throw new Failure('invalid_parameter', message, { param: 'expectation.text' });
}
