import { Failure } from '../../src/operations/failure.ts';
import type { Principal } from '../../src/operations/principal.ts';
import { isNeverAllowed } from '../../src/operations/refuse-by-scope.ts';
import type { Tool } from '../../src/operations/tools.ts';

const CHOICES = ['core', 'all'] as const;
export type OfferedChoice = (typeof CHOICES)[number] | 'usual';

/** Some clients give their model the first forty tools of all servers together. */
const USUAL_AT_MOST = 40;

/** What an agent's work needs from finding an issue to testing its fix. */
const CORE = [
  'list_agents',
  'list_issues',
  'get_issue',
  'get_issue_explanation',
  'list_issue_calls',
  'list_calls',
  'get_call',
  'get_board',
  'get_metrics',
  'list_comparisons',
  'list_tests',
  'create_test',
  'start_run',
  'get_run',
  'get_run_result',
];

const SELDOM = [
  'get_me',
  'get_openapi',
  'list_copies',
  'list_test_sets',
  'get_goal_plan',
  'get_goal_progress',
  'get_watch_results',
  'list_metric_calls',
  'list_personas',
  'get_custom_metric',
  'list_custom_metric_calls',
  'get_call_custom_metrics',
  'try_custom_metric',
  'put_custom_metric',
  'list_alarms',
  'get_alarm',
  'preview_alarm',
  'put_alarm',
  'acknowledge_alarm',
  'silence_alarm',
  'set_call_tags',
  'list_packs',
  'make_pack',
];

/** @throws Failure where the parameter `tools` of the address is none of the choices. */
export function readChoice(query: URLSearchParams): OfferedChoice {
  const given = query.get('tools');
  if (given === null) return 'usual';
  const choice = CHOICES.find((one) => one === given);
  if (choice) return choice;
  throw new Failure('invalid_parameter', `tools must be ${CHOICES.join(' or ')}, or left out.`, { param: 'tools' });
}

/**
 * The tools that are listed for somebody: without those that they may never use, the most useful first. Every tool answers
 * to its name, listed or not.
 */
export function offeredTools(tools: readonly Tool[], principal: Principal, choice: OfferedChoice): Tool[] {
  const allowed = tools.filter(({ operation }) => !isNeverAllowed(operation, principal));
  const rank = ({ name }: Tool) =>
    CORE.includes(name) ? CORE.indexOf(name) : CORE.length + (SELDOM.includes(name) ? 1 : 0);
  const sorted = allowed.toSorted((a, b) => rank(a) - rank(b));
  if (choice === 'all') return sorted;
  return choice === 'core' ? sorted.filter(({ name }) => CORE.includes(name)) : sorted.slice(0, USUAL_AT_MOST);
}
