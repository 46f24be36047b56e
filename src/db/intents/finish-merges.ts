import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type IntentRow, MOVED_AT_ONCE, type MovedCall, moveCalls } from './move-intents.ts';

interface Merged {
  kind: IntentRow['kind'];
  slug: string;
  into: string;
  into_label: string;
  into_parent: string | null;
}

interface Page {
  id: string;
  sort_at: string;
  intent_slug: string | null;
  use_case_slug: string | null;
  sub_use_case_slug: string | null;
  persona_slug: string | null;
  request_intents: string[];
}

const COLUMNS = {
  intent: 'intent_slug',
  use_case: 'use_case_slug',
  sub_use_case: 'sub_use_case_slug',
  persona: 'persona_slug',
} as const;

/**
 * Moves the calls of merged intents to what they were merged into, page by page. A crash loses nothing: what is left
 * still has the old slug, which stands for the new one wherever calls are read.
 * @returns calls moved.
 */
export async function finishMerges(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
): Promise<number> {
  const { rows } = await sql<Merged>`
    select i.kind, i.slug, m.slug as "into", m.label as into_label, m.parent_slug as into_parent
    from intents i join intents m on m.id = i.merged_into_id
    where i.agent_id = ${owner.agentId} and i.calls > 0 order by i.kind, i.slug`.execute(em.getKysely());
  let moved = 0;
  for (const merged of rows) moved += await finishMerge(em, owner, merged);
  return moved;
}

async function finishMerge(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  merged: Merged,
): Promise<number> {
  const { into: slug, into_label: label, into_parent: parent } = merged;
  const rows: IntentRow[] =
    merged.kind === 'intent' ? [{ kind: 'use_case', slug: parent ?? slug, label, parent: null }] : [];
  let moved = 0;
  let after: Pick<Page, 'sort_at' | 'id'> | null = null;
  for (;;) {
    const page: Page[] = await readPage(em, owner.agentId, merged, after);
    await moveCalls(
      em,
      owner,
      page.map((call) => movedCall(call, merged)),
      rows,
    );
    moved += page.length;
    after = page.at(-1) ?? null;
    if (page.length < MOVED_AT_ONCE) return moved;
  }
}

async function readPage(
  em: EntityManager,
  agentId: string,
  { kind, slug }: Merged,
  after: Pick<Page, 'sort_at' | 'id'> | null,
): Promise<Page[]> {
  const behind = after === null ? sql`` : sql`and (sort_at, id) < (${after.sort_at}::timestamptz, ${after.id}::uuid)`;
  const { rows } = await sql<Page>`
    select id, sort_at::text as sort_at, intent_slug, use_case_slug, sub_use_case_slug, persona_slug, request_intents
    from calls
    where agent_id = ${agentId} and state = 'analysed' and ${sql.ref(COLUMNS[kind])} = ${slug} ${behind}
    order by sort_at desc, id desc limit ${MOVED_AT_ONCE}`.execute(em.getKysely());
  return rows;
}

/** With the main intent go the levels around it; a kind of its requests that has a name of its own keeps it. */
function movedCall(call: Page, { kind, slug, into, into_parent: parent }: Merged): MovedCall {
  const standing: MovedCall = {
    id: call.id,
    intent: call.intent_slug,
    useCase: call.use_case_slug,
    subUseCase: call.sub_use_case_slug,
    persona: call.persona_slug,
    requestIntents: call.request_intents,
  };
  switch (kind) {
    case 'intent':
      return {
        ...standing,
        intent: into,
        useCase: parent ?? into,
        requestIntents: call.request_intents.map((one) => (one === slug ? into : one)),
      };
    case 'use_case':
      return { ...standing, useCase: into };
    case 'sub_use_case':
      return { ...standing, subUseCase: into };
    case 'persona':
      return { ...standing, persona: into };
    default:
      return kind satisfies never;
  }
}
