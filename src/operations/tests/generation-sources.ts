import type { GenerateTestsInput } from '../../contract/test.ts';
import { findIssue } from '../../db/issues/read-issues.ts';
import { coverableIntents, openIssues } from '../../db/tests/test-coverage.ts';
import type { candidatesFor } from '../../db/tests/test-sources.ts';
import { currentConfiguration } from '../../db/versions/versions.ts';
import type { Coverable } from '../../domain/tests/coverage.ts';
import { toolsNamedIn } from '../../domain/tests/named-parts.ts';
import type { TestOrigin } from '../../domain/tests/origin.ts';
import { briefOf } from '../brief/brief.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** Something that a test is to be made from, and how. */
export interface TestSourceToUse {
  /** As it stands in `generatedFrom`. */
  from: string;
  /** Asked for by name, so that it is said why no test came of it. */
  isNamed: boolean;
  /** Calls that it can be played by. */
  calls: Parameters<typeof candidatesFor>[2];
  /** How the call that plays it should have ended. */
  prefers: 'well' | 'badly';
  origin: TestOrigin;
}

/** @throws Failure naming what does not exist. */
export async function chooseSources(context: Context, body: GenerateTestsInput): Promise<TestSourceToUse[]> {
  const { issueIds = [], intents = [], briefLines = [] } = body;
  if (issueIds.length + intents.length + briefLines.length === 0) return unnamedSources(context);
  return [
    ...(await ofIssues(context, issueIds)),
    ...(await ofIntents(context, intents)),
    ...(await ofLines(context, briefLines)),
  ];
}

async function unnamedSources({ em, agent }: Context): Promise<TestSourceToUse[]> {
  const issues = await openIssues(em, scopeOf(agent), agent.boardSource);
  const intents = (await coverableIntents(em, scopeOf(agent))).toSorted((a, b) => (b.calls ?? 0) - (a.calls ?? 0));
  return [...issues.map((issue) => ofIssue(issue, false)), ...intents.map((intent) => ofIntent(intent, false))];
}

async function ofIssues({ em, agent }: Context, issueIds: readonly string[]): Promise<TestSourceToUse[]> {
  const sources: TestSourceToUse[] = [];
  for (const [at, id] of issueIds.entries()) {
    const issue = await findIssue(em, scopeOf(agent), id);
    if (!issue) throw new Failure('issue_not_found', 'There is no such issue.', { param: `issueIds[${at}]` });
    sources.push(ofIssue(issue, true));
  }
  return sources;
}

const ofIssue = (
  { id, code, title }: { id: string; code: string; title: string },
  isNamed: boolean,
): TestSourceToUse => ({
  from: `issue:${id}`,
  isNamed,
  calls: { issueId: id },
  prefers: 'badly',
  origin: { kind: 'issue', code, title },
});

async function ofIntents({ em, agent }: Context, slugs: readonly string[]): Promise<TestSourceToUse[]> {
  if (slugs.length === 0) return [];
  const known = await coverableIntents(em, scopeOf(agent));
  return slugs.map((slug, at) => {
    const intent = known.find(({ id, aliases }) => id === slug || aliases.includes(slug));
    if (!intent) throw new Failure('intent_not_found', `There is no intent ${slug}.`, { param: `intents[${at}]` });
    return ofIntent(intent, true);
  });
}

const ofIntent = (intent: Coverable, isNamed: boolean): TestSourceToUse => ({
  from: `intent:${intent.id}`,
  isNamed,
  calls: { slugs: [intent.id, ...intent.aliases] },
  prefers: 'well',
  origin: { kind: 'intent', label: intent.label },
});

async function ofLines(context: Context, lines: readonly number[]): Promise<TestSourceToUse[]> {
  if (lines.length === 0) return [];
  const { brief } = await briefOf(context);
  const configuration = await currentConfiguration(context.em, context.agent.id);
  return lines.map((line, at) => {
    const rule = brief?.rules.find((one) => one.line === line);
    if (!rule) {
      const message = `briefLines[${at}]: the brief holds no rule from line ${line}.`;
      throw new Failure('invalid_parameter', message, { param: `briefLines[${at}]` });
    }
    const named = toolsNamedIn(rule.text, configuration);
    const tools = (configuration?.tools ?? []).filter(({ id, name }) => named.includes(id) || named.includes(name));
    const toolIds = tools.flatMap(({ id, name }) => [id, name]);
    return {
      from: `brief:${line}`,
      isNamed: true,
      calls: toolIds.length === 0 ? 'any' : { toolIds },
      prefers: 'well',
      origin: { kind: 'rule', rule },
    };
  });
}
