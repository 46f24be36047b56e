import { defineEntity, p } from '@mikro-orm/core';
import { MODEL_WORDING_KINDS } from '../../domain/vocabulary.ts';
import { count, updatedAt } from './columns.ts';
import { fenced } from './fence.ts';

/** Words of a model for something that the rules found and named: an intent's name, how an issue's recommendation is put. */
export const ModelWording = defineEntity({
  name: 'ModelWording',
  tableName: 'model_wordings',
  ...fenced,
  properties: {
    /** The intent or the issue. */
    subjectId: p.uuid().primary(),
    workspaceId: p.uuid(),
    agentId: p.uuid(),
    kind: p.enum(MODEL_WORDING_KINDS),
    /** md5 of the words of the rules that it stands for: when those change, it no longer holds. */
    digest: p.text(),
    asks: count(),
    /** Null while it was not given, and for good where it was given up. */
    text: p.text().nullable(),
    updatedAt: updatedAt(),
  },
});
