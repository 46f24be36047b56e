import type { ApiKeyResource, NewApiKey } from '../src/contract/key.ts';
import { PROGRAM } from '../src/layout.ts';
import { chooseAgent } from './choose-agent.ts';
import { readAll } from './lists.ts';
import type { Session } from './session.ts';
import { openClock } from './times.ts';

export async function showKeys({ client, print, json }: Session): Promise<void> {
  const keys = await readAll<ApiKeyResource>((path) => client.person('GET', path), '/app/keys');
  if (json) return print.json(keys);
  if (keys.length === 0) return print.line(`No keys. Make one: ${PROGRAM} keys make <name>`);
  const clock = openClock();
  print.table(
    ['Name', 'Begins with', 'Access', 'Agent', 'Budget', 'Spent', clock.head('Last used'), 'Id'],
    keys.map((key) => [
      key.name,
      key.prefix,
      key.access,
      key.agentId ?? 'all',
      key.monthlyBudgetUsd === null ? '' : `${key.monthlyBudgetUsd} USD`,
      key.monthlyBudgetUsd === null ? '' : `${key.spentThisMonthUsd.toFixed(2)} USD`,
      key.lastUsedAt === null ? 'never' : clock.minute(key.lastUsedAt),
      key.id,
    ]),
  );
}

export interface NewKeyOptions {
  access: string;
  agent?: string;
  budget?: number;
}

export async function makeKey(session: Session, name: string, options: NewKeyOptions): Promise<void> {
  const { client, print, json } = session;
  const agentId = options.agent === undefined ? null : (await chooseAgent(session, options.agent)).id;
  const key = await client.person<NewApiKey>('POST', '/app/keys', {
    name,
    access: options.access,
    agentId,
    ...(options.budget === undefined ? {} : { monthlyBudgetUsd: options.budget }),
  });
  if (json) return print.json(key);
  print.line(key.key);
  print.note('This is the only time that the key is shown.');
}

export async function revokeKey({ client, print, json }: Session, id: string): Promise<void> {
  const key = await client.person<ApiKeyResource>('DELETE', `/app/keys/${encodeURIComponent(id)}`);
  if (json) return print.json(key);
  print.line(`Revoked ${key.name} (${key.prefix}…).`);
}
