import { type SentSpan, textAttribute } from '../../../domain/spans/span.ts';
import { isSameOrCut, plainWords, SAME_MOMENT_MS, type Step } from './items.ts';

/**
 * The requests whose answers nobody heard: of a model that sums up, routes, checks or judges. What shows it is the talk
 * itself: an answer that was given to the caller is among what models are given later, or was synthesised, and another
 * one that was made for the same words is not.
 * @param heard what was synthesised, as plain words
 */
export function asidesOf(steps: readonly Step[], heard: string): ReadonlySet<Step> {
  const seen = new Evidence(steps, heard);
  return new Set(steps.filter((_, at) => seen.isAside(at)));
}

/** Later requests that are looked at for an answer that was cut. */
const NEAR = 6;
/** A text that short stands in others by chance. */
const TELLING_LENGTH = 20;
const UTTERANCES_MAX = 400;

class Evidence {
  readonly #steps: readonly Step[];
  readonly #makers: readonly string[];
  readonly #confirmed: readonly boolean[];
  readonly #embeds: readonly boolean[];
  readonly #suspicious: readonly boolean[];
  readonly #talking: ReadonlySet<string>;
  readonly #contexts: ReadonlyMap<string, number>;
  readonly #groups: ReadonlyMap<number, number[]>;

  constructor(steps: readonly Step[], heard: string) {
    this.#steps = steps;
    this.#makers = steps.map(({ request }) => makerOf(request.span, request.system));
    const shown = new Map<string, number>();
    for (const [at, { input }] of steps.entries()) {
      for (const { kind, key } of input) if (kind === 'agent') shown.set(key, at);
    }
    this.#confirmed = steps.map((step, at) => this.#isConfirmed(step, at, shown, heard));
    this.#embeds = embedding(steps);
    this.#suspicious = steps.map((step) => isSuspicious(step));
    this.#talking = new Set(this.#makers.filter((_, at) => this.#confirmed[at]));
    this.#contexts = contextsOf(steps);
    this.#groups = groupsOf(steps);
  }

  isAside(at: number): boolean {
    const step = this.#steps[at];
    if (!step) return false;
    if (step.request.judged) return true;
    if (this.#embeds[at] === true) return !this.#embeds.every((embeds, other) => embeds || this.#isSilent(other));
    if (this.#isSilent(at) || this.#confirmed[at] === true) return false;
    const maker = this.#makers[at] ?? '';
    const isSuspect = this.#suspicious[at] === true;
    const isStrange = this.#talking.size > 0 && !this.#talking.has(maker);
    if ((isSuspect || isStrange) && this.#isSummedUp(step, at)) return true;
    const rivals = this.#rivalsOf(at);
    if (rivals.some((other) => this.#confirmed[other] && (this.#isOtherMaker(at, other) || !callsTools(step))))
      return true;
    if (this.#talking.has(maker)) return false;
    const rivalTalks = rivals.some((other) => this.#talking.has(this.#makers[other] ?? ''));
    if (isStrange) return rivalTalks || isSuspect || this.#hadItsChance(step, at);
    return isSuspect && this.#steps.some((_, other) => this.#mayTalkInstead(at, other));
  }

  #isSilent(at: number): boolean {
    return this.#steps[at]?.output.every(({ kind }) => kind !== 'agent') ?? true;
  }

  #isConfirmed({ output }: Step, at: number, shown: ReadonlyMap<string, number>, heard: string): boolean {
    const answers = output.filter(({ kind }) => kind === 'agent');
    return answers.some(({ key, text }) => {
      if ((shown.get(key) ?? -1) > at) return true;
      const plain = plainWords(text);
      if (plain !== '' && heard.includes(plain)) return true;
      const later = this.#steps.slice(at + 1, at + 1 + NEAR).flatMap(({ input }) => input);
      return later.some(
        (item) => item.kind === 'agent' && (isSameOrCut(item.text, text) || isJoined(item.text, plain)),
      );
    });
  }

  /** An answer that is most of what another model is told is what somebody summed up. */
  #isSummedUp({ output }: Step, at: number): boolean {
    const answers = output.filter(({ kind, text }) => kind === 'agent' && text.length >= TELLING_LENGTH);
    const texts = answers.map(({ text }) => plainWords(text));
    const isMostOf = (text: string, context: string) =>
      text.length < context.length && text.length * 2 >= context.length && context.includes(text);
    return [...this.#contexts].some(([context, last]) => last > at && texts.some((text) => isMostOf(text, context)));
  }

  /** Others that answer the same words of the caller, one right after the other, and not each other's answers. */
  #rivalsOf(at: number): number[] {
    const group = this.#groups.get(at) ?? [];
    return group.filter(
      (other) => other !== at && !this.#wasGivenAnswerOf(at, other) && !this.#wasGivenAnswerOf(other, at),
    );
  }

  #wasGivenAnswerOf(at: number, other: number): boolean {
    const answers = new Set(this.#steps[other]?.output.filter(({ kind }) => kind === 'agent').map(({ key }) => key));
    return this.#steps[at]?.input.some(({ key }) => answers.has(key)) ?? false;
  }

  #isOtherMaker(at: number, other: number): boolean {
    return this.#makers[at] !== this.#makers[other];
  }

  /** Whether a later request shows how the talk went on after the words that this one answers, and not its answer. */
  #hadItsChance({ trigger }: Step, at: number): boolean {
    if (trigger === null) return false;
    return this.#steps.slice(at + 1, at + 1 + NEAR).some(({ input }) => {
      const place = input.findLastIndex(({ key }) => key === trigger.key);
      return place >= 0 && input.slice(place + 1).some(({ kind }) => kind === 'agent');
    });
  }

