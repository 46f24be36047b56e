import type { InstallationWorkspaceResource } from '../src/contract/installation.ts';
import type { PlanResource } from '../src/contract/plan.ts';
import { readAll } from './lists.ts';
import type { Session } from './session.ts';
import type { Allowance } from './values.ts';

type Names = keyof PlanResource['allowances'];

const LABELS: Record<Names, string> = {
  analysedCalls: 'Analysed calls a period',
  agents: 'Agents',
  copilotMessages: 'Copilot messages a period',
  testCalls: 'Simulated test calls a period',
  seats: 'Seats (not enforced)',
  aiAllowanceUsd: 'AI allowance over 30 days, USD',
};

export async function showPlan(session: Session, workspace?: string): Promise<void> {
  printPlan(session, await session.client.person<PlanResource>('GET', pathOf(workspace)));
}

/** @param workspace of the installation, by its id; undefined: the one that the session acts in. */
const pathOf = (workspace: string | undefined) =>
  workspace === undefined ? '/app/plan' : `/app/installation/workspaces/${encodeURIComponent(workspace)}/plan`;

export async function listPlans({ client, print, json }: Session): Promise<void> {
  const all = await readAll<InstallationWorkspaceResource>(
    (page) => client.person('GET', page),
    '/app/installation/workspaces',
  );
  if (json) return print.json(all);
  print.table(
    ['Workspace', 'Id', 'Plan', 'AI, USD', 'Storage, MiB', 'Agents', 'Members', 'Made by'],
    all.map(({ name, id, plan, aiAllowanceUsd, storageMib, agents, members, madeBy }) => [
      name,
      id,
      plan,
      aiAllowanceUsd === null ? 'unlimited' : String(aiAllowanceUsd),
      storageMib === null ? 'usual' : String(storageMib),
      String(agents),
      String(members),
      madeBy?.email ?? '',
    ]),
  );
}

/** Small sums keep their figures. */
const usdWords = (usd: number) => usd.toFixed(usd > 0 && usd < 1 ? 4 : 2);

/** @param given what is left out stays as it is. */
export async function setPlan(
  session: Session,
  plan: string,
  given: { [Name in Names]?: Allowance },
  { storage, workspace }: { storage?: Allowance; workspace?: string },
): Promise<void> {
  const allowances = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value === 'default' ? null : value]),
  );
  const storageMib = storage === 'default' ? null : storage;
  const body = { plan, allowances, ...(storageMib === undefined ? {} : { storageMib }) };
  printPlan(session, await session.client.person<PlanResource>('PATCH', pathOf(workspace), body));
}

function printPlan({ print, json }: Session, plan: PlanResource): void {
  if (json) return print.json(plan);
  print.line(`Plan ${plan.plan}, period ${plan.period.startsAt.slice(0, 10)} to ${plan.period.endsAt.slice(0, 10)}.`);
  const used: Partial<Record<Names, number | string>> = { ...plan.used, aiAllowanceUsd: usdWords(plan.used.aiUsd) };
  print.table(
    ['Allowance', 'Limit', 'Used', ''],
    (Object.keys(LABELS) as Names[]).map((name) => [
      LABELS[name],
      plan.allowances[name] === null ? 'unlimited' : String(plan.allowances[name]),
      String(used[name] ?? ''),
      plan.set.includes(name) ? 'set here' : '',
    ]),
  );
  if (plan.used.aiUnpriced.length > 0) {
    print.line(`Without a price, so counted as 0: ${plan.used.aiUnpriced.join(', ')}. Set EARSHOT_MODEL_PRICES.`);
  }
  const { agents, usd } = plan.reading;
  if (agents.length > 0) print.line(`Reading by a model: ${usd.toFixed(2)} USD this month.`);
  for (const { name, waiting, read, usd: ofAgent } of agents) {
    print.line(`  ${name}: ${read} calls read, ${waiting} waiting, ${ofAgent.toFixed(4)} USD this month`);
  }
  const { limitMib, isSet, usedMib } = plan.storage;
  if (limitMib !== null) {
    const whose = isSet ? ', set here' : '';
    print.line(`Storage of calls: ${usedMib} of ${limitMib} MiB${whose}.`);
  }
}
