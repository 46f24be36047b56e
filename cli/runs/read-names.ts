import type { AgentResource } from '../../src/contract/agent.ts';
import type { TestResource } from '../../src/contract/test.ts';
import { readList } from '../lists.ts';
import { ServerProblem } from '../problem.ts';
import type { Session } from '../session.ts';
import type { Names, RunDocument } from './messages.ts';

interface Named {
  id: string;
  name: string;
}

/** Titles of tests and names of personas, which a document names by id. What was archived since is asked for one by one. */
export async function readNames(
  { client }: Session,
  agent: Pick<AgentResource, 'id' | 'name'>,
  document: RunDocument,
): Promise<Names> {
  const base = `/v1/agents/${agent.id}`;
  const listed = await readList<TestResource>(client, `${base}/tests`);
  const tests = new Map(listed.map(({ id, title }) => [id, title]));
  for (const { testId } of document.cells) {
    if (tests.has(testId)) continue;
    const title = await titleOrNull(() => client.read<TestResource>(`${base}/tests/${testId}`));
    tests.set(testId, title ?? testId);
  }
  const hasPersonas = document.cells.some(({ persona }) => !persona.startsWith('@'));
  const personas = hasPersonas ? await readList<Named>(client, `${base}/personas`) : [];
  return { agent: agent.name, tests, personas: new Map(personas.map(({ id, name }) => [id, name])) };
}

async function titleOrNull(read: () => Promise<TestResource>): Promise<string | null> {
  try {
    return (await read()).title;
  } catch (error) {
    if (error instanceof ServerProblem && error.status === 404) return null;
    throw error;
  }
}
