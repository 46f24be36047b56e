import type { CanonicalRecipe } from '../canonical.ts';

/** Fields that change without the agent behaving differently: ids, times, titles and the layout of the canvas. */
const VOLATILE: ReadonlySet<string> = new Set([
  'agent_id',
  'version',
  'base_version',
  'is_published',
  'assigned_tags',
  'last_modification_timestamp',
  'version_title',
  'version_description',
  'llm_id',
  'conversation_flow_id',
  'conversation_flow_component_id',
  'display_position',
  'begin_tag_display_position',
  'notes',
]);

export const RETELL_RECIPE: CanonicalRecipe = {
  volatile: VOLATILE,
  volatilePrefix: 'webhook_',
  sortedBy: { nodes: 'id', tools: 'tool_id', components: 'id' },
};
