import { CATALOGUE } from '../signals/catalogue.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { isTool, stepsNamed } from './named-parts.ts';
import type { Check, TestSpec } from './spec.ts';
import { canFind } from './weigh-signals.ts';

export interface SpecProblem {
  /** The field, such as `spec.criteria[0].check.tool`. */
  param: string;
  message: string;
  /**
   * `undecidable`: no simulated call could ever decide it, so it is not stored. `wrong`: the version does not fit it, which
   * another version may. `note`: it has no effect.
   */
  weight: 'undecidable' | 'wrong' | 'note';
}

export interface ValidatedFor {
  version: number;
  /** Null where it was not captured: then names of tools and steps are not compared. */
  configuration: AgentConfiguration | null;
}

/** What is wrong with a spec whose shape is right, in the order of its fields. */
export function problemsOf(spec: TestSpec, target: ValidatedFor): SpecProblem[] {
  const places = readable(target);
  return [
    ...problemsOfCaller(spec),
    ...(places === null
      ? []
      : spec.fixtures.flatMap(({ tool }, at) => missingTool(places, target, tool, `spec.fixtures[${at}].tool`))),
    ...problemsOfCriteria(spec),
    ...spec.criteria.flatMap(({ check }, at) =>
      check === null ? [] : problemsOfCheck(check, `spec.criteria[${at}].check`, spec, places, target),
    ),
  ];
}

function problemsOfCaller({ caller, maxTurns }: TestSpec): SpecProblem[] {
  if (caller.script === null) return [];
  const problems: SpecProblem[] = [];
  const lines = caller.script.length + 1;
  if (lines > maxTurns) {
    problems.push({
      param: 'spec.caller.script',
      message: `The opening and the script are ${lines} lines, and maxTurns lets the caller speak ${maxTurns} times.`,
      weight: 'undecidable',
    });
  }
  if (caller.style !== '') {
    problems.push({
      param: 'spec.caller.style',
      message: 'The script is said word for word, so the style has no effect.',
      weight: 'note',
    });
  }
  return problems;
}

function problemsOfCriteria({ criteria }: TestSpec): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const seen = new Set<string>();
  for (const [at, { id }] of criteria.entries()) {
    if (seen.has(id)) {
      const message = `Another criterion has the id ${JSON.stringify(id)} already.`;
      problems.push({ param: `spec.criteria[${at}].id`, message, weight: 'undecidable' });
    }
    seen.add(id);
  }
  if (!criteria.some(({ required }) => required)) {
    const message = 'At least one criterion must be required: nothing else decides whether the test passes.';
    problems.push({ param: 'spec.criteria', message, weight: 'undecidable' });
  }
  return problems;
}

function problemsOfCheck(
  check: Check,
  param: string,
  spec: TestSpec,
  places: AgentConfiguration | null,
  target: ValidatedFor,
): SpecProblem[] {
  switch (check.kind) {
    case 'tool_called':
    case 'tool_not_called':
    case 'tool_called_with':
      return places === null ? [] : missingTool(places, target, check.tool, `${param}.tool`);
    case 'reached':
      return places === null ? [] : missingStep(places, target, check.step, `${param}.step`);
    case 'order':
      if (places === null) return [];
      return check.steps.flatMap((name, at) => missingPlace(places, target, name, `${param}.steps[${at}]`));
    case 'turns_at_most':
      return spec.maxTurns * 2 < check.turns ? [alwaysMet(`${param}.turns`, spec)] : [];
    case 'no_finding':
      return canFind(check.code) ? [] : [neverShown(check.code, `${param}.code`)];
    case 'said':
    case 'not_said':
    case 'ended_by':
      return [];
    default:
      return check satisfies never;
  }
}

/** Null where nothing of it can be read: not captured, or a model on the customer's own server. */
function readable({ configuration }: ValidatedFor): AgentConfiguration | null {
  return configuration === null || configuration.kind === 'own_model' ? null : configuration;
}

function missingTool(
  places: AgentConfiguration,
  { version }: ValidatedFor,
  tool: string,
  param: string,
): SpecProblem[] {
  if (isTool(tool, places)) return [];
  const message = `Version ${version} has no tool ${tool}. ${itHas(toolsOf(places), 'tools')}`;
  return [{ param, message, weight: 'wrong' }];
}

function missingStep(
  places: AgentConfiguration,
  { version }: ValidatedFor,
  step: string,
  param: string,
): SpecProblem[] {
  if (stepsNamed(step, places).size > 0) return [];
  const message = `Version ${version} has no step ${step}. ${itHas(stepsOf(places), 'steps')}`;
  return [{ param, message, weight: 'wrong' }];
}

function missingPlace(
  places: AgentConfiguration,
  { version }: ValidatedFor,
  name: string,
  param: string,
): SpecProblem[] {
  if (isTool(name, places) || stepsNamed(name, places).size > 0) return [];
  const known = [...toolsOf(places), ...stepsOf(places)];
  const message = `Version ${version} has neither a tool nor a step ${name}. ${itHas(known, 'tools and steps')}`;
  return [{ param, message, weight: 'wrong' }];
}

const alwaysMet = (param: string, { maxTurns }: TestSpec): SpecProblem => ({
  param,
  message: `With a maxTurns of ${maxTurns} caller and agent hardly speak that often: this is always met.`,
  weight: 'note',
});

const neverShown = (code: string, param: string): SpecProblem => ({
  param,
  message: CATALOGUE.has(code)
    ? `Our detectors can't say of a call that is played as text whether it shows ${code}.`
    : `There is no finding with the code ${JSON.stringify(code)}: /v1/signals lists them.`,
  weight: 'undecidable',
});

const toolsOf = ({ tools }: AgentConfiguration) => tools.map(({ name }) => name);
const stepsOf = ({ nodes }: AgentConfiguration) => nodes.map(({ label }) => label);

const SHOWN_MAX = 12;

function itHas(names: string[], what: string): string {
  if (names.length === 0) return `It has no ${what}.`;
  const shown = names.slice(0, SHOWN_MAX).join(', ');
  return names.length > SHOWN_MAX ? `It has ${shown} and ${names.length - SHOWN_MAX} more.` : `It has ${shown}.`;
}
