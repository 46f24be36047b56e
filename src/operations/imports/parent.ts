import { findImport, type ImportView } from '../../db/imports/read-imports.ts';
import type { Parent } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';

export const importParent: Parent<ImportView> = {
  param: 'importId',
  notFound: 'import_not_found',
  format: 'uuid',
  load: async (em, id, { agent }) => (agent ? findImport(em, scopeOf(agent), id) : null),
};
