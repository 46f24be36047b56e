import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  insertPublication,
  loadPublication,
  movePublication,
  type PublicationKey,
} from '../../../src/db/drafts/publications.ts';
import { settleFailed, settlePublished } from '../../../src/services/drafts/settle-publication.ts';
import { makeDraft } from '../../support/drafts.ts';
import { makeIssue } from '../../support/issues.ts';
import { captureVersion, type OwnedAgent } from '../../support/runs.ts';
import { createWorld, type Loose, type World } from '../../support/world.ts';

let world: World;
let agent: OwnedAgent;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  agent = { workspaceId: world.workspaceId, agentId: await world.makeAgent() };
  await captureVersion(world.database, agent, 4);
});

const em = () => world.database.within(world.workspaceId);
const rows = async (query: ReturnType<typeof sql<Loose>>): Promise<Loose[]> =>
  (await query.execute(world.database.em().getKysely())).rows;
const draftOf = async ({ draftId }: PublicationKey) =>
  (
    await rows(sql`
      select status, revision, published_version as "publishedVersion", published_by as "publishedBy",
        rolled_back_version as "rolledBackVersion", publish_failure as failure from drafts where id = ${draftId}`)
  )[0];
const stateOf = async ({ draftId, revision, kind }: PublicationKey) =>
  (
    await rows(sql`
      select state, reason from draft_publications
      where draft_id = ${draftId} and revision = ${revision} and kind = ${kind}`)
  )[0];
const issueOf = async (issueId: string) =>
  (await rows(sql`select status, fix_version as "fixVersion" from issues where id = ${issueId}`))[0];

async function begin(
  kind: PublicationKey['kind'] = 'publish',
  { issueId = null as string | null, draftId = '' } = {},
): Promise<PublicationKey> {
  const key = { draftId: draftId || (await makeDraft(world, agent, { issueId })), revision: 1, kind };
  await insertPublication(em(), { ...key, ...agent, baseVersion: 3, requestedBy: world.personId });
  return key;
}

async function settle(key: PublicationKey) {
  const publication = await loadPublication(em(), key);
  if (publication === null) throw new Error('there is no such publication');
  const coordinator = { ...agent, agentName: 'Front desk', pollSeconds: null };
  return settlePublished(em(), { key, publication, coordinator, graceDays: 7 });
}

describe('what is live and captured', () => {
  test('makes the draft published, as the version that is live, by whoever asked for it', async () => {
    const key = await begin();
    expect(await settle(key)).toEqual({ version: 4 });
    expect(await draftOf(key)).toMatchObject({
      status: 'published',
      publishedVersion: 4,
      publishedBy: world.personId,
      failure: null,
    });
    expect(await stateOf(key)).toEqual({ state: 'done', reason: null });
  });

  test('gives its issue the version that has the fix, with who and why, once', async () => {
    const { id: issueId } = await makeIssue(world, agent.agentId);
    const key = await begin('publish', { issueId });
    await settle(key);
    await settle(key);
    expect(await issueOf(issueId)).toEqual({ status: 'fix_deployed', fixVersion: 4 });
    expect(
      await rows(sql`
        select trigger, person_id as "personId", reason from issue_history
        where issue_id = ${issueId} and trigger = 'published'`),
    ).toEqual([{ trigger: 'published', personId: world.personId, reason: 'Published from the draft “Shorter”.' }]);
  });

  test('leaves an issue alone that was resolved or withdrawn meanwhile', async () => {
    const { id: issueId } = await makeIssue(world, agent.agentId);
    await rows(sql`update issues set status = 'resolved', resolved_at = now() where id = ${issueId}`);
    await settle(await begin('publish', { issueId }));
    expect(await issueOf(issueId)).toEqual({ status: 'resolved', fixVersion: null });
  });

  test('taken back, keeps the draft as what was once published, with the version that came of it', async () => {
    const key = await begin();
    await settle(key);
    await captureVersion(world.database, agent, 5);
    const back = await begin('rollback', { draftId: key.draftId });
    expect(await settle(back)).toEqual({ version: 5 });
    expect(await draftOf(key)).toMatchObject({ status: 'published', publishedVersion: 4, rolledBackVersion: 5 });
  });

  test('taken back, withdraws the fix of its issue with a sentence, also where that counted as resolved', async () => {
    const [open, resolved] = [await makeIssue(world, agent.agentId), await makeIssue(world, agent.agentId)];
    const key = await begin('publish', { issueId: open.id });
    await settle(key);
    await rows(sql`
      update issues set status = 'resolved', fix_version = 4, resolved_at = now() where id = ${resolved.id}`);
    await captureVersion(world.database, agent, 5);
    await settle(await begin('rollback', { draftId: key.draftId }));
    for (const { id } of [open, resolved]) {
      expect(await issueOf(id)).toEqual({ status: 'investigating', fixVersion: null });
      const [told] = await rows(sql`
        select reason, fix ->> 'state' as fix from issue_history h join issues i on i.id = h.issue_id
        where issue_id = ${id} and trigger = 'rolled_back'`);
      expect(told).toEqual({
        reason: 'Version 4, which had the fix, was rolled back. Version 5 is live, without the fix.',
        fix: 'no_change',
      });
    }
  });

  test('a take-back says nothing of the issue', async () => {
    const { id: issueId } = await makeIssue(world, agent.agentId);
    const draftId = await makeDraft(world, agent, { issueId });
    await settle(await begin('rollback', { draftId }));
    expect((await issueOf(issueId)).status).toBe('discovered');
  });

  test('is the version that it was made over, where none is known to be live', async () => {
    const key = await begin();
    await rows(sql`update agents set current_version = 99 where id = ${agent.agentId}`);
    expect(await settle(key)).toEqual({ version: 3 });
  });
});

describe('of two that settle one publication', () => {
  test('the second changes nothing: what failed stays failed', async () => {
    const key = await begin();
    await settleFailed(em(), key, 'The platform refused it.');
    await settle(key);
    expect(await draftOf(key)).toMatchObject({ status: 'draft', publishedVersion: null });
    expect(await stateOf(key)).toMatchObject({ state: 'failed' });
  });

  test('the second changes nothing: what is done stays done', async () => {
    const key = await begin();
    await settle(key);
    await settleFailed(em(), key, 'Too late.');
    expect(await draftOf(key)).toMatchObject({ status: 'published', revision: 1, failure: null });
  });
});

describe('what came to nothing', () => {
  test('leaves another revision with the same text, which can be published again, and the reason', async () => {
    const key = await begin();
    await settleFailed(em(), key, 'The platform refused it.');
    expect(await draftOf(key)).toMatchObject({ status: 'draft', revision: 2, failure: 'The platform refused it.' });
    expect(await stateOf(key)).toEqual({ state: 'failed', reason: 'The platform refused it.' });
    const [first, second] = await rows(sql`
      select texts, draft_hash as hash from draft_revisions where draft_id = ${key.draftId} order by revision`);
    expect(second).toEqual(first);
  });

  test('a take-back that did leaves what is published published', async () => {
    const key = await begin();
    await settle(key);
    const back = await begin('rollback', { draftId: key.draftId });
    await settleFailed(em(), back, 'The platform is away.');
    expect(await draftOf(key)).toMatchObject({ status: 'published', failure: 'The platform is away.' });
  });

  test.each(['begun', 'writing', 'undoing'] as const)('from wherever it was: %s', async (state) => {
    const key = await begin();
    await movePublication(em(), key, ['begun'], state);
    await settleFailed(em(), key, 'It was ended.');
    expect(await stateOf(key)).toMatchObject({ state: 'failed' });
  });
});
