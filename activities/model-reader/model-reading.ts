import type { EntityManager } from '../../src/db/database.ts';
import { readModelPolicy } from '../../src/db/models/model-policy.ts';
import {
  keepReading,
  loadOpenReading,
  NOTHING_SPENT,
  type OpenReading,
  type Spent,
} from '../../src/db/models/model-readings.ts';
import { judgedExpectations } from '../../src/db/watches/live.ts';
import { once } from '../../src/domain/once.ts';
import {
  type AskedExpectation,
  EXPECTATIONS_AT_MOST,
  verdictsOfReading,
} from '../../src/domain/reading/expected-of-watches.ts';
import {
  type ReadingAnswers,
  type ReadingStep,
  readingSteps,
  withAnswer,
  withoutAnswer,
} from '../../src/domain/reading/steps.ts';
import type { StoredReading } from '../../src/domain/reading/stored-reading.ts';
import { readCall } from '../../src/domain/signals/reading.ts';
import { readingRequest } from '../../src/models/reading-question.ts';
import { applyReading } from '../../src/services/analysis/apply-reading.ts';
import { type LoadedCall, loadCallToRead } from '../../src/services/reading/call-to-read.ts';
import { type KnownNames, loadKnownNames } from '../../src/services/reading/known-names.ts';
import type { ReadOutcome } from '../../src/temporal/model-reader.ts';
import type { ActivityDeps } from '../deps.ts';
import { readerOf } from '../shared/reader-of.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import {
  type AskedOfReading,
  askForReading,
  type KeepAnswer,
  type ModelReadingRequest,
  type ReadingAsker,
} from './ask-for-reading.ts';
import { leaveOutNames } from './leave-out-names.ts';

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
        const reads = await readerOf(deps, em, request.workspaceId);
        if (open.state === 'waiting' && policy.mode === 'off') return { state: 'read' };
        if (policy.mode !== 'off' && reads !== null) {
          const known = await names(em, request.agentId);
          const read = await loadCallToRead(em, request, policy, known);
          if (read === null) return { state: 'read' };
          const outcome = await askAll(em, request, { ...reads, open, standing: policy.reader }, read, known);
          if (outcome.state !== 'read') return outcome;
        } else if (open.state === 'waiting') {
          return { state: 'given up', reason: 'No model is configured any more.', trouble: false };
        }
        const isLaid = policy.leavesOutNames && (await leaveOutNames(deps, em, request));
        if (!isLaid) await applyReading(em, request.agentId, request.callId);
        return { state: 'read' };
      },
    );
  };
}

/** Asks whatever is open about the call, one question after the other, and keeps what is answered. */
async function askAll(
  em: EntityManager,
  request: ModelReadingRequest,
  first: ReadingAsker,
  read: LoadedCall,
  known: Known,
): Promise<ReadOutcome> {
  const { open } = first;
  // Its proofs stood on the names: it is laid as it was checked then.
  if (open.reading?.leftOutNames && open.reading.questionDigest === read.questionDigest) return { state: 'read' };
  const reading = questionsAbout(request.callId, { model: first.model, open }, read, known);
  let asker = first;
  for (;;) {
    const toAsk = reading.next();
    if (toAsk === null) {
      // What was answered before another text of the agent or more trust stands as it is checked now.
      if (asker === first) await reading.keepStanding(em, NOTHING_SPENT);
      return { state: 'read' };
    }
    const outcome = await askForReading(em, request, asker, toAsk);
    if (outcome.state !== 'more') return outcome;
    asker = { ...first, open: { ...open, asks: 0, forgiven: 0 }, standing: { troubles: 0, pause: null } };
  }
}

/** The questions about one call, each as it follows from what was answered before it. */
export function questionsAbout(
  callId: string,
  { model: reader, open }: Pick<ReadingAsker, 'open'> & { model: { readonly model: string } },
  read: LoadedCall,
  known: Known,
) {
  const after = readingSteps(read);
  const standing = standingOf(open, read, known);
  const { asked } = standing;
  let { answers } = standing;
  let step = after(answers);
  const keepAs =
    (given: ReadingAnswers, next: ReadingStep): KeepAnswer =>
    async (tx, spent) => {
      const of = { payloadDigest: open.payloadDigest, model: reader.model, spent };
      await keepReading(tx, callId, of, storedReading(read, { answers: given, asked }, next));
      answers = given;
      step = next;
    };
  const keepAll = (given: ReadingAnswers) => keepAs(given, after(given));
  return {
    /** Null: nothing is open. */
    next(): AskedOfReading<unknown> | null {
      const { question } = step;
      if (question === null) return null;
      const given = answers;
      const part = question.kind === 'window' ? `window/${question.nth}` : question.kind;
      return {
        question: readingRequest(question, {
          configuration: read.configuration,
          intents: known.intents,
          knownOthers: known.others,
          expectations: asked.map(({ text }, at) => ({ number: at + 1, text })),
        }),
        subject: `${callId}/${read.questionDigest}/${reader.model}/${part}`,
        take: (value: unknown) => keepAll(withAnswer(given, question, value)),
        // What was read stands; what only a further look could confirm does not.
        without: question.kind === 'window' ? null : () => keepAll(withoutAnswer(given, question)),
      };
    },
    keepStanding: (tx: EntityManager, spent: Spent) => keepAs(answers, step)(tx, spent),
  };
}

type Asked = Pick<StoredReading, 'answers'> & { asked: AskedExpectation[] };

/** Answers to the same question as now; another record or another text of the agent is asked about anew. */
function standingOf({ reading }: OpenReading, { questionDigest }: LoadedCall, { expectations }: Known): Asked {
  const isSame = reading?.questionDigest === questionDigest && reading.answers.windows.length > 0;
  // What was asked about a part of a call is asked about its other parts.
  if (isSame) return { answers: reading.answers, asked: reading.asked ?? [] };
  return { answers: { windows: [] }, asked: expectations.slice(0, EXPECTATIONS_AT_MOST) };
}

function storedReading(
  { call, configuration, questionDigest }: LoadedCall,
  { answers, asked }: Asked,
  { question, checked }: ReadingStep,
): StoredReading {
  const whole = question === null ? checked : null;
  if (asked.length === 0) return { questionDigest, answers, checked: whole };
  const reading = once(() => readCall({ call, configuration, agentCosts: null }));
  const verdicts = whole === null ? [] : verdictsOfReading(asked, whole.expectations, reading);
  return { questionDigest, answers, asked, verdicts, checked: whole };
}

/** What the questions about an agent's calls have in common beside its text. */
export interface Known extends KnownNames {
  /** Of live watches that only a model can judge. */
  expectations: AskedExpectation[];
}

const NAMES_FRESH_MS = 60_000;

/** What readers have named on an agent's calls, as of at most a minute ago: it changes seldom, and a cache likes that. */
export function knownNames() {
  const kept = new Map<string, { atMs: number; names: Known }>();
  return async (em: EntityManager, agentId: string): Promise<Known> => {
    const nowMs = Date.now();
    const found = kept.get(agentId);
    if (found && nowMs - found.atMs < NAMES_FRESH_MS) return found.names;
    const names = { ...(await loadKnownNames(em, agentId)), expectations: await judgedExpectations(em, agentId) };
    for (const [id, { atMs }] of kept) if (nowMs - atMs >= NAMES_FRESH_MS) kept.delete(id);
    kept.set(agentId, { atMs: nowMs, names });
    return names;
  };
}
