/** Search attributes by which operators find workflows. `temporal-dev.yaml` names the same ones; `npm run check` compares. */
export const SEARCH_ATTRIBUTES = {
  EarshotAgent: 'Keyword',
  EarshotKind: 'Keyword',
  EarshotStage: 'Keyword',
  EarshotImport: 'Keyword',
} as const;
export type SearchAttributeName = keyof typeof SEARCH_ATTRIBUTES;

export const WORKFLOW_KINDS = ['desk', 'import'] as const;
export type WorkflowKind = (typeof WORKFLOW_KINDS)[number];
