import type { Finding } from '../packages/embedded/finding.ts';
import type { ConnectionResource } from '../src/contract/connection.ts';
import { readAll } from './lists.ts';
import { Problem } from './problem.ts';
import { openSession } from './session.ts';

/** Spans that produce no call, as far as the person who is signed in may see them. */
export async function examineSpans(): Promise<Finding[]> {
  const { client, access } = openSession({});
  if (access.session === null) return [];
  try {
    const connections = await readAll<ConnectionResource>((path) => client.person('GET', path), '/app/connections');
    return connections.flatMap(({ platform, spans }) => (spans === null ? [] : spanFinding(platform, spans)));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [{ name: 'Spans', state: 'absent', says: `can't be looked at: ${error.message}`, todo: null }];
  }
}

function spanFinding(platform: string, { traces, left }: NonNullable<ConnectionResource['spans']>): Finding[] {
  const name = `Spans (${platform})`;
  if (left.length === 0) return [{ name, state: 'fine', says: `${traces} traces, none without a call`, todo: null }];
  return left.map(({ says, advice }) => ({ name, state: 'absent', says, todo: advice }));
}
