import { Migration } from '@mikro-orm/migrations';

/** What of a row counts. `#> '{}'` unfolds a document, so that it has one size before and after it is compressed. */
const SIZES = {
  raw_payloads: `octet_length(r.sealed)`,
  transcripts: `pg_column_size(r.call #> '{}') + coalesce(pg_column_size(r.pending #> '{}'), 0)`,
  uploaded_records: `octet_length(r.sealed_payload)`,
  import_failures: `coalesce(octet_length(r.sealed_payload), 0)`,
  span_batches: `octet_length(r.sealed)`,
};

/**
 * How much a workspace keeps of its calls. Triggers note the difference of each statement as a row of its own, because a
 * counter would have everybody wait for it; nothing is noted where nothing is bounded.
 */
export class Migration20261125225937_workspace_storage extends Migration {
  override name = 'Migration20261125225937_workspace_storage';

  override up(): void {
    this.addSql(`alter table "workspaces" add column "storage_limit_mib" int;`);
    this.addSql(
      `create table "workspace_storage" ("workspace_id" uuid not null, "bytes" bigint not null, "counted_at" timestamptz(3), primary key ("workspace_id"));`,
    );
    this.addSql(
      `create table "storage_changes" ("id" uuid not null default gen_random_uuid(), "workspace_id" uuid not null, "bytes" bigint not null, primary key ("id"));`,
    );
    this.addSql(`create index "storage_changes_workspace" on "storage_changes" ("workspace_id");`);
    for (const table of ['workspace_storage', 'storage_changes']) {
      this.addSql(`alter table "${table}" enable row level security;`);
      this.addSql(`alter table "${table}" force row level security;`);
      this.addSql(
        `create policy "own" on "${table}" using (workspace_id = (select workspace_in_scope())) with check (workspace_id = (select workspace_in_scope()));`,
      );
    }
    this.addSql(`
create function note_storage() returns trigger language plpgsql as $note$
declare
  rows text := case tg_op
    when 'INSERT' then 'select workspace_id, ' || tg_argv[0] || ' as bytes from added r'
    when 'DELETE' then 'select workspace_id, -(' || tg_argv[0] || ') as bytes from removed r'
    else 'select workspace_id, ' || tg_argv[0] || ' as bytes from added r union all select workspace_id, -(' || tg_argv[0] || ') from removed r' end;
begin
  if not exists (select from workspace_storage) then return null; end if;
  execute 'insert into storage_changes (workspace_id, bytes) select c.workspace_id, sum(c.bytes) from (' || rows || ') c '
    || 'where exists (select from workspace_storage s where s.workspace_id = c.workspace_id) '
    || 'group by c.workspace_id having sum(c.bytes) <> 0';
  return null;
end $note$;`);
    for (const [table, size] of Object.entries(SIZES)) {
      const call = `for each statement execute function note_storage('${size.replaceAll("'", "''")}')`;
      this.addSql(`create trigger "storage_added" after insert on "${table}" referencing new table as added ${call};`);
      this.addSql(
        `create trigger "storage_removed" after delete on "${table}" referencing old table as removed ${call};`,
      );
      this.addSql(
        `create trigger "storage_changed" after update on "${table}" referencing old table as removed new table as added ${call};`,
      );
    }
  }
}
