import { listOf } from '../../contract/common.ts';
import { type CommentResource, comment, commentInput } from '../../contract/issue-lifecycle.ts';
import { publishEvents } from '../../db/events/events.ts';
import { addComment, type CommentView, concernedBy, listComments } from '../../db/issues/issue-comments.ts';
import { announceOfIssue } from '../../db/webhooks/issue-deliveries.ts';
import { defineOperation } from '../operation.ts';
import { limitParam, timeCursor } from '../params.ts';
import { issueParent } from './parent.ts';

export const commentOnIssue = defineOperation({
  id: 'commentOnIssue',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/issues/{issueId}/comments',
  scope: 'person',
  tag: 'Issues',
  summary: 'Comment on an issue',
  description: 'Seen by the members of the workspace and by no key.',
  parents: [issueParent],
  body: commentInput,
  response: comment,
  async run(context, { body }) {
    const { em, agent } = context;
    const issue = context.parent(issueParent);
    const { workspaceId, personId } = context.person();
    const made = await addComment(em, issue, { workspaceId, personId, text: body.text });
    await announceOfIssue(em, agent.id, issue.id, {
      event: 'issue.commented',
      eventKey: `comment:${made.id}`,
      more: { commentId: made.id, personName: made.personName, text: made.text },
      personIds: (await concernedBy(em, issue)).filter((id) => id !== personId),
    });
    await publishEvents(em, agent.id, [{ kind: 'issue.changed', ref: issue.id }]);
    return presentComment(made);
  },
});

export const listIssueComments = defineOperation({
  id: 'listIssueComments',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/issues/{issueId}/comments',
  scope: 'person',
  tag: 'Issues',
  summary: 'List the comments on an issue',
  description: 'Oldest first.',
  parents: [issueParent],
  query: { limit: limitParam(), cursor: timeCursor },
  response: listOf(comment),
  async run(context, { query }) {
    const page = { after: query.cursor, limit: query.limit };
    const rows = await listComments(context.em, context.parent(issueParent), page);
    return context.page(rows, query.limit, presentComment, (row) => [row.createdAt, row.id]);
  },
});

const presentComment = ({ id, personId, personName, text, createdAt }: CommentView): CommentResource => ({
  object: 'issue_comment',
  id,
  person: { id: personId, name: personName },
  text,
  createdAt,
});
