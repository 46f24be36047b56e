import { CATALOGUE } from '../signals/catalogue.ts';
import { isTool, stepsNamed } from '../tests/named-parts.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import type { WatchExpectation, WatchForm, WatchScope } from './watch.ts';

/** Why a form would say nothing, and which part of it is at fault. */
export interface FormProblem {
  param: string;
  message: string;
}

export interface KnownToCheck {
  /** Null where the agent's configuration was never captured: then nothing about tools and steps can be told. */
  configuration: AgentConfiguration | null;
  /** Slugs; null where no intent is known yet. */
  intents: readonly string[] | null;
}

/** An expectation that can never hold, always holds, or never applies; null where it can do both. */
export function problemOf(form: WatchForm, known: KnownToCheck): FormProblem | null {
  return (
    unknownIn(form.scope, 'scope.code', known) ??
    unknownIn(form.expectation, 'expectation.code', known) ??
    neverFound(form.expectation) ??
    emptyBounds(form.expectation) ??
    settled(form, known)
  );
}

function unknownIn(part: WatchScope | WatchExpectation, at: string, known: KnownToCheck): FormProblem | null {
  const { configuration } = known;
  for (const [field, name] of Object.entries(part)) {
    if (
      configuration &&
      (field === 'tool' || field === 'before') &&
      typeof name === 'string' &&
      !isTool(name, configuration)
    ) {
      return { param: `${at}.${field}`, message: `The agent has no tool "${name}", so this can never apply.` };
    }
    if (configuration && field === 'step' && typeof name === 'string' && !hasStep(name, configuration)) {
      return { param: `${at}.step`, message: `The agent has no step "${name}", so no call ever comes to it.` };
    }
    if (field === 'intent' && known.intents && !known.intents.includes(String(name))) {
      return {
        param: `${at}.intent`,
        message: `No call of the agent is about "${String(name)}", so this never applies.`,
      };
    }
  }
  return unknownArgument(part, at, known);
}

/** A code that the analysis never puts among a call's signals. */
function neverFound(expectation: WatchExpectation): FormProblem | null {
  if (expectation.kind !== 'signal') return null;
  const { code } = expectation;
  const entry = CATALOGUE.get(code);
  const param = 'expectation.code.code';
  if (entry === undefined) return { param, message: `The catalogue has no code "${code}".` };
  if (entry.observation !== true) return null;
  return { param, message: `${code} is only noted on calls and never a signal, so this never applies.` };
}

function emptyBounds(expectation: WatchExpectation): FormProblem | null {
  const at = expectation.kind === 'measure' ? '' : '.times';
  const bounds = expectation.kind === 'measure' ? expectation : 'times' in expectation ? expectation.times : undefined;
  if (bounds === undefined) return null;
  const { atLeast, atMost } = bounds;
  const param = `expectation.code${at}`;
  if (atLeast === undefined && atMost === undefined)
    return { param, message: 'Give a bound: atLeast, atMost or both.' };
  return (atLeast ?? 0) > (atMost ?? Number.POSITIVE_INFINITY)
    ? { param, message: 'atLeast is above atMost, so this can never hold.' }
    : null;
}

const hasStep = (name: string, configuration: AgentConfiguration) => stepsNamed(name, configuration).size > 0;

/** A tool that takes named arguments and no others is never called with one that it does not have. */
function unknownArgument(
  part: WatchScope | WatchExpectation,
  at: string,
  { configuration }: KnownToCheck,
): FormProblem | null {
  if (part.kind !== 'tool_called_with') return null;
  const tool = configuration?.tools.find(({ name }) => name === part.tool);
  const parameters = tool?.parameters;
  if (parameters === null || typeof parameters !== 'object' || Array.isArray(parameters)) return null;
  const { properties } = parameters;
  if (properties === null || typeof properties !== 'object' || Array.isArray(properties)) return null;
  const stranger = Object.keys(part.args).find((name) => !Object.hasOwn(properties, name));
  return stranger === undefined
    ? null
    : { param: `${at}.args.${stranger}`, message: `${part.tool} takes no "${stranger}", so this can never hold.` };
}

/** What the scope says settles what is expected. */
function settled({ scope, expectation, polarity }: WatchForm, { configuration }: KnownToCheck): FormProblem | null {
  const is = isSettled(scope, expectation) ?? isStart(expectation, configuration);
  if (is === null) return null;
  const holds = is === (polarity === 'must');
  const message = holds
    ? 'On the calls that it is about this always holds, so it would say nothing.'
    : 'On the calls that it is about this can never hold.';
  return { param: 'expectation', message };
}

/** Whether it happens on every call of the scope (true), on none (false), or on some (null). */
function isSettled(scope: WatchScope, expectation: WatchExpectation): boolean | null {
  if (expectation.kind === 'tool_called_before' && expectation.tool === expectation.before) return false;
  if (scope.kind === 'tool_called' && expectation.kind === 'tool_called') {
    const { atLeast = 1, atMost = null } = expectation.times ?? {};
    // Where it has to follow the call that the scope begins with, it is another call of it.
    return scope.tool === expectation.tool && !scope.following && atLeast <= 1 && atMost === null ? true : null;
  }
  if (scope.kind === 'step_reached' && expectation.kind === 'reaches') return scope.step === expectation.step || null;
  if (scope.kind === 'outcome' && expectation.kind === 'outcome') return scope.outcome === expectation.outcome;
  // A call without contact is one on which no caller spoke; these scopes are about callers who did.
  const spoke = scope.kind === 'all_calls' || scope.kind === 'caller_said';
  return spoke && expectation.kind === 'outcome' && expectation.outcome === 'no_contact' ? false : null;
}

/** Every call begins at the start. */
function isStart(expectation: WatchExpectation, configuration: AgentConfiguration | null): true | null {
  const start = configuration?.startNodeId ?? null;
  if (expectation.kind !== 'reaches' || start === null) return null;
  return expectation.step === start || stepsNamed(expectation.step, configuration).has(start) || null;
}
