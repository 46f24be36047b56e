import { newSavedView, type SavedViews, savedViews } from '../../contract/saved-view.ts';
import { deleteView, readViews, type SavedViewRow, upsertView } from '../../db/views/saved-views.ts';
import { FILTERED_PAGES } from '../../domain/vocabulary.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { choiceParam, textParam } from '../params.ts';

const path = '/app/agents/{agentId}/views';
const AT_MOST = 100;

export const listSavedViews = defineOperation({
  id: 'listSavedViews',
  surface: 'app',
  method: 'GET',
  path,
  scope: 'person',
  tag: 'Agents',
  summary: 'List your saved views of an agent',
  description: 'Pages of the agent as you narrowed them, by page and name. Each person has their own.',
  response: savedViews,
  run: (context) => present(context),
});

export const saveView = defineOperation({
  id: 'saveView',
  surface: 'app',
  method: 'POST',
  path,
  scope: 'person',
  role: 'viewer',
  tag: 'Agents',
  summary: 'Save a view of an agent',
  description: `A name over the query of a page's address; a name that you gave before on the same page now stands for this query. At most ${AT_MOST} an agent.`,
  body: newSavedView,
  response: savedViews,
  async run(context, { body: { page, name, query } }) {
    const owner = ownerOf(context);
    const there = await readViews(context.em, owner);
    if (there.length >= AT_MOST && !there.some((view) => view.page === page && view.name === name)) {
      const message = `You keep ${AT_MOST} views of this agent already. Forget one first.`;
      throw new Failure('invalid_parameter', message, { param: 'name' });
    }
    const { workspaceId } = context.person();
    await upsertView(context.em, { ...owner, page, name }, { workspaceId, query });
    return present(context);
  },
});

export const forgetView = defineOperation({
  id: 'forgetView',
  surface: 'app',
  method: 'DELETE',
  path,
  scope: 'person',
  role: 'viewer',
  tag: 'Agents',
  summary: 'Forget a saved view',
  description: 'Removes one of your views; without one of that name nothing happens. Answers with what is left.',
  query: {
    page: choiceParam(FILTERED_PAGES, 'The page of the view.'),
    name: textParam('The name of the view.'),
  },
  response: savedViews,
  async run(context, { query: { page, name } }) {
    if (page === null || name === null) {
      const param = page === null ? 'page' : 'name';
      throw new Failure('invalid_parameter', 'Name the view by its page and its name.', { param });
    }
    await deleteView(context.em, { ...ownerOf(context), page, name });
    return present(context);
  },
});

const ownerOf = (context: Context) => ({ agentId: context.agent.id, personId: context.person().personId });

async function present(context: Context): Promise<SavedViews> {
  const views = await readViews(context.em, ownerOf(context));
  return { object: 'saved_views', data: views.map(presentView) };
}

function presentView({ page, name, query, createdAt, updatedAt }: SavedViewRow): SavedViews['data'][number] {
  return { object: 'saved_view', page, name, query, createdAt, updatedAt };
}
