import { z } from 'zod';
import { startedImport } from '../../contract/import.ts';
import { createImport } from '../../db/imports/imports.ts';
import { findImport, hasImports } from '../../db/imports/read-imports.ts';
import { sendsCalls } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { ParamProblem, readNamed, readTime } from '../params.ts';
import { scopeOf } from '../scope-of.ts';
import { orderImport } from './order-import.ts';
import { presentImport } from './present.ts';
import { storeUpload } from './store-upload.ts';

const MOST_CALLS = 1000;
const REACH_DAYS = 30;
const DAY_MS = 86_400_000;

export const startImport = defineOperation({
  id: 'startImport',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/imports',
  scope: 'person',
  tag: 'Imports',
  summary: 'Start an import',
  description:
    "From the agent's platform: its newest calls of the last 30 days, at most 1,000. For an agent of files, or one that sends its calls, the body is the records themselves, one JSON object a line; lines that are no records are kept with their number, the others are imported.",
  body: z
    .strictObject({
      limit: z.int().min(1).max(MOST_CALLS).optional(),
      since: z.string().optional().describe('A time with a zone, at most 30 days back.'),
    })
    .optional(),
  takesLines: true,
  response: startedImport,
  // An upload takes as long as its sender; no transaction stays open for that.
  transaction: false,
  async run(context, { body, lines }) {
    const { agent } = context;
    if (sendsCalls(agent.provider)) {
      if (!lines) {
        throw new Failure(
          'invalid_body',
          'This agent takes its records as the body: one JSON object a line, sent with content-type application/x-ndjson.',
        );
      }
      return storeUpload(context, lines);
    }
    if (lines)
      throw new Failure('invalid_body', `The calls of this agent come from ${agent.provider}, not from a file.`);
    const text = body?.since;
    const since = text === undefined ? null : readNamed('since', () => readSince(context, text));
    return importFromPlatform(context, body?.limit ?? MOST_CALLS, since);
  },
});

function readSince(context: Context, text: string): string {
  const since = readTime(text);
  if (Date.parse(since) < context.services.now().getTime() - REACH_DAYS * DAY_MS) {
    throw new ParamProblem(`must be at most ${REACH_DAYS} days back`);
  }
  return since;
}

async function importFromPlatform(context: Context, limit: number, since: string | null) {
  const { agent, services } = context;
  return context.em.transactional(async (em) => {
    const kind = (await hasImports(em, agent.id)) ? 'manual' : 'first';
    const request = await createImport(em, {
      workspaceId: agent.workspaceId,
      agentId: agent.id,
      kind,
      limit,
      from: since,
    });
    await orderImport(em, services, agent, request);
    const row = await findImport(em, scopeOf(agent), request.importId);
    if (!row) throw new Error('An import that was just made is not there.');
    await context.audited(em, { id: row.id });
    return context.kept(em, { ...presentImport(row), badLines: [] });
  });
}
