import { ApplicationFailure, Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import { type KnownNames, readKnownNames, readModelPolicy } from '../../src/db/models/model-policy.ts';
import {
  beginAsk,
  dropReading,
  keepReading,
  loadOpenReading,
  type OpenReading,
} from '../../src/db/models/model-readings.ts';
import { type Reservation, reserveUsage, settleUsage, type UsageKey } from '../../src/db/models/model-usage.ts';
import { costNanoUsd, mostTokens } from '../../src/domain/limits/model-cost.ts';
import {
  checkedReading,
  nextQuestion,
  type ReadingAnswers,
  withAnswer,
  withoutAnswer,
} from '../../src/domain/reading/steps.ts';
import type { StoredReading } from '../../src/domain/reading/stored-reading.ts';
import { ModelError } from '../../src/models/port.ts';
import { readingRequest } from '../../src/models/reading-question.ts';
import { applyReading } from '../../src/services/analysis/apply-reading.ts';
import { type LoadedCall, loadCallToRead } from '../../src/services/reading/call-to-read.ts';
import { FAILURE_TYPES } from '../../src/temporal/failures.ts';
import type { ReadOutcome } from '../../src/temporal/model-reader.ts';
import type { ActivityDeps } from '../deps.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';

export interface ModelReadingRequest {
  workspaceId: string;
  agentId: string;
  callId: string;
}

/** Questions about one call over all layers and processes: the first, and twice more. */
const ASKS_AT_MOST = 3;
const LONGEST_DELAY_MS = 600_000;
const PURPOSE = 'call_reading';

/**
 * Asks the model about one call: the question, a further one where the record is long or a finding is to be looked at
 * twice. Each answer is kept as it comes, so that no process asks for it again; another attempt of this activity is the
 * next try at what is open, and the record counts them, so that a process that died over one is counted too.
 */
export function createModelReading(deps: ActivityDeps) {
  const names = knownNames();
  return async function readCallByModel(request: ModelReadingRequest): Promise<ReadOutcome> {
    return withHeartbeat(
      () => ({ callId: request.callId }),
      async () => {
        const em = deps.database.within(request.workspaceId);
        const open = await loadOpenReading(em, request.agentId, request.callId);
        if (open === null || open.state === 'done' || open.state === 'dropped') return { state: 'read' };
        const policy = await readModelPolicy(em, request.agentId);
        const asks = policy.mode !== 'off' && deps.models.reader !== null;
        if (open.state === 'waiting' && policy.mode === 'off') return { state: 'read' };
        if (asks) {
          const known = await names(em, request.agentId);
          const read = await loadCallToRead(em, request, policy, known);
          if (read === null) return { state: 'read' };
          const outcome = await askAll(deps, em, request, open, read, known);
          if (outcome.state !== 'read') return outcome;
        } else if (open.state === 'waiting') {
          return { state: 'given up', reason: 'No model is configured any more.', trouble: false };
        }
        await applyReading(em, request.agentId, request.callId);
        return { state: 'read' };
      },
    );
  };
}

/** Asks whatever is open about the call, one question after the other, and keeps what is answered. */
async function askAll(
  deps: ActivityDeps,
  em: EntityManager,
  request: ModelReadingRequest,
  open: OpenReading,
  read: LoadedCall,
  known: KnownNames,
): Promise<ReadOutcome> {
  let answers = answersOf(open, read);
  for (let { asks } = open; ; asks = 0) {
    const outcome = await askOnce(deps, em, request, { ...open, asks }, read, answers, known);
    if (outcome.state !== 'answered') return outcome;
    if (outcome.isWhole) return { state: 'read' };
    ({ answers } = outcome);
  }
}

type Answered = { state: 'answered'; answers: ReadingAnswers; isWhole: boolean };

async function askOnce(
  { models }: ActivityDeps,
  em: EntityManager,
  { workspaceId, agentId, callId }: ModelReadingRequest,
  open: OpenReading,
  read: LoadedCall,
  answers: ReadingAnswers,
  known: KnownNames,
): Promise<ReadOutcome | Answered> {
  const { reader, prices } = models;
  if (reader === null) return { state: 'given up', reason: 'No model is configured any more.', trouble: false };
  const question = nextQuestion(read, answers);
  const keep = async (within: EntityManager, given: ReadingAnswers): Promise<Answered> => {
    const reading = storedReading(read, given);
    await keepReading(within, callId, { payloadDigest: open.payloadDigest, model: reader.model }, reading);
    return { state: 'answered', answers: given, isWhole: reading.checked !== null };
  };
  if (question === null) return keep(em, answers);
  if (open.asks >= ASKS_AT_MOST) {
    return giveUp(em, callId, open, 'The process ended each of the three times that the model was asked.', false);
  }
  const ask = open.asks + 1;
  const part = question.kind === 'window' ? `window/${question.nth}` : question.kind;
  const subject = `${callId}/${read.questionDigest}/${reader.model}/${part}`;
  const key: UsageKey = { workspaceId, purpose: PURPOSE, subject, ask };
  const price = prices[reader.model];
  const request = readingRequest(question, {
    configuration: read.configuration,
    intents: known.intents,
    knownOthers: known.others,
    expectations: [],
  });
  const reservation = await em.transactional(async (tx): Promise<Reservation> => {
    const nanoUsd = costNanoUsd(price, mostTokens(request));
    const made = await reserveUsage(tx, { ...key, agentId, model: reader.model, priced: price !== undefined, nanoUsd });
    if (made.state !== 'exhausted') await beginAsk(tx, callId, ask);
    return made;
  });
  if (reservation.state === 'exhausted') return { state: 'paused', freeAt: reservation.freeAt };
  if (reservation.state === 'begun') throw again(`Question ${ask} was begun before.`, 0);
  try {
    const answer = await reader.complete({ ...request, signal: Context.current().cancellationSignal });
    // Together: a process that died between them would ask, and pay, for what was answered already.
    return await em.transactional(async (tx) => {
      await settleUsage(tx, { ...key, ...answer.usage, nanoUsd: costNanoUsd(price, answer.usage) });
      return keep(tx, withAnswer(answers, question, answer.value));
    });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    // Where nobody knows what it cost, what was held back stays charged: the endpoint may charge it too.
    if (error.usage) await settleUsage(em, { ...key, ...error.usage, nanoUsd: costNanoUsd(price, error.usage) });
    if (ask < ASKS_AT_MOST) throw again(error.message, delayOf(error, ask));
    if (error.kind === 'unusable' && question.kind !== 'window') {
      // What was read stands; what only a further look could confirm does not.
      return keep(em, withoutAnswer(answers, question));
    }
    return giveUp(em, callId, open, `Asked ${ask} times. ${error.message}`, error.kind !== 'unusable');
  }
}

/** Answers to the same question as now; another record or another text of the agent is asked about anew. */
function answersOf({ reading }: OpenReading, { questionDigest }: LoadedCall): ReadingAnswers {
  return reading?.questionDigest === questionDigest ? reading.answers : { windows: [] };
}

function storedReading(read: LoadedCall, answers: ReadingAnswers): StoredReading {
  const isWhole = nextQuestion(read, answers) === null;
  return { questionDigest: read.questionDigest, answers, checked: isWhole ? checkedReading(read, answers) : null };
}

async function giveUp(
  em: EntityManager,
  callId: string,
  open: OpenReading,
  reason: string,
  trouble: boolean,
): Promise<ReadOutcome> {
  await dropReading(em, callId, open.payloadDigest, reason);
  return { state: 'given up', reason, trouble };
}

/** Temporal asks again after the delay: the only place where a question is repeated. */
function again(message: string, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({ type: FAILURE_TYPES.modelWaits, message, nextRetryDelay: Math.max(1, delayMs) });
}

function delayOf(error: ModelError, ask: number): number {
  switch (error.kind) {
    case 'unusable':
      return 500;
    case 'busy':
      return Math.min(error.retryAfterMs ?? 5_000 * ask, LONGEST_DELAY_MS);
    case 'away':
      return Math.min(error.retryAfterMs ?? 2_000 * ask * ask, LONGEST_DELAY_MS);
    case 'refused':
      return 15_000;
    default:
      return error.kind satisfies never;
  }
}

const NAMES_FRESH_MS = 60_000;

/** What readers have named on an agent's calls, as of at most a minute ago: it changes seldom, and a cache likes that. */
function knownNames() {
  const kept = new Map<string, { atMs: number; names: KnownNames }>();
  return async (em: EntityManager, agentId: string): Promise<KnownNames> => {
    const nowMs = Date.now();
    const found = kept.get(agentId);
    if (found && nowMs - found.atMs < NAMES_FRESH_MS) return found.names;
    const names = await readKnownNames(em, agentId);
    for (const [id, { atMs }] of kept) if (nowMs - atMs >= NAMES_FRESH_MS) kept.delete(id);
    kept.set(agentId, { atMs: nowMs, names });
    return names;
  };
}
