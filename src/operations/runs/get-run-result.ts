import { createHash } from 'node:crypto';
import { runResult } from '../../contract/run-result.ts';
import { findRunResult, type RunResult } from '../../db/runs/run-documents.ts';
import { comparedDocument } from '../../domain/runs/compare.ts';
import { documentBytes } from '../../domain/runs/result-document.ts';
import type { ResultDocument } from '../../domain/runs/result-document-shape.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation, StoredDocument } from '../operation.ts';
import { idParam } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { runResultParent } from './parent.ts';

export const getRunResult = defineOperation({
  id: 'getRunResult',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/runs/{runId}/result',
  scope: 'read',
  tag: 'Runs',
  summary: 'Read the result document of a run',
  description:
    'Which criteria were met, who decided each, and what broke or got fixed, each cell against its last result in an earlier run. It is stored when the run ends, and answered byte for byte as webhooks and the command line have it; the entity tag is its SHA-256. Of a run that goes on: 409 run_not_finished. Of a refused or failed run: all cells not_run. `comparedTo` is the newest of those runs. `compareTo` compares with one run alone; a result of another epoch is not compared, and every `change` is then null.',
  whenToUse: 'Use it once a run is complete, to see what passed, what failed and why.',
  parents: [runResultParent],
  query: { compareTo: idParam('Compare with this run alone instead of with the last result of each cell.') },
  isLarge: true,
  response: runResult,
  refuses: ['run_not_finished'],
  async run(context, { query }) {
    const row = context.parent(runResultParent);
    if (query.compareTo === row.id) {
      throw new Failure('invalid_parameter', 'A run is not compared with itself.', { param: 'compareTo' });
    }
    const compareTo = query.compareTo === null ? null : await findOther(context, query.compareTo);
    if (row.finishedAt === null) {
      throw new Failure('run_not_finished', `The run is ${row.status}. ${row.message ?? 'Ask again when it is over.'}`);
    }
    const own = documentOf(row);
    if (compareTo === null) return new StoredDocument(own.body, own.sha256);
    const other = otherDocument(compareTo);
    const text = documentBytes(comparedDocument(parsed(own), parsed(other)));
    return new StoredDocument(text, createHash('sha256').update(text).digest('hex'));
  },
});

type Stored = NonNullable<RunResult['document']>;

// Stored as this program wrote it, in the shape of the response.
const parsed = ({ body }: Stored): ResultDocument => JSON.parse(body);

function documentOf({ document }: RunResult): Stored {
  // Only where an error of ours kept it from being written, which the run's message tells of.
  if (document === null) throw new Failure('run_not_finished', 'The result of this run could not be written.');
  return document;
}

async function findOther({ em, agent }: Context, runId: string): Promise<RunResult> {
  const other = await findRunResult(em, scopeOf(agent), runId);
  if (other === null) throw new Failure('run_not_found', 'There is no run with this id here.', { param: 'compareTo' });
  return other;
}

function otherDocument(other: RunResult): Stored {
  if (other.finishedAt === null) {
    throw new Failure('run_not_finished', `The run to compare with is ${other.status}.`, { param: 'compareTo' });
  }
  return documentOf(other);
}
