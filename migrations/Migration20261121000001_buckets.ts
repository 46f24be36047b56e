import { Migration } from '@mikro-orm/migrations';

/** Written by hand: what the entities cannot say about the token buckets, and the functions that draw from them. */
export class Migration20261121000001_buckets extends Migration {
  override name = 'Migration20261121000001_buckets';

  override up(): void {
    // Buckets change with every request: no write-ahead log, and room in each page for the next version of its rows.
    this.addSql('alter table "buckets" set unlogged');
    this.addSql('alter table "buckets" set (fillfactor = 50)');
    this.addSql(DRAW_BUCKETS);
    this.addSql(ENTER);
  }
}

/**
 * Draws one token from every bucket, or none when one of them is empty. All arithmetic is in whole microseconds of
 * database time, so that admitted requests are exact. Rows are locked one by one in the order of `names`, which every
 * caller keeps, so that nobody waits for anybody in a circle. Single look-ups by name take a third of the time of a join.
 * `remaining` and `reset_seconds` are what is left after the draw; `retry_after` is when every bucket has a token again.
 */
const DRAW_BUCKETS = `
create function draw_buckets(names text[], per_minute int[], bursts int[],
  out refused text, out retry_after int, out remaining int[], out reset_seconds int[])
language plpgsql as $$
declare
  held timestamptz;
  full_ats timestamptz[];
  at timestamptz;
  step bigint;
  wait bigint;
  waits bigint[];
  late bigint := 0;
begin
  for i in 1 .. cardinality(names) loop
    loop
      select b.full_at into held from buckets b where b.name = names[i] for update;
      exit when found;
      insert into buckets (name, full_at) values (names[i], '-infinity') on conflict (name) do nothing;
    end loop;
    full_ats[i] := held;
  end loop;

  -- After the locks: whoever held them before us drew before now.
  at := clock_timestamp();
  for i in 1 .. cardinality(names) loop
    step := 60000000 / per_minute[i];
    wait := 0;
    if full_ats[i] > at then
      wait := extract(epoch from full_ats[i] - at) * 1000000;
    else
      full_ats[i] := at;
    end if;
    if wait > (bursts[i] - 1) * step then
      refused := coalesce(refused, names[i]);
      late := greatest(late, wait - (bursts[i] - 1) * step);
    end if;
    waits[i] := wait;
  end loop;

  for i in 1 .. cardinality(names) loop
    step := 60000000 / per_minute[i];
    wait := waits[i];
    if refused is null then
      wait := wait + step;
      update buckets b set full_at = full_ats[i] + step * interval '1 microsecond' where b.name = names[i];
    end if;
    remaining[i] := greatest(0, bursts[i] - (wait + step - 1) / step);
    reset_seconds[i] := (wait + 999999) / 1000000;
  end loop;
  if refused is not null then
    retry_after := (late + 999999) / 1000000;
  end if;
end $$`;

/**
 * The door of the API in one statement: is the address shut out, who is it (by the digest of a key, or by a session),
 * and do all of its buckets have a token. Outcomes: `shut_out`, `unknown` (drawn from the address's failures where
 * `counts`), `limited` (nothing drawn), `entered`.
 *
 * `kinds` are the buckets to draw from in their fixed order. Those of the workspace are `ai` and `workspace`, that
 * of the address is `mcp`, the others are the key's or person's own; the emptiest of its own is the one that is shown.
 * Plans are kept from when a table was small, and buckets come and go: so always by index.
 */
const ENTER = `
create function enter(secret_hash text, session uuid, person uuid, workspace uuid,
  address text, failures_per_minute int, failures_burst int, counts boolean,
  kinds text[], per_minute int[], bursts int[],
  out outcome text, out refused text, out key_id uuid, out workspace_id uuid, out agent_id uuid, out access text,
  out monthly_budget_usd float8, out role text,
  out shown_limit int, out shown_remaining int, out shown_reset int, out retry_after int)
language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  failures text := 'failures:' || address;
  step bigint := 60000000 / failures_per_minute;
  wait bigint;
  owner text;
  names text[];
  drawn record;
begin
  select extract(epoch from b.full_at - clock_timestamp()) * 1000000 into wait
    from buckets b where b.name = failures and b.full_at > clock_timestamp();
  wait := greatest(coalesce(wait, 0), 0);
  shown_limit := failures_burst;
  shown_remaining := greatest(0, failures_burst - (wait + step - 1) / step);
  shown_reset := (wait + 999999) / 1000000;
  if wait > (failures_burst - 1) * step then
    outcome := 'shut_out';
    retry_after := (wait - (failures_burst - 1) * step + 999999) / 1000000;
    return;
  end if;

  if enter.secret_hash is not null then
    select k.id, k.workspace_id, k.agent_id, k.access, k.monthly_budget_usd::float8
      into enter.key_id, enter.workspace_id, enter.agent_id, enter.access, enter.monthly_budget_usd
      from api_keys k where k.secret_hash = enter.secret_hash and k.revoked_at is null;
    owner := enter.key_id;
  elsif enter.session is not null then
    select m.workspace_id, m.role into enter.workspace_id, enter.role from memberships m
      join sessions s on s.id = enter.session and s.person_id = m.person_id
        and s.revoked_at is null and s.expires_at > now()
      where m.workspace_id = enter.workspace and m.person_id = enter.person;
    owner := enter.person;
  end if;

  if enter.workspace_id is null then
    outcome := 'unknown';
    if counts then
      select * into drawn from draw_buckets(array[failures], array[failures_per_minute], array[failures_burst]);
      shown_remaining := drawn.remaining[1];
      shown_reset := drawn.reset_seconds[1];
      if drawn.refused is not null then
        outcome := 'shut_out';
        retry_after := drawn.retry_after;
      end if;
    end if;
    return;
  end if;

  for i in 1 .. cardinality(kinds) loop
    names[i] := kinds[i] || ':' || case
      when kinds[i] = 'mcp' then address
      when kinds[i] in ('ai', 'workspace') then enter.workspace_id::text
      else owner end;
  end loop;
  select * into drawn from draw_buckets(names, per_minute, bursts);
  shown_limit := null;
  for i in 1 .. cardinality(kinds) loop
    continue when kinds[i] in ('mcp', 'ai', 'workspace');
    continue when shown_limit is not null and shown_remaining <= drawn.remaining[i];
    shown_limit := bursts[i];
    shown_remaining := drawn.remaining[i];
    shown_reset := drawn.reset_seconds[i];
  end loop;
  outcome := 'entered';
  if drawn.refused is not null then
    outcome := 'limited';
    refused := split_part(drawn.refused, ':', 1);
    retry_after := drawn.retry_after;
  end if;
end $$`;
