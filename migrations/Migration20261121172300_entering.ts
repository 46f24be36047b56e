import { Migration } from '@mikro-orm/migrations';

/** Written by hand: a read asks the door once and does nothing else there, so its common case gets a way of its own. */
export class Migration20261121172300_entering extends Migration {
  override name = 'Migration20261121172300_entering';

  override up(): void {
    this.addSql(ENTER_READING);
  }
}

/**
 * What `enter` does for a plain read, in half the time: a known key or session, no recent failures of the address, both
 * buckets there and not empty. Anything else is left to `enter`, which then finds what it would have found at first.
 *
 * An update that meets a locked row looks at the row and at the clock anew, so that no lock has to be taken beforehand.
 * Rows are locked in the order of all others, the caller's own before its workspace's. Where the second has no token, the
 * first gets its own back before anybody could see that it was gone. Answers the fields of `enter` as one JSON value,
 * because twelve columns cost as much as the look-up.
 */
const ENTER_READING = `
create function enter_reading(secret_hash text, session uuid, person uuid, workspace uuid,
  address text, failures_per_minute int, failures_burst int, counts boolean,
  per_minute int, burst int, workspace_per_minute int, workspace_burst int) returns json
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  failures text := 'failures:' || address;
  step interval := 60000000 / enter_reading.per_minute * interval '1 microsecond';
  workspace_step interval := 60000000 / enter_reading.workspace_per_minute * interval '1 microsecond';
  who record;
  wait bigint;
begin
  if enter_reading.secret_hash is not null then
    select k.id as owner, k.id as key_id, k.workspace_id, k.agent_id, k.access,
        k.monthly_budget_usd::float8 as monthly_budget_usd, null as role,
        (select b.full_at from buckets b where b.name = failures) as failures_until
      into who from api_keys k
      where k.secret_hash = enter_reading.secret_hash and k.revoked_at is null;
  else
    select m.person_id as owner, null::uuid as key_id, m.workspace_id, null::uuid as agent_id, null as access,
        null::float8 as monthly_budget_usd, m.role,
        (select b.full_at from buckets b where b.name = failures) as failures_until
      into who from memberships m
      join sessions s on s.id = enter_reading.session and s.person_id = m.person_id
        and s.revoked_at is null and s.expires_at > now()
      where m.workspace_id = enter_reading.workspace and m.person_id = enter_reading.person;
  end if;

  if found and coalesce(who.failures_until <= clock_timestamp(), true) then
    update buckets b set full_at = greatest(b.full_at, clock_timestamp()) + step
      where b.name = 'requests:' || who.owner and b.full_at <= clock_timestamp() + (burst - 1) * step
      returning date_part('epoch', b.full_at - clock_timestamp()) * 1000000 into wait;
    if found then
      update buckets b set full_at = greatest(b.full_at, clock_timestamp()) + workspace_step
        where b.name = 'workspace:' || who.workspace_id
          and b.full_at <= clock_timestamp() + (workspace_burst - 1) * workspace_step;
      if found then
        return json_build_object('outcome', 'entered', 'refused', null, 'key_id', who.key_id,
          'workspace_id', who.workspace_id, 'agent_id', who.agent_id, 'access', who.access,
          'monthly_budget_usd', who.monthly_budget_usd, 'role', who.role, 'shown_limit', burst,
          'shown_remaining', greatest(0, burst - ceil(wait * enter_reading.per_minute / 60000000.0)::int),
          'shown_reset', (wait + 999999) / 1000000, 'retry_after', null);
      end if;
      update buckets b set full_at = b.full_at - step where b.name = 'requests:' || who.owner;
    end if;
  end if;
  return (select to_json(e) from enter(enter_reading.secret_hash, enter_reading.session, enter_reading.person,
    enter_reading.workspace, address, failures_per_minute, failures_burst, counts, array['requests', 'workspace'],
    array[per_minute, workspace_per_minute], array[burst, workspace_burst]) e);
end $$`;