  #mayTalkInstead(at: number, other: number): boolean {
    return this.#isOtherMaker(at, other) && !this.#isSilent(other) && this.#suspicious[other] === false;
  }
}

/** Requests that were made one right after the other for the same words of the caller, or after a tool had run. */
function groupsOf(steps: readonly Step[]): ReadonlyMap<number, number[]> {
  const groups = new Map<number, number[]>();
  let group: number[] = [];
  for (const [at, step] of steps.entries()) {
    const before = steps[at - 1];
    const isSilent = before?.output.every(({ kind }) => kind !== 'agent') ?? true;
    const isSoon = before !== undefined && step.request.span.startMs - before.request.span.endMs < SAME_MOMENT_MS;
    const isSame = step.trigger !== null && step.trigger.key === before?.trigger?.key;
    if (!isSame || !(isSoon || isSilent)) group = [];
    group.push(at);
    groups.set(at, group);
  }
  return groups;
}

/** Some libraries join what was said one after the other. */
const isJoined = (text: string, plain: string) => {
  const whole = plainWords(text);
  return plain.length >= 12 && (whole.startsWith(plain) || whole.endsWith(plain));
};

const callsTools = ({ output }: Step) => output.some(({ kind }) => kind === 'call');

/** Requests of one maker are alike: of one library and agent, and told the same at the beginning. */
function makerOf(span: SentSpan, system: string): string {
  const agent = textAttribute(
    span,
    'gen_ai.agent.name',
    'agent.name',
    'traceloop.entity.name',
    'ai.telemetry.functionId',
  );
  return [span.scope, span.name.replace(/\d+/g, ''), agent ?? '', system.slice(0, 120)].join('\n');
}

/** Whether what a request asks about is a talk written out in one message, by things that were said elsewhere. */
function embedding(steps: readonly Step[]): boolean[] {
  const said = new Set<string>();
  for (const { trigger, output } of steps) {
    for (const item of [trigger, ...output]) {
      if (item === null || item.text.length > 400) continue;
      const plain = plainWords(item.text);
      if (plain.length >= 8 && plain.includes(' ')) said.add(plain);
    }
  }
  const utterances = [...said].slice(0, UTTERANCES_MAX);
  const known = new Map<string, boolean>();
  const holdsTalk = (text: string) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const plain = plainWords(text);
    const held = utterances.filter((words) => words.length < plain.length && plain.includes(words));
    // What stands within another of them counts once.
    const apart = held.filter((words) => !held.some((other) => other !== words && other.includes(words)));
    known.set(text, apart.length >= 2);
    return apart.length >= 2;
  };
  return steps.map(({ input, trigger }) => trigger !== null && input.at(-1) === trigger && holdsTalk(trigger.text));
}

const CONTEXTS_MAX = 400;

/** What models are told beside the talk, or as words of the caller, with the last request that was told so. */
function contextsOf(steps: readonly Step[]): ReadonlyMap<string, number> {
  const contexts = new Map<string, number>();
  for (const [at, { request, input }] of steps.entries()) {
    const told = input.filter(({ kind }) => kind === 'caller' || kind === 'agent').map(({ text }) => text);
    for (const text of [request.system, ...told]) {
      const plain = text.length > TELLING_LENGTH ? plainWords(text) : '';
      if (plain !== '' && (contexts.size < CONTEXTS_MAX || contexts.has(plain))) contexts.set(plain, at);
    }
  }
  return contexts;
}

export const TASKS =
  /\b(?:summari[sz]\w*|condense|compress|classif\w+|categori[sz]e|rout(?:e|er|es|ing)|triage|guardrails?|moderat\w+|judge|grader?|evaluat\w+|critique|extract)\b|\b(?:only|just) (?:with |in |as )?(?:valid )?(?:json|a label|one word|yes or no|true or false)\b/i;
const TASK_NAMES = /summar|router|routing|classif|judge|evaluat|guard|moderat|intent|extract|grader|title/i;

/** Whether a request looks like one whose answer is for a program. */
function isSuspicious({ request, trigger, output }: Step): boolean {
  const asked = `${request.system.slice(0, 600)}\n${trigger !== null ? trigger.text.slice(0, 200) : ''}`;
  const answer = output.find(({ kind }) => kind === 'agent')?.text ?? '';
  return TASKS.test(asked) || TASK_NAMES.test(request.within) || isForPrograms(answer);
}

/** JSON, or a label. */
const isForPrograms = (text: string) => /^\s*[[{]/.test(text) || /^\s*[\w-]{1,24}\s*$/.test(text);
