import type { CallResource } from '../../src/contract/call.ts';
import type { IssueResource } from '../../src/contract/issue.ts';
import type { RunResource } from '../../src/contract/run.ts';
import { orNull } from '../find-anywhere.ts';
import { query, walk } from '../lists.ts';
import { isOver } from '../runs/wait-for-run.ts';
import type { ExportedKind } from './cursor.ts';

interface Thing {
  id: string;
}

/** What an export tells of one kind of thing. */
export interface Source {
  all(): AsyncIterable<Thing>;
  /** One that is not among them, as they are; null where it is gone. */
  find(id: string): Promise<Thing | null>;
  /** What is told of it. */
  dataOf(thing: Thing): Promise<unknown>;
}

/** @param read asks the server. */
export function sourcesOf(read: <T>(path: string) => Promise<T>, agentId: string): Record<ExportedKind, Source> {
  const base = `/v1/agents/${agentId}`;
  const listed = <T extends Thing>(path: string) => walk<T>(read, `${base}/${path}`);
  const one = <T extends Thing>(path: string) => orNull(read<T>(`${base}/${path}`));
  const asItIs = async (thing: Thing) => thing;
  return {
    issue: {
      all: () => listed<IssueResource>('issues?includeResolved=true&includeDownstream=true'),
      find: (id) => one<IssueResource>(`issues/${id}`),
      dataOf: asItIs,
    },
    call: {
      all: () => listed<CallResource>('calls'),
      async find(id) {
        const call = await one<CallResource>(`calls/${id}`);
        // Alone a call has more than in a list, and so another digest.
        return call && first(listed<CallResource>(`calls${query({ providerCallId: call.providerCallId })}`));
      },
      dataOf: asItIs,
    },
    run: {
      all: () => finished(listed<RunResource>('runs')),
      find: (id) => one<RunResource>(`runs/${id}`),
      dataOf: async ({ id, ...run }) => ({ id, ...run, result: await read(`${base}/runs/${id}/result`) }),
    },
  };
}

async function* finished(runs: AsyncIterable<RunResource>): AsyncGenerator<RunResource> {
  for await (const run of runs) if (isOver(run)) yield run;
}

async function first<T>(items: AsyncIterable<T>): Promise<T | null> {
  for await (const item of items) return item;
  return null;
}
