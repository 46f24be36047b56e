import type { AlarmResource } from '../../contract/alarm.ts';
import { type AlarmView, findAlarm, lockAlarm } from '../../db/alarms/alarms.ts';
import { stepMs } from '../../domain/alarms/alarm.ts';
import { stateOf } from '../../domain/alarms/state.ts';
import { readingInWords } from '../../domain/alarms/words.ts';
import { figureBy, scopeOfAlarm } from '../../services/alarms/read-alarm.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { alarmsEntry } from '../../temporal/alarms.ts';
import { Failure } from '../failure.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { newSlugParent, slugParent } from '../slug-parent.ts';

const slug = { param: 'alarm', notFound: 'alarm_not_found' } as const;

/** An alarm of the agent by its slug. */
export const alarmParent = slugParent(slug, findAlarm);

/** The slug of one that is there or is to be made. */
export const alarmSlug = newSlugParent(slug);

/** The alarm of the path as it is now, held until the transaction ends. */
export async function held({ em, parent }: Context): Promise<AlarmView> {
  const found = await lockAlarm(em, parent(alarmParent).id);
  if (found === null) throw new Failure('alarm_not_found', 'This alarm was removed just now.');
  return found;
}

/** Has the alarms of the agent looked at once this is committed. */
export async function wakeAlarms({ em, agent }: Context): Promise<void> {
  const owner = { workspaceId: agent.workspaceId, agentId: agent.id };
  await addToOutbox(em, { entry: alarmsEntry(owner), ...owner });
}

export async function readBack({ em, agent }: Context, name: string): Promise<AlarmResource> {
  const stored = await findAlarm(em, scopeOf(agent), name);
  if (stored === null) throw new Error('An alarm that was just stored is not there.');
  return presentAlarm({ em }, stored);
}

export async function presentAlarm({ em }: Pick<Context, 'em'>, view: AlarmView): Promise<AlarmResource> {
  const { rule, name, isOn, silencedUntil, createdBy, createdAt, updatedAt } = view;
  const { measure, ...bounds } = rule;
  const standing = isOn ? view.standing : null;
  const figure = await figureBy(em, scopeOfAlarm(view), measure);
  const unit = 'problem' in figure ? null : figure.unit;
  const newest = standing?.newest ?? null;
  return {
    object: 'alarm',
    id: view.slug,
    slug: view.slug,
    name,
    measure: { ...measure },
    unit,
    ...bounds,
    on: isOn,
    state: standing && stateOf(standing),
    level: standing && standing.level,
    value: newest?.value ?? null,
    usual: newest?.usual ?? null,
    calls: newest?.n ?? 0,
    message: standing && newest && readingInWords(rule, unit ?? 'number', newest, standing.level),
    until: newest && new Date(newest.tick * stepMs(rule)).toISOString(),
    ringsSince: standing?.episode?.since ?? null,
    acknowledged: standing?.episode?.acknowledged ?? null,
    silencedUntil,
    createdBy,
    createdAt,
    updatedAt,
  };
}
