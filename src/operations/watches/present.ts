import type { WatchResource } from '../../contract/watch.ts';
import { listSamples, type SampleView } from '../../db/watches/samples.ts';
import { findWatch, formOf, type WatchView } from '../../db/watches/watches.ts';
import { share } from '../../domain/statistics.ts';
import { goLiveBlock, isAlarm, precisionOf } from '../../domain/watches/go-live-bar.ts';
import { formInWords } from '../../domain/watches/in-words.ts';
import type { WatchExpectation, WatchScope } from '../../domain/watches/watch.ts';
import { type ReaderModel, readerModelOf } from '../../services/models/reader-model.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

/** @param samples of the revision in force. */
export function presentWatch(
  row: WatchView,
  samples: readonly SampleView[],
  reader: ReaderModel | null,
): WatchResource {
  const { right, wrong, held, broken, backtest } = row;
  const precision = precisionOf({ right, wrong })?.value ?? null;
  return {
    object: 'watch',
    id: row.id,
    name: row.name,
    lane: row.lane,
    state: row.state,
    revision: row.revision,
    origin: row.origin,
    passRate: held + broken === 0 ? null : share(held, held + broken),
    calls: held + broken,
    precision,
    labelled: right + wrong,
    source: sourceOf(row),
    firstSample: row.firstSample && { inScope: row.firstSample.inScope, flagged: row.firstSample.flagged },
    scope: { text: row.scopeText, code: presentScope(row.scopeCode) },
    expectation: { text: row.expectationText, polarity: row.polarity, code: presentExpectation(row.expectationCode) },
    inWords: formInWords(formOf(row)),
    createdBy: row.createdBy,
    backtest: backtest && {
      watchRevision: backtest.revision,
      considered: backtest.considered,
      inScope: backtest.inScope,
      flagged: backtest.flagged,
      createdAt: backtest.createdAt,
      updatedAt: backtest.updatedAt,
    },
    samples: samples.map(({ callId, kind, verdict, quote, turn, label }) => ({
      callId,
      kind,
      verdict,
      quote,
      turn,
      label,
    })),
    labels: { right, wrong, labelled: right + wrong, precision },
    goLiveBlock: goLiveBlockOf(row, reader),
    alarm: row.alarm,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Why the watch may not be turned on; null where it may. */
export function goLiveBlockOf(watch: WatchView, reader: ReaderModel | null): string | null {
  const { revision, expectationCode, backtest, right, wrong, modelReading } = watch;
  return goLiveBlock({
    isJudged: expectationCode.kind === 'judged',
    isAlarm: isAlarm(formOf(watch)),
    isRead: reader !== null && modelReading !== 'off',
    backtest: backtest?.revision === revision ? backtest : null,
    labels: { right, wrong },
  });
}

/** The watch as it is now, with its samples. */
export async function presentNow({ em, agent, services }: Context, watchId: string): Promise<WatchResource> {
  const row = await findWatch(em, scopeOf(agent), watchId);
  if (!row) throw new Error('A watch that was just written is not there.');
  return presentWatch(row, await listSamples(em, row), await readerModelOf(em, services, agent.workspaceId));
}

function sourceOf({ sourceVersion, sourceStep, sourceLine, sourceGoneIn }: WatchView): WatchResource['source'] {
  if (sourceVersion === null || sourceLine === null) return null;
  return { agentVersion: sourceVersion, step: sourceStep, line: sourceLine, verbatim: sourceGoneIn === null };
}

export function presentScope(code: WatchScope): WatchResource['scope']['code'] {
  return {
    kind: code.kind,
    tool: 'tool' in code ? code.tool : null,
    step: 'step' in code ? code.step : null,
    intent: 'intent' in code ? code.intent : null,
    outcome: 'outcome' in code ? code.outcome : null,
    text: 'text' in code ? code.text : null,
    act: 'act' in code ? code.act : null,
    calls: code.calls ?? null,
    following: code.following === true,
  };
}

/** The stored document: each kind has fields of its own. */
export function presentExpectation(code: WatchExpectation): WatchResource['expectation']['code'] {
  return structuredClone(code);
}
