import type { EntityManager } from '@mikro-orm/postgresql';
import { db } from '../db.ts';
import type { Row } from '../tables.ts';
import { type IntentRow, MOVED_AT_ONCE, type MovedCall, moveCalls } from './move-intents.ts';
import type { IntentKind } from './read-intents.ts';

interface Merged {
  kind: IntentKind;
  slug: string;
  into: string;
  intoLabel: string;
  intoParent: string | null;
}

type Page = Pick<Row<'calls'>, 'id' | 'sortAt' | 'requestIntents' | (typeof COLUMNS)[IntentKind]>;

const COLUMNS = {
  intent: 'intentSlug',
  use_case: 'useCaseSlug',
  sub_use_case: 'subUseCaseSlug',
  persona: 'personaSlug',
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
  const unfinished = await db(em)
    .selectFrom('intents as i')
    .innerJoin('intents as m', 'm.id', 'i.mergedIntoId')
    .where('i.agentId', '=', owner.agentId)
    .where('i.calls', '>', 0)
    .select(['i.kind', 'i.slug', 'm.slug as into', 'm.label as intoLabel', 'm.parentSlug as intoParent'])
    .orderBy('i.kind')
    .orderBy('i.slug')
    .execute();
  let moved = 0;
  for (const merged of unfinished) moved += await finishMerge(em, owner, merged);
  return moved;
}

async function finishMerge(
  em: EntityManager,
  owner: { workspaceId: string; agentId: string },
  merged: Merged,
): Promise<number> {
  const { into: slug, intoLabel: label, intoParent: parent } = merged;
  const rows: IntentRow[] =
    merged.kind === 'intent' ? [{ kind: 'use_case', slug: parent ?? slug, label, parent: null }] : [];
  let moved = 0;
  let after: Pick<Page, 'sortAt' | 'id'> | null = null;
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

function readPage(
  em: EntityManager,
  agentId: string,
  { kind, slug }: Merged,
  after: Pick<Page, 'sortAt' | 'id'> | null,
): Promise<Page[]> {
  let calls = db(em)
    .selectFrom('calls')
    .where('agentId', '=', agentId)
    .where('state', '=', 'analysed')
    .where(COLUMNS[kind], '=', slug);
  if (after) calls = calls.where((eb) => eb(eb.refTuple('sortAt', 'id'), '<', eb.tuple(after.sortAt, after.id)));
  return calls
    .select(['id', 'sortAt', 'intentSlug', 'useCaseSlug', 'subUseCaseSlug', 'personaSlug', 'requestIntents'])
    .orderBy('sortAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MOVED_AT_ONCE)
    .execute();
}

/** With the main intent go the levels around it; a kind of its requests that has a name of its own keeps it. */
function movedCall(call: Page, { kind, slug, into, intoParent: parent }: Merged): MovedCall {
  const standing: MovedCall = {
    id: call.id,
    intent: call.intentSlug,
    useCase: call.useCaseSlug,
    subUseCase: call.subUseCaseSlug,
    persona: call.personaSlug,
    requestIntents: call.requestIntents,
  };
  switch (kind) {
    case 'intent':
      return {
        ...standing,
        intent: into,
        useCase: parent ?? into,
        requestIntents: call.requestIntents.map((one) => (one === slug ? into : one)),
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
