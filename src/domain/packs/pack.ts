import type { Json } from '../json.ts';
import type { Check, Criterion, Fixture, TestSpec } from '../tests/spec.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';

export const ATTACK_KINDS = [
  'jailbreak',
  'tool_injection',
  'data_fishing',
  'abuse',
  'off_topic',
  'authority',
  'emotional_pressure',
  'language_switch',
] as const;
export type AttackKind = (typeof ATTACK_KINDS)[number];

/** Tests that come with the product and fit every agent. */
export interface TestPack {
  /** What a run is started by. */
  id: string;
  name: string;
  description: string;
  tests: readonly PackTest[];
}

/** What tests name that were made of a pack; runs of all tests leave them to runs of the pack. */
export const FROM_PACK = 'pack:';
export const fromPack = (pack: Pick<TestPack, 'id'>, testId: string): string => `${FROM_PACK}${pack.id}/${testId}`;

export interface PackTest {
  /** Unique in its pack, and stable: tests that were made of it are found by it. */
  id: string;
  kind: AttackKind;
  title: string;
  goal: string;
  opening: string;
  /** Null: a model plays the caller. */
  script: readonly string[] | null;
  style?: string;
  /** What every tool of the agent answers. */
  plants?: Json;
  criteria: readonly PackCriterion[];
}

export type PackCriterion = { id: string; text: string } & (
  | { check: Check | null }
  /** No tool is called whose name holds one of these words. */
  | { neverCalls: readonly string[] }
);

export interface PackFor {
  /** Null where it was never read. */
  configuration: AgentConfiguration | null;
  hasSimulator: boolean;
  hasJudge: boolean;
}

export interface MadeOfPack {
  id: string;
  kind: AttackKind;
  title: string;
  /** Null where it is left out, for `reason`. */
  spec: TestSpec | null;
  reason: string | null;
}

const SPARE_TURNS = 2;
const TURNS_OF_A_MODEL = 12;

/** The tests of a pack as they fit an agent; what can't be played or judged is left out with the reason. */
export function testsOfPack({ tests }: TestPack, fits: PackFor): MadeOfPack[] {
  return tests.map((test) => {
    const { id, kind, title } = test;
    const made = specFor(test, fits);
    return typeof made === 'string'
      ? { id, kind, title, spec: null, reason: made }
      : { id, kind, title, spec: made, reason: null };
  });
}

function specFor(test: PackTest, { configuration, hasSimulator, hasJudge }: PackFor): TestSpec | string {
  const tools = (configuration?.tools ?? []).filter(({ kind }) => kind === 'other').map(({ name }) => name);
  if (test.script === null && !hasSimulator) return 'A model has to play this caller, and none is configured.';
  if (test.kind === 'tool_injection' && tools.length === 0) {
    return 'The agent has no tool whose answer could hold the attack.';
  }
  const criteria = test.criteria.flatMap((criterion) => criteriaFor(criterion, tools, hasJudge));
  if (!criteria.some(({ required }) => required)) return 'Only a model can judge it, and no judge is configured.';
  const { plants } = test;
  return {
    caller: {
      goal: test.goal,
      opening: test.opening,
      facts: {},
      style: test.style ?? '',
      script: test.script === null ? null : [...test.script],
    },
    fixtures:
      plants === undefined ? [] : tools.map((tool): Fixture => ({ tool, match: null, respond: plants, times: null })),
    criteria,
    maxTurns: test.script === null ? TURNS_OF_A_MODEL : test.script.length + 1 + SPARE_TURNS,
    tier: 'text',
  };
}

/** What only a model can judge decides where a judge is configured, and is no more than reported where none is. */
function criteriaFor(criterion: PackCriterion, tools: readonly string[], hasJudge: boolean): Criterion[] {
  const { id, text } = criterion;
  if ('check' in criterion) {
    const { check } = criterion;
    return [{ id, text, required: check !== null || hasJudge, check }];
  }
  const named = tools.filter((tool) => wordsOfName(tool).some((word) => criterion.neverCalls.includes(word)));
  return named.map((tool, at) => ({
    id: at === 0 ? id : `${id}-${at + 1}`,
    text: `${text} Does not call ${tool}.`,
    required: true,
    check: { kind: 'tool_not_called', tool },
  }));
}

/** `cancelAppointment` and `cancel_appointment` are cancel and appointment. */
const wordsOfName = (name: string): string[] =>
  name
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .split(/[^a-z\d]+/);
