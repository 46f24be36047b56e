import type { MetricForm, MetricRule } from '../../domain/custom-metrics/metric.ts';
import type { PatternEvent } from '../../domain/custom-metrics/pattern.ts';
import { CATALOGUE } from '../../domain/signals/catalogue.ts';
import { hasWords } from '../../domain/tests/find-phrase.ts';
import type { MetricAnswer } from '../../domain/vocabulary.ts';

export interface RuleProblem {
  param: string;
  message: string;
}

export type ReadRule = { answer: MetricAnswer } | { problems: RuleProblem[] };

/** Checks how a metric would come by its value, as far as can be said without a call. */
export async function readRule({ form, appliesWhen }: MetricRule): Promise<ReadRule> {
  // Loaded where a formula is read: most requests hold none.
  const { readCondition, readFormula } = await import('../../formulas/formula.ts');
  const problems: RuleProblem[] = [];
  const condition = appliesWhen === null ? null : readCondition(appliesWhen);
  if (condition && 'problem' in condition) problems.push({ param: 'appliesWhen', message: condition.problem });
  const read = form.kind === 'formula' ? readFormula(form.expression) : null;
  if (read && 'problem' in read) problems.push({ param: 'form.expression', message: read.problem });
  if (form.kind === 'pattern') {
    problems.push(...problemsOfEvent('form.after', form.after), ...problemsOfEvent('form.expect', form.expect));
  }
  if (problems.length > 0) return { problems };
  return { answer: answerOf(form, read) };
}

function answerOf(form: MetricForm, read: { answer: MetricAnswer } | { problem: string } | null): MetricAnswer {
  return form.kind === 'formula' && read && 'answer' in read ? read.answer : 'yes_no';
}

function problemsOfEvent(param: string, event: PatternEvent): RuleProblem[] {
  if (event.on === 'signal' && !CATALOGUE.has(event.code)) {
    return [{ param: `${param}.code`, message: `The catalogue has no signal ${event.code}.` }];
  }
  if (event.on === 'said' && !hasWords(event.text)) {
    return [{ param: `${param}.text`, message: 'It must hold a word.' }];
  }
  return [];
}
