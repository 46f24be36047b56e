import type { Operation } from '../../src/operations/operation.ts';
import { OPERATIONS } from '../../src/operations/table.ts';
import type { CheckResult } from './check.ts';

/** Each operation that a key may use is a tool of models too, and says when it is the one to call. */
export function toolWords(): CheckResult {
  const findings = toolWordFindings(OPERATIONS);
  return {
    ok: findings.length === 0,
    text: `${OPERATIONS.filter(isTool).length} tools say when to use them`,
    details: findings.join('\n'),
  };
}

export function toolWordFindings(operations: readonly Operation[]): string[] {
  return operations
    .filter((operation) => isTool(operation) && operation.whenToUse === null)
    .map(
      ({ id, method, path }) =>
        `${id} (${method} ${path}) is a tool of models, which pick among tools by situation: say in the field whenToUse of its definition when this is the one to call.`,
    );
}

const isTool = ({ surface, scope }: Operation) => surface === 'v1' && (scope === 'read' || scope === 'write');
