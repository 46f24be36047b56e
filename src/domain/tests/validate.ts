import type { AgentConfiguration } from '../versions/configuration.ts';
import { isSameName } from './names.ts';
import type { Check, TestSpec } from './spec.ts';

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
  const places = placesOf(target.configuration);
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
  places: Places | null,
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
      if (check.turns < spec.maxTurns) return [];
      return [
        {
          param: `${param}.turns`,
          message: `The caller speaks at most ${spec.maxTurns} times anyway, by maxTurns: this is always met.`,
          weight: 'note',
        },
      ];
    case 'said':
    case 'not_said':
    case 'ended_by':
      return [];
    default:
      return check satisfies never;
  }
}

interface Places {
  tools: string[];
  steps: { id: string; label: string }[];
}

/** Null where nothing of them can be read: not captured, or a model on the customer's own server. */
function placesOf(configuration: AgentConfiguration | null): Places | null {
  if (configuration === null || configuration.kind === 'own_model') return null;
  return {
    tools: configuration.tools.map(({ name }) => name),
    steps: configuration.nodes.map(({ id, label }) => ({ id, label })),
  };
}

const hasTool = ({ tools }: Places, name: string) => tools.includes(name);
const hasStep = ({ steps }: Places, name: string) =>
  steps.some(({ id, label }) => id === name || isSameName(label, name));

function missingTool(places: Places, { version }: ValidatedFor, tool: string, param: string): SpecProblem[] {
  if (hasTool(places, tool)) return [];
  const message = `Version ${version} has no tool ${tool}. ${itHas(places.tools, 'tools')}`;
  return [{ param, message, weight: 'wrong' }];
}

function missingStep(places: Places, { version }: ValidatedFor, step: string, param: string): SpecProblem[] {
  if (hasStep(places, step)) return [];
  const steps = places.steps.map(({ label }) => label);
  const message = `Version ${version} has no step ${step}. ${itHas(steps, 'steps')}`;
  return [{ param, message, weight: 'wrong' }];
}

function missingPlace(places: Places, { version }: ValidatedFor, name: string, param: string): SpecProblem[] {
  if (hasTool(places, name) || hasStep(places, name)) return [];
  const known = [...places.tools, ...places.steps.map(({ label }) => label)];
  const message = `Version ${version} has neither a tool nor a step ${name}. ${itHas(known, 'tools and steps')}`;
  return [{ param, message, weight: 'wrong' }];
}

const SHOWN_MAX = 12;

function itHas(names: string[], what: string): string {
  if (names.length === 0) return `It has no ${what}.`;
  const shown = names.slice(0, SHOWN_MAX).join(', ');
  return names.length > SHOWN_MAX ? `It has ${shown} and ${names.length - SHOWN_MAX} more.` : `It has ${shown}.`;
}
