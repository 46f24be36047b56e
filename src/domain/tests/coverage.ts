import type { AgentConfiguration } from '../versions/configuration.ts';
import { stepsNamed, toolNames } from './named-parts.ts';
import { type TestSpec, toolOfCheck } from './spec.ts';

export const COVERABLE_KINDS = ['intent', 'node', 'tool', 'issue'] as const;

/** Something that tests can cover. */
export interface Coverable {
  kind: (typeof COVERABLE_KINDS)[number];
  /** An intent's slug, a node's id, a tool's name, an issue's id. */
  id: string;
  label: string;
  /** Calls that it concerns; null where nobody counts them. */
  calls: number | null;
  /** Further ids under which it may be met: slugs that were merged into an intent, the platform's id of a tool. */
  aliases: readonly string[];
}

/** What is known of a test beside its spec, from the production call that it was made from. */
export interface TestReach {
  id: string;
  spec: Pick<TestSpec, 'criteria' | 'fixtures'>;
  generatedFrom: string | null;
  /** Intents of the source call, the places that it reached, and the issues that it is evidence of. */
  intents: readonly string[];
  places: readonly { kind: string; id: string }[];
  issueIds: readonly string[];
}

export interface Covered extends Omit<Coverable, 'aliases'> {
  testIds: string[];
}

const ORDER = new Map(COVERABLE_KINDS.map((kind, at) => [kind, at]));

/** Which tests cover what: by kind, what has no test first, then by calls. */
export function coverByTests(
  items: readonly Coverable[],
  tests: readonly TestReach[],
  configuration: AgentConfiguration | null,
): Covered[] {
  const reached = tests.map((test) => ({ id: test.id, keys: keysOf(test, configuration) }));
  return items
    .map(({ aliases, ...item }) => {
      const names = [item.id, ...aliases].map((name) => keyOf(item.kind, name));
      const covering = reached.filter(({ keys }) => names.some((name) => keys.has(name)));
      return { ...item, testIds: covering.map(({ id }) => id) };
    })
    .toSorted(
      (a, b) =>
        (ORDER.get(a.kind) ?? 0) - (ORDER.get(b.kind) ?? 0) ||
        Number(a.testIds.length > 0) - Number(b.testIds.length > 0) ||
        (b.calls ?? 0) - (a.calls ?? 0) ||
        (a.label < b.label ? -1 : 1),
    );
}

const keyOf = (kind: string, id: string) => `${kind}:${id}`;

function keysOf(test: TestReach, configuration: AgentConfiguration | null): Set<string> {
  const { spec, generatedFrom } = test;
  const steps = (name: string) => [...stepsNamed(name, configuration)].map((id) => keyOf('node', id));
  const tools = (name: string) => [...toolNames(name, configuration)].map((id) => keyOf('tool', id));
  return new Set([
    ...test.intents.map((slug) => keyOf('intent', slug)),
    ...test.places.map(({ kind, id }) => keyOf(kind, id)),
    ...test.issueIds.map((id) => keyOf('issue', id)),
    ...(generatedFrom === null ? [] : [generatedFrom]),
    ...spec.fixtures.flatMap(({ tool }) => tools(tool)),
    ...spec.criteria.flatMap(({ check }) => {
      if (check === null) return [];
      if (check.kind === 'reached') return steps(check.step);
      if (check.kind === 'order') return check.steps.flatMap((name) => [...steps(name), ...tools(name)]);
      const tool = toolOfCheck(check);
      return tool === null ? [] : tools(tool);
    }),
  ]);
}
