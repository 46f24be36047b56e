import type { GivenChange } from '../../contract/draft.ts';
import { keptTests } from '../../db/drafts/draft-runs.ts';
import { applyChanges, type DraftChange, withoutReplaced } from '../../domain/drafts/apply-changes.ts';
import type { DraftTexts } from '../../domain/drafts/parts.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';

/** Changes as they are kept, of which the contract has made sure that they are one or the other. */
export const readChanges = (given: readonly GivenChange[]): DraftChange[] =>
  given.map(({ path, text, find = '', replace = '' }) =>
    text === undefined ? { path, find, replace } : { path, text },
  );

const CHANGES_AT_MOST = 500;
const CHANGES_BYTES_AT_MOST = 1_000_000;

/** What is kept of how a text came about; every revision holds all of it. @throws Failure 400 where that is too much. */
export function keepChanges(changes: readonly DraftChange[]): DraftChange[] {
  const kept = withoutReplaced(changes);
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  if (kept.length <= CHANGES_AT_MOST && bytes <= CHANGES_BYTES_AT_MOST) return kept;
  const message = `A draft keeps ${CHANGES_AT_MOST} changes and 1 MB of them. Give the whole text of a part: it takes the place of its changes so far.`;
  throw new Failure('invalid_parameter', message, { param: 'changes' });
}

/** @returns the texts that differ from the base's then. @throws Failure 400 naming the change that can't be laid. */
export function layChanges(
  base: AgentConfiguration,
  standing: DraftTexts,
  changes: readonly DraftChange[],
): DraftTexts {
  const laid = applyChanges(base, standing, changes);
  if ('texts' in laid) return laid.texts;
  const { index, field, message } = laid.problem;
  throw new Failure('invalid_parameter', message, { param: `changes[${index}].${field}` });
}

/** @throws Failure where one is named twice, or is no test of the agent that can be played. */
export async function requireCases({ em, agent }: Context, given: readonly string[]): Promise<string[]> {
  const ids = given.map((id) => id.toLowerCase());
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at);
  if (twice >= 0) throw new Failure('invalid_parameter', 'Each test is named once.', { param: `newCaseIds[${twice}]` });
  const found = new Set((await keptTests(em, agent.id, ids)).map(({ id }) => id));
  const absent = ids.findIndex((id) => !found.has(id));
  if (absent >= 0) {
    const message = `There is no test ${ids[absent]} here that can be played.`;
    throw new Failure('test_not_found', message, { param: `newCaseIds[${absent}]` });
  }
  return ids;
}
