import { PRINCIPAL_KINDS } from '../../../src/domain/vocabulary.ts';

/** What the audit log is narrowed to, as it stands in the address; the name is the API's. */
export interface AuditFilters {
  principalKind?: (typeof PRINCIPAL_KINDS)[number];
}

export function readAuditFilters(search: Record<string, unknown>): AuditFilters {
  const principalKind = PRINCIPAL_KINDS.find((each) => each === search['principalKind']);
  return principalKind ? { principalKind } : {};
}
